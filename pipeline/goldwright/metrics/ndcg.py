"""How close a ranking comes to the best possible one."""

import math
from functools import lru_cache

from goldwright.metrics.ranking import RankedRelevance, within


def ndcg(found: RankedRelevance, *, cutoff: int) -> float:
    """The normalised discounted cumulative gain with linear gain, in 0..1.

    DCG@k is the sum of gain / log2(rank + 1) over the relevant ids among the first k; it is divided
    by the DCG@k of a ranking that has all relevant ids first, those of the largest gain before the
    others.

    Source: K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques",
    ACM TOIS 20 (2002); the discount is trec_eval's ``ndcg_cut``.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    count = within(found, cutoff)
    gained = math.fsum(found.gains[at] * discount(found.ranks[at]) for at in range(count))
    best = math.fsum(
        gain * discount(place) for place, gain in enumerate(found.wanted[:cutoff], start=1)
    )
    return gained / best


@lru_cache(maxsize=4096)
def discount(place: int) -> float:
    """What a gain at a rank (from 1) counts for, in 0..1."""
    return 1 / math.log2(place + 1)
