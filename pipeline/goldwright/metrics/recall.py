"""How much of what is relevant was found."""

from goldwright.metrics.ranking import RankedRelevance, within


def recall(found: RankedRelevance, *, cutoff: int) -> float:
    """The share of the relevant ids that stands among the first k: |relevant ∩ top k| / |relevant|,
    in 0..1.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008),
    8.3; trec_eval's ``recall``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return within(found, cutoff) / len(found.wanted)
