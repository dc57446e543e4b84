"""The sum of standardised scores."""

from collections.abc import Sequence

import numpy as np

from goldwright.retrieval.fusions.port import Numbers, ScoreList
from goldwright.retrieval.hit_order import TIE_TOLERANCE


def add_z_scores(lists: Sequence[ScoreList], weights: Sequence[float]) -> Numbers:
    """Add weight x z(score) over all lists.

    z(x) = (x - mean) / standard deviation over all documents, or 0 where all have the same score.

    Source: M. Montague and J. Aslam, "Relevance Score Normalization for Metasearch" (CIKM 2001).
    """
    total = np.zeros(len(lists[0].scores))
    for listed, weight in zip(lists, weights, strict=True):
        if weight:
            total += weight * _standardised(listed.scores)
    return total


def _standardised(scores: Numbers) -> Numbers:
    if not len(scores):
        return scores
    deviation = float(scores.std())
    largest = float(np.abs(scores).max())
    # Scores that differ by less than a tie would be blown up to differences of several deviations.
    if deviation <= TIE_TOLERANCE * largest:
        return np.zeros(len(scores))
    standardised: Numbers = (scores - scores.mean()) / deviation
    return standardised
