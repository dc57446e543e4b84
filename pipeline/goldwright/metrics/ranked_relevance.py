"""What every metric looks at: the ranks at which the relevant ids of a query stand."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from goldwright.errors import InputError

# The relevant ids of a query, with their gains (above 0) where those differ from 1.
Relevant = AbstractSet[str] | Mapping[str, float]


class MetricUndefinedError(InputError):
    """A metric was asked for a query without relevant ids, or at a cutoff below 1."""


@dataclass(frozen=True, slots=True)
class RankedRelevance:
    """The ranking of one query, reduced to what metrics look at.

    Attributes:
        ranks: The ranks of the relevant ids that were retrieved, from 1, rising.
        gains: Their gains, each above 0, in the same order.
        ideal_gains: The gains of all relevant ids, retrieved or not, falling.
        judged_ranks: The ranks of ids known to be relevant or irrelevant, rising.
        length: How many ids were ranked.
    """

    ranks: Sequence[int]
    gains: Sequence[float]
    ideal_gains: Sequence[float]
    judged_ranks: Sequence[int]
    length: int


Metric = Callable[[RankedRelevance], float]


def find_relevant(
    ranked_ids: Iterable[str], relevant: Relevant, *, irrelevant: AbstractSet[str] = frozenset()
) -> RankedRelevance:
    """Find the ranks of the relevant ids in a ranking.

    An id that is ranked twice counts at its first rank only, and later ids move up.

    Args:
        ranked_ids: Ids, the best first.
        relevant: The relevant ids, with their gains (above 0) where those differ from 1.
        irrelevant: Ids that are known not to be relevant.

    Raises:
        MetricUndefinedError: Nothing is relevant.
    """
    distinct_ids = dict.fromkeys(ranked_ids)
    ranked = enumerate(distinct_ids, start=1)
    rank_by_id = {result_id: rank for rank, result_id in ranked}
    return find_relevant_at(rank_by_id, len(distinct_ids), relevant, irrelevant=irrelevant)


def find_relevant_at(
    rank_by_id: Mapping[str, int],
    length: int,
    relevant: Relevant,
    *,
    irrelevant: AbstractSet[str] = frozenset(),
) -> RankedRelevance:
    """Find the ranks of the relevant ids where ranks are already known.

    Args:
        rank_by_id: The rank of each id, from 1; it need not hold ids that nobody judged.
        length: How many ids were ranked.
        relevant: The relevant ids, with their gains (above 0) where those differ from 1.
        irrelevant: Ids that are known not to be relevant.

    Raises:
        MetricUndefinedError: Nothing is relevant.
    """
    if not relevant:
        raise MetricUndefinedError("a metric needs at least one relevant id; this query has none")
    gain_by_id = _gains_of(relevant)
    ranks = []
    gains = []
    for rank, gain in sorted(_retrieved(rank_by_id, gain_by_id)):
        ranks.append(rank)
        gains.append(gain)
    retrieved_irrelevant = irrelevant & rank_by_id.keys()
    irrelevant_ranks = map(rank_by_id.__getitem__, retrieved_irrelevant)
    judged_ranks = sorted([*ranks, *irrelevant_ranks])
    ideal_gains = sorted(gain_by_id.values(), reverse=True)
    return RankedRelevance(ranks, gains, ideal_gains, judged_ranks, length)


def count_relevant(ranking: RankedRelevance, cutoff: int) -> int:
    """Count the relevant ids among the first ``cutoff`` ranks.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    check_cutoff(cutoff)
    return bisect_right(ranking.ranks, cutoff)


def check_cutoff(cutoff: int) -> None:
    """Refuse a cutoff that holds no rank.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    if cutoff < 1:
        raise MetricUndefinedError(f"a cutoff counts ranks from 1; found {cutoff}")


def _gains_of(relevant: Relevant) -> Mapping[str, float]:
    if isinstance(relevant, Mapping):
        return relevant
    return dict.fromkeys(relevant, 1.0)


def _retrieved(
    rank_by_id: Mapping[str, int], gain_by_id: Mapping[str, float]
) -> Iterator[tuple[int, float]]:
    """Yield rank and gain of each relevant id that was ranked."""
    for result_id, gain in gain_by_id.items():
        rank = rank_by_id.get(result_id)
        if rank is not None:
            yield rank, gain
