"""Weights of a fusion that are learned where they are not judged: leave one repository out."""

from collections.abc import Mapping
from math import fsum
from operator import itemgetter
from typing import Final

# The weights that are tried. 0 is BM25 alone; beyond 3 the list is the dense one.
GRID: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)


def learn_weights(
    means: Mapping[str, Mapping[float, float]],
) -> Mapping[str, float]:
    """Choose for each repository the weight with the best macro mean over the others.

    Among weights with the same mean, the one nearest to 1 is taken.

    Args:
        means: By repository and weight the mean of the measure; at least two repositories.
    """
    chosen = {}
    for left_out in means:
        other_means = [by_weight for name, by_weight in means.items() if name != left_out]
        rated = []
        for weight in means[left_out]:
            total = fsum(by_weight[weight] for by_weight in other_means)
            average = total / len(other_means)
            closeness = -abs(weight - 1)
            rated.append((average, closeness, weight))
        _, _, best_weight = max(rated, key=itemgetter(0, 1))
        chosen[left_out] = best_weight
    return chosen
