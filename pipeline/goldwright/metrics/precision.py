"""How much of what was found is relevant."""

from goldwright.metrics.ranking import RankedRelevance, within


def precision(found: RankedRelevance, *, cutoff: int) -> float:
    """The share of the first k places that relevant ids take, in 0..1.

    The divisor is k even where fewer ids are ranked, as in trec_eval's ``P``.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008),
    8.4.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return within(found, cutoff) / cutoff
