"""How close a ranking comes to the best possible one."""

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import mul

from goldwright.metrics.ranked_relevance import RankedRelevance, count_relevant


def ndcg(ranking: RankedRelevance, *, cutoff: int) -> float:
    """Normalised discounted cumulative gain with linear gain, in 0..1.

    DCG@k is the sum of gain / log2(rank + 1) over the relevant ids among the first k. It is divided
    by the DCG@k of the ideal ranking, which holds all relevant ids first, by falling gain.

    Source: K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques",
    ACM TOIS 20 (2002); the discount is that of trec_eval's ``ndcg_cut``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    count = count_relevant(ranking, cutoff)
    ranks = ranking.ranks[:count]
    dcg = _discounted_gain(ranking.gains, ranks)
    ideal_ranks = range(1, cutoff + 1)
    ideal_dcg = _discounted_gain(ranking.ideal_gains, ideal_ranks)
    return dcg / ideal_dcg


def _discounted_gain(gains: Sequence[float], ranks: Sequence[int]) -> float:
    """Sum the discounted gains up to the end of the shorter sequence."""
    discounts = map(discount, ranks)
    # fsum rounds once, whatever the order, so a perfect ranking scores exactly 1.
    return math.fsum(map(mul, gains, discounts))


@lru_cache(maxsize=4096)  # every rank up to the largest cutoff, which all queries share
def discount(rank: int) -> float:
    """The factor by which the gain at a rank (from 1) counts, in 0..1."""
    return 1 / math.log2(rank + 1)
