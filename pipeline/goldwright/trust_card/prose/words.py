"""The words of a text that carry meaning, in a common form."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from goldwright.trust_card.prose.identifiers import split_identifier

STOP_WORDS: Final = frozenset(
    """
    a about after all also am an and any are as at be because been before being but by can could did
    do does doing done down each else few for from further get gets go goes had has have having he
    her here him his how however i if in into is it its itself just let like may me might more most
    much must my no nor not now of off on once one only onto or other our out over own per please
    same shall she should so some something such than that the their them then there these they
    thing this those though through to too under until up upon us very was way we were what when
    where whether which while who whom whose why will with within without would yet you your
    """.split()
)

_WORD: Final = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|[0-9]+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Endings that English puts behind a word, the longer ones first, and the shortest stem they leave.
_ENDINGS: Final = (
    ("ingly", 4),
    ("ly", 4),
    ("ing", 3),
    ("ies", 3),
    ("ied", 3),
    ("es", 4),
    ("ed", 3),
    ("s", 3),
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, in their order; identifiers are split."""
    return list(_split(text))


def content_words(text: str) -> list[str]:
    """The stems of the words that carry meaning, in their order."""
    return [stem(word) for word in _split(text) if word not in STOP_WORDS and len(word) > 1]


def stand_in_order(words: Iterable[str], text_words: Iterable[str]) -> bool:
    """Whether words stand in a text in their order, whatever stands between them."""
    remaining = iter(text_words)
    # Each search goes on where the one before it ended.
    return all(word in remaining for word in words)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Cut the ending off a word: ``parsing``, ``parsed`` and ``parses`` become ``pars``."""
    for ending, least in _ENDINGS:
        if not word.endswith(ending) or len(word) - len(ending) < least:
            continue
        if ending == "s" and word.endswith(("ss", "us", "is")):
            break
        word = word[: -len(ending)]
        if ending in {"ies", "ied"}:
            # ``queries`` and ``query``, ``cookies`` and ``cookie``.
            return f"{word}i"
        break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        # ``dropping`` and ``drop``.
        return word[:-1]
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    if len(word) > 3 and word.endswith("y"):
        return f"{word[:-1]}i"
    return word


def _split(text: str) -> Iterator[str]:
    plain_text = text.replace("’", "'")
    for match in _WORD.finditer(_spread_identifiers(plain_text)):
        yield match[0].lower().removesuffix("'s")


def _spread_identifiers(text: str) -> str:
    """Put blanks between the words of every identifier."""
    return _IDENTIFIER.sub(_spread, text)


def _spread(match: re.Match[str]) -> str:
    identifier = match[0]
    if identifier.islower() and "_" not in identifier:
        return identifier
    return " ".join(split_identifier(identifier))
