"""Bias-corrected and accelerated (BCa) bootstrap intervals of means."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import ceil, fsum
from random import Random
from statistics import NormalDist
from typing import Final

RESAMPLES: Final = 2_000
# Beyond this many values the interval agrees with Student's, and it would take longer to compute
# than the rest of an evaluation.
MOST_VALUES: Final = 1_000

_NORMAL: Final = NormalDist()


def bootstrap_means(
    columns: Mapping[str, Sequence[float]], *, seed: int, confidence: float = 0.95
) -> Mapping[str, tuple[float, float] | None]:
    """Compute the BCa bootstrap interval of the mean of each column.

    The columns hold values of the same units (such as queries), which are resampled together. An
    interval is None where there is nothing to resample: for fewer than two units and for equal
    values; also for more than a thousand units.

    Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185.

    Args:
        columns: Values by name, one value per unit.
        seed: Determines the resamples.
        confidence: The share of intervals that cover the true mean, between 0 and 1.
    """
    first_column = next(iter(columns.values()), ())
    n = len(first_column)
    if not 1 < n <= MOST_VALUES:
        return dict.fromkeys(columns)
    random = Random(seed)  # noqa: S311  # draws samples, no secret
    units = range(n)
    resamples = [random.choices(units, k=n) for _ in range(RESAMPLES)]
    return {name: _bca_interval(values, resamples, confidence) for name, values in columns.items()}


def _bca_interval(
    values: Sequence[float], resamples: Sequence[Sequence[int]], confidence: float
) -> tuple[float, float] | None:
    """Compute the interval of one column; a resample holds the indices of its values."""
    if len(set(values)) == 1:
        return None
    n = len(values)
    mean = fsum(values) / n
    value_at = values.__getitem__
    # The hot line: ``map`` looks the values up and ``sum`` adds them without a loop in Python.
    means = sorted(sum(map(value_at, indices)) / n for indices in resamples)
    bias_correction = _bias_correction(means, mean)
    acceleration = _acceleration(values, mean)
    lower_tail = (1 - confidence) / 2
    upper_tail = (1 + confidence) / 2
    lower_level = _adjusted_level(lower_tail, bias_correction, acceleration)
    upper_level = _adjusted_level(upper_tail, bias_correction, acceleration)
    return _quantile(means, lower_level), _quantile(means, upper_level)


def _bias_correction(sorted_means: Sequence[float], mean: float) -> float:
    """Compute z_0, the normal quantile of the share of resampled means below the observed mean."""
    count = len(sorted_means)
    below = bisect_left(sorted_means, mean)
    equal = bisect_right(sorted_means, mean) - below
    share = (below + equal / 2) / count
    # A share of 0 or 1 would make the correction infinite; half a resample is the least step.
    margin = 0.5 / count
    clipped = min(max(share, margin), 1 - margin)
    return _NORMAL.inv_cdf(clipped)


def _acceleration(values: Sequence[float], mean: float) -> float:
    """Compute a, a sixth of the skewness of the mean."""
    squares: list[float] = []
    cubes: list[float] = []
    for value in values:
        deviation = value - mean
        squares.append(deviation**2)
        cubes.append(deviation**3)
    scale: float = 6 * fsum(squares) ** 1.5
    return fsum(cubes) / scale


def _adjusted_level(level: float, bias_correction: float, acceleration: float) -> float:
    """Compute Phi(z_0 + (z_0 + z) / (1 - a (z_0 + z))), with z the normal quantile of a level."""
    shifted = bias_correction + _NORMAL.inv_cdf(level)
    scaled = shifted / (1 - acceleration * shifted)
    return _NORMAL.cdf(bias_correction + scaled)


def _quantile(sorted_values: Sequence[float], level: float) -> float:
    count = len(sorted_values)
    # The smallest value with at least this share of the values at or below it, counted from 1.
    rank = ceil(level * count)
    return sorted_values[min(max(rank, 1), count) - 1]
