"""Records that resemble an earlier one, by their targets or by their words, without comparing all with all."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil

from goldwright.stages.screen.rules import LARGEST_OVERLAP, NEAR_REPEAT
from goldwright.stats.jaccard import containment, jaccard

Texts = frozenset[str]


def mostly_contained(targets: Sequence[frozenset[str]]) -> Mapping[int, int]:
    """Map each position whose targets lie by more than half in one earlier set to such a position."""

    def holds(mine: frozenset[str], other: frozenset[str]) -> bool:
        return containment(mine, other) > LARGEST_OVERLAP

    return _earlier_alike(targets, iter, holds)


def nearly_repeated(queries: Sequence[str]) -> Mapping[int, int]:
    """Map each position whose words nearly repeat those of an earlier query to the position of such a one.

    Only queries that share one of their rarest words are compared: two sets of words whose Jaccard index
    is at least t share one among the first |A| - ceil(t |A|) + 1 of each, in any one order of all words.
    Source: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins" (2006).
    """
    words = [wording(query) for query in queries]
    frequency = Counter(word for one in words for word in one)

    def rarest(mine: Texts) -> Iterator[str]:
        ordered = sorted(mine, key=lambda word: (frequency[word], word))
        yield from ordered[: len(ordered) - ceil(NEAR_REPEAT * len(ordered) - 1e-9) + 1]

    return _earlier_alike(words, rarest, lambda mine, other: jaccard(mine, other) >= NEAR_REPEAT)


def wording(query: str) -> Texts:
    """The words of a query in lower case, each once."""
    return frozenset(re.findall(r"\w+", query.lower()))


def _earlier_alike(
    sets: Sequence[Texts], keys: Callable[[Texts], Iterable[str]], is_alike: Callable[[Texts, Texts], bool]
) -> Mapping[int, int]:
    """Map positions to an earlier alike one, the same set before any other; alike sets share a key."""
    holders: dict[str, list[int]] = defaultdict(list)
    first_with: dict[Texts, int] = {}
    found: dict[int, int] = {}
    for position, mine in enumerate(sets):
        earlier = first_with.setdefault(mine, position)
        if earlier == position:
            wanted = tuple(keys(mine))
            near = sorted({holder for key in wanted for holder in holders[key]})
            earlier = next((one for one in near if is_alike(mine, sets[one])), position)
            for key in wanted:
                holders[key].append(position)
        if mine and earlier < position:
            found[position] = earlier
    return found
