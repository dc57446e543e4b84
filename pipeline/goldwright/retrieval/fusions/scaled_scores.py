"""The weighted sum of scores between 0 and 1."""

from collections.abc import Sequence

import numpy as np

from goldwright.retrieval.fusions.port import Numbers, ScoreList


def add_scaled_scores(lists: Sequence[ScoreList], weights: Sequence[float]) -> Numbers:
    """Add weight x (score - lowest) / (highest - lowest) over all lists.

    Source: CombSUM over min-max scores, E. Fox and J. Shaw, "Combination of Multiple Searches"
    (TREC-2, 1994).
    """
    total = np.zeros(len(lists[0].scores))
    for listed, weight in zip(lists, weights, strict=True):
        if weight and len(listed.scores):
            lowest = listed.scores.min()
            span = listed.scores.max() - lowest
            if span:
                total += weight * (listed.scores - lowest) / span
    return total
