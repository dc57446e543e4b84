"""Precision at every relevant id, averaged."""

import math

from goldwright.metrics.ranked_relevance import RankedRelevance, count_relevant


def average_precision(ranking: RankedRelevance, *, cutoff: int | None = None) -> float:
    """Mean of the precision at the rank of each relevant id, in 0..1; its mean is the MAP.

    Relevant ids that are not ranked count 0, and with a cutoff so do those behind rank k; the
    divisor is the number of all relevant ids in either case.

    Source: C. Buckley and E. Voorhees, "Evaluating Evaluation Measure Stability" (SIGIR 2000);
    trec_eval's ``map`` and ``map_cut``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    ranks = ranking.ranks
    if cutoff is not None:
        ranks = ranks[: count_relevant(ranking, cutoff)]
    precisions = [count / rank for count, rank in enumerate(ranks, start=1)]
    return math.fsum(precisions) / len(ranking.ideal_gains)
