"""Ranks in a list of which some documents have the same score."""

import numpy as np

from goldwright.retrieval.fusions.port import Numbers, ScoreList


def falling_ranks(listed: ScoreList) -> Numbers:
    """Rank the documents of a list from 1; those of equal score share the mean of their ranks."""
    _, group_of, sizes = np.unique(-listed.scores, return_inverse=True, return_counts=True)
    last_of_group = np.cumsum(sizes)
    mean_ranks: Numbers = last_of_group - (sizes - 1) / 2
    ranks: Numbers = mean_ranks[group_of]
    return ranks
