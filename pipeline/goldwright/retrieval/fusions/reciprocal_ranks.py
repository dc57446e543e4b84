"""The sum of reciprocal ranks."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from goldwright.retrieval.fusions.port import Numbers, ScoreList
from goldwright.retrieval.fusions.tied_ranks import falling_ranks

# k of the paper, which tried 0 to 500.
RANK_OFFSET: Final = 60


def add_reciprocal_ranks(lists: Sequence[ScoreList], weights: Sequence[float]) -> Numbers:
    """Add weight / (60 + rank) over all lists; a document that is not in a list adds 0.

    Only orders count: a list that finds nothing near the top says as much as one that is certain.

    Source: G. Cormack, C. Clarke and S. Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and
    Individual Rank Learning Methods" (SIGIR 2009).
    """
    total = np.zeros(len(lists[0].scores))
    for listed, weight in zip(lists, weights, strict=True):
        if weight:
            shares = weight / (RANK_OFFSET + falling_ranks(listed))
            total += np.where(listed.is_hit, shares, 0.0)
    return total
