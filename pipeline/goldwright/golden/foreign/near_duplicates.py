"""Records that resemble an earlier one, by their targets or by their words, without comparing all
with all.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from math import ceil, floor

from goldwright.stages.screen.rules import LARGEST_OVERLAP, NEAR_REPEAT
from goldwright.stats.jaccard import containment, jaccard

Texts = frozenset[str]


def mostly_contained(targets: Sequence[frozenset[str]]) -> Mapping[int, int]:
    """Map each position whose targets lie by more than half in one earlier set to such a position.

    Only the first |A| - k + 1 of a set A, rarest first, are looked up, with k the fewest that are
    more than half: an earlier set without any of these has at most k - 1 of A. Equal sets are found
    by themselves, so neither many records about one target nor one target that all of them share
    makes this slow. Source: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for
    similarity joins" (2006).
    """
    frequency = Counter(target for one in targets for target in one)

    def rarest(mine: Texts) -> Sequence[str]:
        fewest = floor(LARGEST_OVERLAP * len(mine)) + 1
        return _rarest_first(mine, frequency)[: len(mine) - fewest + 1]

    def holds(mine: Texts, other: Texts) -> bool:
        return containment(mine, other) > LARGEST_OVERLAP

    return _earlier_alike(targets, _WordKeys(wanted=rarest, held=tuple), holds)


def nearly_repeated(queries: Sequence[str]) -> Mapping[int, int]:
    """Map each position whose words nearly repeat those of an earlier query to the position of such
    a one.

    Only queries that share one of their rarest words are compared: two sets of words whose Jaccard
    index is at least t share one among the first |A| - ceil(t |A|) + 1 of each, in any one order of
    all words. Source: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity
    joins" (2006).
    """
    words = [wording(query) for query in queries]
    frequency = Counter(word for one in words for word in one)

    def rarest(mine: Texts) -> Sequence[str]:
        return _rarest_first(mine, frequency)[: len(mine) - ceil(NEAR_REPEAT * len(mine) - 1e-9) + 1]

    return _earlier_alike(
        words, _WordKeys(wanted=rarest, held=rarest), lambda mine, other: jaccard(mine, other) >= NEAR_REPEAT
    )


def wording(query: str) -> Texts:
    """The words of a query in lower case, each once."""
    return frozenset(re.findall(r"\w+", query.lower()))


def _rarest_first(mine: Texts, frequency: Mapping[str, int]) -> Sequence[str]:
    return sorted(mine, key=lambda one: (frequency[one], one))


@dataclass(frozen=True, slots=True)
class _WordKeys:
    """By what a set is looked up, and by what later ones find it: an alike earlier one holds a
    wanted key.
    """

    wanted: Callable[[Texts], Sequence[str]]
    held: Callable[[Texts], Sequence[str]]


def _earlier_alike(sets: Sequence[Texts], keys: _WordKeys, is_alike: Callable[[Texts, Texts], bool]) -> Mapping[int, int]:
    """Map positions to an earlier alike one: the same set before any other, then the earliest."""
    holders: dict[str, list[int]] = defaultdict(list)
    first_with: dict[Texts, int] = {}
    found: dict[int, int] = {}
    for position, mine in enumerate(sets):
        earlier = first_with.setdefault(mine, position)
        if earlier == position:
            near = merge(*(holders[key] for key in keys.wanted(mine)))
            earlier = next((one for one in near if is_alike(mine, sets[one])), position)
            for key in keys.held(mine):
                holders[key].append(position)
        if mine and earlier < position:
            found[position] = earlier
    return found
