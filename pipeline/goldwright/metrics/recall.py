"""How much of what is relevant was found."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from goldwright.metrics.ranking import relevant_ranks


def recall(ranked: Sequence[str], relevant: AbstractSet[str], *, cutoff: int = 10) -> float:
    """The share of the relevant ids that stands among the first k: |relevant ∩ top k| / |relevant|, in 0..1.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008), 8.3;
    trec_eval's ``recall``.

    Raises:
        MetricUndefinedError: Nothing is relevant, or the cutoff is below 1.
    """
    return len(relevant_ranks(ranked, relevant, cutoff=cutoff)) / len(relevant)
