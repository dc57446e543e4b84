"""What a reader comes across who goes on from each result to the next with the same chance."""

import math
from typing import Final

from goldwright.metrics.ranked_relevance import MetricUndefinedError, RankedRelevance

# The reader of the paper who is neither patient nor hasty, and the default of ir_measures.
PERSISTENCE: Final = 0.8


def rank_biased_precision(ranking: RankedRelevance, *, persistence: float = PERSISTENCE) -> float:
    """(1 - p) times the sum of p^(rank - 1) over the relevant ids, in 0..1.

    The reader always looks at the first result and goes on with the chance p. Grades do not count.
    However good a ranking is, it reaches 1 - p^R at most, with R the number of relevant ids.

    Source: A. Moffat and J. Zobel, "Rank-Biased Precision for Measurement of Retrieval
    Effectiveness", ACM TOIS 27 (2008); ir_measures' ``RBP(p=0.8, rel=1)``.

    Args:
        ranking: The ranking.
        persistence: The chance p, above 0 and below 1.

    Raises:
        MetricUndefinedError: The chance is not between 0 and 1.
    """
    if not 0 < persistence < 1:
        raise MetricUndefinedError(f"a persistence lies between 0 and 1; found {persistence}")
    chances = [persistence ** (rank - 1) for rank in ranking.ranks]
    return (1 - persistence) * math.fsum(chances)
