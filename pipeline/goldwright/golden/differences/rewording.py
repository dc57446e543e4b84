"""Which items that are gone and which that are new are two wordings of one thing."""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

PairSimilarity = Callable[[str, str], float]
"""How alike two texts are, in 0..1."""

LEAST_SIMILARITY: Final = 0.6
# Every pair is compared, which takes too long for long lists that differ throughout; beyond this
# nothing is paired.
MOST_PAIRS: Final = 400
# The product of two numbers of words, to which the time of a comparison is proportional: 2,000
# words against 2,000.
MOST_WORK: Final = 4_000_000

_SUBJECT_END: Final = re.compile(r" = | at | \(|:(?=\d)")


def pair_reworded(
    removed: Sequence[str], added: Sequence[str], similarity: PairSimilarity | None
) -> Iterator[tuple[str, str]]:
    """Pair items that are gone with items that are new, the most alike first.

    Comparing the datasets the other way round gives the same pairs.

    Args:
        removed: The items that are gone.
        added: The items that are new.
        similarity: Decides what is a rewording; None pairs the items as they come.
    """
    if similarity is None:
        yield from zip(removed, added, strict=False)
        return
    if len(removed) * len(added) > MOST_PAIRS:
        return
    unpaired_removed = dict(enumerate(removed))
    unpaired_added = dict(enumerate(added))
    for i, j in _pairs_by_similarity(removed, added, similarity):
        if i in unpaired_removed and j in unpaired_added:
            yield unpaired_removed.pop(i), unpaired_added.pop(j)


def have_same_subject(first: str, second: str) -> float:
    """Give 1 for two items about the same thing, as two lines of one entity, and else 0."""
    return float(_subject(first) == _subject(second))


def share_words(first: str, second: str) -> float:
    """Give the share of words that two sentences have in common in their order, in 0..1."""
    first_words = first.split()
    second_words = second.split()
    if len(first_words) * len(second_words) > MOST_WORK:
        return 0.0
    return SequenceMatcher(None, first_words, second_words, autojunk=False).ratio()


def _pairs_by_similarity(
    removed: Sequence[str], added: Sequence[str], similarity: PairSimilarity
) -> Iterator[tuple[int, int]]:
    """Yield the positions of items that are alike enough, the most alike pair first."""
    pairs: list[tuple[float, str, str, int, int]] = []
    for i, removed_text in enumerate(removed):
        for j, added_text in enumerate(added):
            # In alphabetical order, because the ratio of a SequenceMatcher depends on which text
            # comes first.
            first, second = sorted((removed_text, added_text))
            ratio = similarity(first, second)
            if ratio >= LEAST_SIMILARITY:
                pairs.append((-ratio, first, second, i, j))
    for _, _, _, i, j in sorted(pairs):
        yield i, j


def _subject(text: str) -> str:
    return _SUBJECT_END.split(text)[0]
