"""How much of what is relevant was retrieved."""

from goldwright.metrics.ranked_relevance import RankedRelevance, count_relevant


def recall(ranking: RankedRelevance, *, cutoff: int) -> float:
    """Share of the relevant ids among the first k: |relevant ∩ top k| / |relevant|, in 0..1.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008),
    8.3; trec_eval's ``recall``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return count_relevant(ranking, cutoff) / len(ranking.ideal_gains)
