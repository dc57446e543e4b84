"""How much of what was found is relevant."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from goldwright.metrics.ranking import relevant_ranks


def precision(ranked: Sequence[str], relevant: AbstractSet[str], *, cutoff: int = 1) -> float:
    """The share of the first k places that relevant ids take, in 0..1.

    The divisor is k even where fewer ids are ranked, as in trec_eval's ``P``.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008), 8.4.

    Raises:
        MetricUndefinedError: Nothing is relevant, or the cutoff is below 1.
    """
    return len(relevant_ranks(ranked, relevant, cutoff=cutoff)) / cutoff
