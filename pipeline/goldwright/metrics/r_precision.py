"""Precision at the rank where a perfect ranking would have named everything."""

from goldwright.metrics.ranked_relevance import RankedRelevance, count_relevant


def r_precision(ranking: RankedRelevance) -> float:
    """Share of relevant ids among the first R, in 0..1, with R the number of all relevant ids.

    It is 1 when these ids come first, and equals recall at the same rank.

    Source: C. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval" (2008),
    8.4; trec_eval's ``Rprec``.
    """
    relevant_count = len(ranking.ideal_gains)
    return count_relevant(ranking, relevant_count) / relevant_count
