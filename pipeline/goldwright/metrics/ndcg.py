"""How close a ranking comes to the best possible one."""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from goldwright.metrics.ranking import relevant_ranks


def ndcg(ranked: Sequence[str], relevant: AbstractSet[str], *, cutoff: int = 10) -> float:
    """The normalised discounted cumulative gain with binary gain, in 0..1.

    DCG@k is the sum of 1 / log2(rank + 1) over the relevant ids among the first k; it is divided by
    the DCG@k of a ranking that has all relevant ids first.

    Source: K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques",
    ACM TOIS 20 (2002); the discount is trec_eval's ``ndcg_cut``.

    Raises:
        MetricUndefinedError: Nothing is relevant, or the cutoff is below 1.
    """
    ranks = relevant_ranks(ranked, relevant, cutoff=cutoff)
    best = range(1, min(len(relevant), cutoff) + 1)
    return _gain(ranks) / _gain(best)


def _gain(ranks: Iterable[int]) -> float:
    return math.fsum(1 / math.log2(rank + 1) for rank in ranks)
