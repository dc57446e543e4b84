"""Whether a list serves at all: one right answer in reach, or all of them."""

from goldwright.metrics.ranking import RankedRelevance, within


def success(found: RankedRelevance, *, cutoff: int) -> float:
    """1 when any relevant id stands among the first k, else 0.

    It goes by the names Hit@k and Success@k. The seeds of code retrieval also call it Recall@k,
    which it is only where one id is relevant.

    Source: trec_eval's ``success``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return float(within(found, cutoff) > 0)


def accuracy(found: RankedRelevance, *, cutoff: int) -> float:
    """1 when the first k places hold as many relevant ids as they can, min(k, |relevant|), else 0.

    Source: the Acc@k of Z. Chen et al., "LocAgent: Graph-Guided LLM Agents for Code Localization"
    (2025), where a localisation succeeds only when it is complete.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    return float(within(found, cutoff) == min(cutoff, len(found.wanted)))
