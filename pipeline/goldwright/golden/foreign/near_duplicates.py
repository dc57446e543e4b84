"""Records that resemble an earlier one, by targets or by words, without comparing every pair.

Source: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins in data
cleaning" (2006), for the prefix filter.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from math import ceil, floor

from goldwright.stages.screen.near_repeats import LARGEST_OVERLAP, NEAR_REPEAT
from goldwright.stats.jaccard import containment, jaccard

Members = frozenset[str]


def mostly_contained(targets: Sequence[frozenset[str]]) -> Mapping[int, int]:
    """Map each position whose targets lie by more than half in one earlier set to such a position.

    Only the first |A| - k + 1 of a set A, rarest first, are looked up, with k the fewest that are
    more than half: an earlier set without any of these has at most k - 1 of A. Equal sets are found
    by themselves, so neither many records about one target nor one target that all of them share
    makes this slow.
    """
    frequency = _frequency(targets)

    def rarest(members: Members) -> Sequence[str]:
        fewest = floor(LARGEST_OVERLAP * len(members)) + 1
        count = len(members) - fewest + 1
        return _rarest(members, frequency, count)

    def is_contained(later: Members, earlier: Members) -> bool:
        return containment(later, earlier) > LARGEST_OVERLAP

    # The earlier set may be large and hold the targets among its commonest members, so it is stored
    # under all of them.
    return _find_earlier(targets, _Resemblance(rarest, tuple, is_contained))


def nearly_repeated(queries: Sequence[str]) -> Mapping[int, int]:
    """Map each position whose query nearly repeats the words of an earlier one to its position.

    Only queries that share one of their rarest words are compared: two sets of words whose Jaccard
    index is at least t share one among the first |A| - ceil(t |A|) + 1 of each, in any one order of
    all words.
    """
    word_sets = list(map(_word_set, queries))
    frequency = _frequency(word_sets)

    def rarest(members: Members) -> Sequence[str]:
        # A product that should be whole may come out a little larger, hence the 1e-9.
        fewest = ceil(NEAR_REPEAT * len(members) - 1e-9)
        count = len(members) - fewest + 1
        return _rarest(members, frequency, count)

    def is_repeat(later: Members, earlier: Members) -> bool:
        return jaccard(later, earlier) >= NEAR_REPEAT

    return _find_earlier(word_sets, _Resemblance(rarest, rarest, is_repeat))


def _word_set(query: str) -> Members:
    return frozenset(re.findall(r"\w+", query.lower()))


def _frequency(sets: Iterable[Members]) -> Counter[str]:
    """Count in how many sets each member is."""
    frequency: Counter[str] = Counter()
    for members in sets:
        frequency.update(members)
    return frequency


def _rarest(members: Members, frequency: Mapping[str, int], count: int) -> Sequence[str]:
    def rank(member: str) -> tuple[int, str]:
        return frequency[member], member

    return sorted(members, key=rank)[:count]


@dataclass(frozen=True, slots=True)
class _Resemblance:
    """When a set resembles an earlier one, and how earlier ones that may are found.

    An earlier set that resembles a later one is stored under one of the later one's lookup keys.

    Attributes:
        lookup_keys: The members by which a set is looked up.
        storage_keys: The members under which a set is stored.
        holds: Whether a set (first) resembles an earlier one (second).
    """

    lookup_keys: Callable[[Members], Sequence[str]]
    storage_keys: Callable[[Members], Sequence[str]]
    holds: Callable[[Members, Members], bool]


def _find_earlier(sets: Sequence[Members], resemblance: _Resemblance) -> Mapping[int, int]:
    """Map positions to an earlier one that they resemble: an equal set, else the earliest."""
    positions_of: defaultdict[str, list[int]] = defaultdict(list)
    first_equal: dict[Members, int] = {}
    earlier_positions: dict[int, int] = {}
    for position, members in enumerate(sets):
        if members in first_equal:
            if members:
                earlier_positions[position] = first_equal[members]
            continue
        first_equal[members] = position
        # Positions are stored in their order, so merging them gives the earliest first.
        stored = [positions_of[key] for key in resemblance.lookup_keys(members)]
        for earlier in merge(*stored):
            if resemblance.holds(members, sets[earlier]):
                earlier_positions[position] = earlier
                break
        for key in resemblance.storage_keys(members):
            positions_of[key].append(position)
    return earlier_positions
