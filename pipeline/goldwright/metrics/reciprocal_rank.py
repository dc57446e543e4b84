"""How far down the first right answer stands."""

from goldwright.metrics.ranking import RankedRelevance


def reciprocal_rank(found: RankedRelevance) -> float:
    """1 / rank of the first relevant id, in 0..1; 0 when none is ranked.

    Its mean over queries is the MRR.

    Source: E. Voorhees, "The TREC-8 Question Answering Track Report" (1999); trec_eval's
    ``recip_rank``.
    """
    return 1 / found.ranks[0] if found.ranks else 0.0
