"""A mint: as much as is just allowed, and one more of it.

Messages, values, entries, tests, ways out, callers and changers at their limits and past them.
"""

COINS = '''"""Coins, and what is wrong with them."""


class MintError(Exception):
    """Anything that spoils a coin."""


def assay(coin):
    """Look for what is wrong with a coin."""
    if coin is None:
        raise MintError(
            "nothing lies on the scale although one coin was promised to the "
            "master by the oldest miner"
        )
    if coin.weight < 1:
        raise MintError(
            "the coin is lighter than a feather and would be blown away by the "
            "wind at the doors outside"
        )
    if coin.rim > 9:
        raise MintError(
            "the rim of the coin is so high that no other coin could lie on top of "
            "it, not in a chest and not in some purse"
        )
    if coin.rim < 2:
        raise MintError(
            "the rim of the coin is so low that the king would lose his crown to "
            "the first knife that is put to it by a duke"
        )
    if coin.year > 1900:
        raise MintError("bad old metals")
    if coin.is_wet:
        raise MintError("the coin is wet on either side")
    return coin


def ring(coin, table):
    """Let a coin fall onto a table to hear what it is made of."""
    if coin.is_cracked:
        raise MintError("strange metal")
    if coin.is_soft:
        raise MintError("bad old metal")
    return table.sound


def grade(coin):
    """Say what a coin is called on the market."""
    if coin.is_gold:
        if coin.weight > 30:
            return "doubloon"
        return "ducat"
    if coin.is_silver:
        if coin.weight > 20:
            return "thaler"
        return "groat"
    if coin.is_copper:
        return "penny"
    return "token"


def grade_finely(coin):
    """Say what a coin is called by those who collect them."""
    if coin.is_gold:
        if coin.weight > 30:
            return "great doubloon"
        return "small ducat"
    if coin.is_silver:
        if coin.weight > 20:
            return "great thaler"
        return "small groat"
    if coin.is_copper:
        if coin.weight > 10:
            return "great penny"
        return "small penny"
    return "any token"


def motto(side):
    """Give the words on a side of the great coin."""
    if side == "front":
        return "by the grace of all who paid for it"
    if side == "back":
        return "the third edge is plain"
    return (
        "let whoever finds this coin give it to the poor and keep half of it for some new candles"
    )


def legend(side):
    """Give the words on a side of the small coin."""
    if side == "front":
        return "by the grace of some"
    if side == "back":
        return "the thin edge is plain"
    return (
        "let whoever finds this coin give it to the rich and keep none of it for some older candle"
    )
'''

PRESS = '''"""The press, the oven, and the days on which they work."""

import logging

from mint.coins import MintError, assay, grade

logger = logging.getLogger(__name__)

ALLOYS = {
    "bronze": "nine parts of copper and one of tin that come from the sea",
    "brass": "two parts of copper and one of zinc that came from the hill",
    "electrum": "gold and silver",
}

DIES = {"crown": 1, "eagle": 2, "laurel": 3}

# orders that wait for their metal
_waiting = {}

# blanks that were spoiled on the way
_spoiled = {}


def stamp(coin, die, force, angle, heat, count):
    """Strike a coin with a die."""
    coin.die = die
    coin.marks = force * angle * heat
    return count


def polish(coin, cloth, force, angle, heat, count, wax):
    """Make a coin shine."""
    coin.cloth = cloth
    coin.shine = force * angle * heat * wax
    return count


def melt(coins, oven):
    """Melt coins that nobody wants."""
    try:
        oven.open()
        oven.fill(coins)
        oven.heat(1100)
    except OSError as error:
        raise MintError("the oven went out in the middle") from error
    logger.info("the oven is hot enough for gold")
    return oven


def cast(coins, mould):
    """Cast blanks out of what was melted."""
    try:
        mould.open()
        mould.fill(coins)
        mould.shake()
        mould.close()
    except OSError as error:
        raise MintError("the mould broke while it was shaken") from error
    logger.info("the mould may cool until the evening")
    return mould


def monday(coins, oven, mould):
    """Work on the orders of the week before."""
    _waiting["monday"] = ALLOYS["bronze"]
    _spoiled["monday"] = DIES["crown"]
    melt(coins, oven)
    return cast(coins, mould)


def tuesday(coins, oven, mould, metal):
    """Work for the king."""
    _waiting["tuesday"] = ALLOYS.get(metal)
    _spoiled["tuesday"] = DIES.get(metal)
    melt(coins, oven)
    return cast(coins, mould)


def wednesday(coins, oven, mould, metal):
    """Work for the town."""
    _waiting["wednesday"] = ALLOYS[metal]
    _spoiled["wednesday"] = DIES[metal]
    melt(coins, oven)
    return cast(coins, mould)


def thursday(coins, mould, metal):
    """Work for the church."""
    _waiting["thursday"] = metal
    _spoiled["thursday"] = DIES[metal]
    return cast(coins, mould)


def friday(coin):
    """Strike what was cast."""
    _waiting["friday"] = stamp(coin, "crown", 9, 90, 20, 1)
    _spoiled["friday"] = polish(coin, "wool", 1, 45, 20, 1, 3)
    return assay(coin)


def saturday(coin):
    """Sort what was struck."""
    _waiting["saturday"] = coin
    _spoiled["saturday"] = coin
    return grade(coin)


def sunday():
    """Rest, and throw away what was spoiled."""
    _spoiled.clear()
'''

MINT = {"mint/coins.py": COINS, "mint/press.py": PRESS}
