"""The words of a message that a question quotes: all of them, or the few that somebody remembers.

A whole message is found by any search, for no other code has all its words. Who asks a harder
question remembers a piece of it, and that piece stands nowhere else.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from goldwright.code_reading.messages import GAP
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.retrieval.quotations import FEWEST_QUOTED_WORDS, holders_of, quotation_of, words_of
from goldwright.snapshot import Snapshot

# Longer pieces are nearly the whole message.
MOST_WORDS: Final = 7
# "If the" and "cannot be" tell nobody which message is meant.
SHORTEST_TELLING: Final = 4
FEWEST_TELLING: Final = 2
# They stand in messages of all kinds, and tell nobody which one is meant.
_GENERIC: Final = frozenset(
    """
    bad cannot caught could couldn't does doesn't encountered error exception expected failed
    failure failing fatal found given happened have invalid missing must needed occured occurred
    problem raised received required should something there this trying unable unexpected
    unknown unsupported value warning were will with wrong
    """.split()
)
# Each piece costs searches; the commonest ones that pass are choice enough.
MOST_PIECES: Final = 4

# With what is joined to them: "doesn't", "re-read".
_WORD: Final = re.compile(r"\w+(?:['’./-]\w+)*")
# Nobody's memory of a message ends with these.
_LOOSE_ENDS: Final = frozenset(
    "a an and as at be by for from in is of on or that the to with".split()
)
# What hangs in the air at the end: something has to follow.
_HANGING: Final = frozenset(
    """
    but can cannot could got has have if it its may must no not should than this was were when will
    """.split()
)

# Before these a clause or a phrase is whole: nobody's memory breaks off inside one.
_PHRASE_STARTS: Final = re.compile(
    r"\s*(?:$|[.,;:!?(–—]|-\s|(?:after|and|as|at|because|before|but|by|for|from|if|in|into|of|on|or|"
    r"since|so|to|unless|until|when|while|with|without)\b)",
    re.IGNORECASE,
)


def remembered_pieces(message: str, targets: Sequence[str], snapshot: Snapshot) -> tuple[str, ...]:
    """List pieces of a message that stand in the targets alone, those of common words first.

    Args:
        message: The message, with ``…`` where values are put in.
        targets: The ids of the entities that the question expects.
        snapshot: The codebase.
    """
    index = lexical_index(snapshot)

    def by_commonness(piece: str) -> tuple[float, str]:
        return -index.commonness(piece), piece

    pieces = sorted(set(_pieces(message)), key=by_commonness)
    unmistakable = (piece for piece in pieces if _stands_only_in(piece, targets, snapshot))
    return tuple(islice(unmistakable, MOST_PIECES))


def _pieces(message: str) -> Iterator[str]:
    """Yield beginnings of a message, up to its first value: nobody quotes it from elsewhere on.

    Each ends where a phrase of the message does.
    """
    without_outer_gaps = message.strip(f"{GAP} ")
    part = without_outer_gaps.partition(GAP)[0]
    places = [match.span() for match in _WORD.finditer(part)]
    for length in range(FEWEST_QUOTED_WORDS, min(len(places), MOST_WORDS) + 1):
        start, _ = places[0]
        _, end = places[length - 1]
        piece = part[start:end]
        is_whole = _PHRASE_STARTS.match(part, end) is not None
        if is_whole and _is_memorable(piece):
            yield piece


def _is_memorable(piece: str) -> bool:
    words = [word.lower() for word in words_of(piece)]
    if words[-1] in _LOOSE_ENDS | _HANGING:
        return False
    long_words = [word for word in words if len(word) >= SHORTEST_TELLING]
    telling = [word for word in long_words if word not in _GENERIC]
    if len(telling) < FEWEST_TELLING:
        return False
    # What brackets and quotes open has to be closed as well, and numbers are not remembered.
    return piece.isprintable() and not re.search(r"[\"'“”()\[\]{}<>`\d]", piece)


def _stands_only_in(piece: str, targets: Sequence[str], snapshot: Snapshot) -> bool:
    target_prefixes = tuple(f"{target}." for target in targets)
    for holder in holders_of(quotation_of(piece), snapshot):
        holder_id = holder.entity_id
        holder_prefix = f"{holder_id}."
        is_around = any(target.startswith(holder_prefix) for target in targets)
        is_inside = holder_id.startswith(target_prefixes)
        if holder_id not in targets and not is_around and not is_inside:
            return False
    return True
