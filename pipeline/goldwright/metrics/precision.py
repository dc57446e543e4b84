"""How much of what was retrieved is relevant."""

from goldwright.metrics.ranked_relevance import RankedRelevance, count_relevant


def precision(ranking: RankedRelevance, *, cutoff: int) -> float:
    """Share of the first k ranks that relevant ids take, in 0..1.

    The divisor is k even where fewer ids are ranked, as in trec_eval's ``P``.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008),
    8.4.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return count_relevant(ranking, cutoff) / cutoff
