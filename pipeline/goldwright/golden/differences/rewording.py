"""Which items that are gone and which that are new are two wordings of one thing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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


def pairs_in_order(
    old_texts: Sequence[str], new_texts: Sequence[str]
) -> Mapping[str, list[tuple[str, str]]]:
    """Pair the items about one thing as they come, where both sides have as many and others.

    Of three lines that moved down by two, one may be where another was: paired by what is alike,
    they would seem to have moved by three.

    Returns:
        The pairs by what they are about, those that are alike among them; nothing of what has the
        same items on both sides, in whatever order.
    """
    old_by_subject = _by_subject(old_texts)
    new_by_subject = _by_subject(new_texts)
    pairs = {}
    for subject, old_items in old_by_subject.items():
        new_items = new_by_subject.get(subject, [])
        if len(old_items) == len(new_items) > 1 and sorted(old_items) != sorted(new_items):
            pairs[subject] = list(zip(old_items, new_items, strict=True))
    return pairs


def subject_of(text: str) -> str:
    """Give what an item is about: an entity, a file, a claim with its file."""
    return _SUBJECT_END.split(text)[0]


def _by_subject(texts: Sequence[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(subject_of(text), []).append(text)
    return groups


def have_same_subject(first: str, second: str) -> float:
    """Give 1 for two items about the same thing, as two lines of one entity, and else 0."""
    return float(subject_of(first) == subject_of(second))


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
