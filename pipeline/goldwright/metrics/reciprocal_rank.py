"""How far down the first right answer stands."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from goldwright.metrics.ranking import relevant_ranks


def reciprocal_rank(ranked: Sequence[str], relevant: AbstractSet[str]) -> float:
    """1 / rank of the first relevant id, in 0..1; 0 when none is ranked.

    Its mean over queries is the MRR.

    Source: E. Voorhees, "The TREC-8 Question Answering Track Report" (1999); trec_eval's ``recip_rank``.

    Raises:
        MetricUndefinedError: Nothing is relevant.
    """
    ranks = relevant_ranks(ranked, relevant)
    return 1 / ranks[0] if ranks else 0.0
