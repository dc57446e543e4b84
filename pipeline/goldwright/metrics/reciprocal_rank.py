"""How far down the first relevant id stands."""

from goldwright.metrics.ranked_relevance import RankedRelevance


def reciprocal_rank(ranking: RankedRelevance) -> float:
    """1 / rank of the first relevant id, in 0..1; 0 where no relevant id is ranked.

    Its mean over queries is the MRR.

    Source: E. Voorhees, "The TREC-8 Question Answering Track Report" (1999); trec_eval's
    ``recip_rank``.
    """
    if not ranking.ranks:
        return 0.0
    return 1 / ranking.ranks[0]
