"""What every metric looks at: at which ranks of a list the relevant ids stand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from goldwright.errors import InputError


class MetricUndefinedError(InputError):
    """A metric was asked of a query without relevant ids, or at a cutoff below 1."""


@dataclass(frozen=True, slots=True)
class RankedRelevance:
    """One query's list, reduced to what metrics look at.

    ``ranks`` (from 1, rising) are those of relevant ids, ``gains`` (above 0) their gains,
    ``wanted`` the gains of all relevant ids, the largest first. ``judged`` are the ranks of ids
    known to be relevant or not, and ``length`` is how many ids were ranked.
    """

    ranks: Sequence[int]
    gains: Sequence[float]
    wanted: Sequence[float]
    judged: Sequence[int]
    length: int


Metric = Callable[[RankedRelevance], float]


def rank(
    ranked: Iterable[str],
    relevant: AbstractSet[str] | Mapping[str, float],
    *,
    irrelevant: AbstractSet[str] = frozenset(),
) -> RankedRelevance:
    """Reduce a list to what metrics look at.

    An id that is ranked twice counts at its first place only, and the later ones move up.

    Args:
        ranked: Ids, the best first.
        relevant: The relevant ids, with their gains (above 0) where those differ from 1.
        irrelevant: Ids that are known not to be relevant.

    Raises:
        MetricUndefinedError: Nothing is relevant.
    """
    distinct = dict.fromkeys(ranked)
    places = dict(zip(distinct, range(1, len(distinct) + 1), strict=True))
    return rank_at(places, len(distinct), relevant, irrelevant=irrelevant)


def rank_at(
    places: Mapping[str, int],
    length: int,
    relevant: AbstractSet[str] | Mapping[str, float],
    *,
    irrelevant: AbstractSet[str] = frozenset(),
) -> RankedRelevance:
    """Reduce a list to what metrics look at, given the places of at least all judged ids that stand
    on it.

    Args:
        places: The place of each id, from 1.
        length: How many ids were ranked.
        relevant: The relevant ids, with their gains (above 0) where those differ from 1.
        irrelevant: Ids that are known not to be relevant.

    Raises:
        MetricUndefinedError: Nothing is relevant.
    """
    if not relevant:
        raise MetricUndefinedError("a metric needs at least one relevant id; this query has none")
    gain_of = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1.0)
    found = sorted((places[item], gain) for item, gain in gain_of.items() if item in places)
    ranks = [place for place, _ in found]
    known = (
        sorted((*ranks, *(places[item] for item in irrelevant if item in places)))
        if irrelevant
        else ranks
    )
    wanted = sorted(gain_of.values(), reverse=True)
    return RankedRelevance(ranks, [gain for _, gain in found], wanted, known, length)


def within(found: RankedRelevance, cutoff: int) -> int:
    """Count the relevant ids among the first ``cutoff`` places.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    if cutoff < 1:
        raise MetricUndefinedError(f"a cutoff counts ranks from 1; found {cutoff}")
    return sum(1 for place in found.ranks if place <= cutoff)
