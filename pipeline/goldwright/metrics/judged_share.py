"""How much of a ranking anybody has judged."""

from bisect import bisect_right

from goldwright.metrics.ranked_relevance import RankedRelevance, check_cutoff


def judged_share(ranking: RankedRelevance, *, cutoff: int) -> float:
    """Share of the first k results that are known to be relevant or irrelevant, in 0..1.

    Unjudged results count as irrelevant in every other metric, so a low share says that those are
    lower bounds. The divisor is the length of the ranking where that is below k. An empty ranking
    has a share of 1, since it holds nothing unjudged.

    Source: ir_measures' ``Judged``; T. Sakai, "Alternatives to Bpref", SIGIR 2007, on incomplete
    judgements.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    check_cutoff(cutoff)
    depth = min(cutoff, ranking.length)
    if depth == 0:
        return 1.0
    return bisect_right(ranking.judged_ranks, depth) / depth
