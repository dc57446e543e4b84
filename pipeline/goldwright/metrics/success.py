"""Whether a ranking serves at all: one relevant id among the first k, or all of them."""

from goldwright.metrics.ranked_relevance import RankedRelevance, count_relevant


def success(ranking: RankedRelevance, *, cutoff: int) -> float:
    """1 when any relevant id stands among the first k, else 0.

    It goes by the names Hit@k and Success@k. Papers on code retrieval also call it Recall@k, which
    it equals only where a single id is relevant.

    Source: trec_eval's ``success``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return float(count_relevant(ranking, cutoff) > 0)


def accuracy(ranking: RankedRelevance, *, cutoff: int) -> float:
    """1 when the first k hold as many relevant ids as they can, min(k, |relevant|), else 0.

    Source: the Acc@k of Z. Chen et al., "LocAgent: Graph-Guided LLM Agents for Code Localization"
    (2025), where a localisation succeeds only when it is complete.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    most_possible = min(cutoff, len(ranking.ideal_gains))
    return float(count_relevant(ranking, cutoff) == most_possible)
