"""Intervals from resampling, for means of which one would rather assume nothing."""

from collections.abc import Mapping, Sequence
from math import ceil, fsum
from random import Random
from statistics import NormalDist
from typing import Final

DRAWS: Final = 2_000
# Beyond so many values a bootstrap says what Student's interval says, and costs more than all the
# rest.
MOST_VALUES: Final = 1_000

_NORMAL: Final = NormalDist()


def bootstrap_means(
    columns: Mapping[str, Sequence[float]], *, seed: int, confidence: float = 0.95
) -> Mapping[str, tuple[float, float] | None]:
    """Give the bias-corrected and accelerated bootstrap interval of the mean of each column.

    All columns are of the same units (queries, say), which are drawn together. An interval is None
    for fewer than two or more than a thousand units, and where all values are equal, since there is
    nothing to resample.

    Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185.

    Args:
        columns: Values by name, one a unit.
        seed: Chooses the draws.
        confidence: How often the interval is to cover the mean.
    """
    n = len(next(iter(columns.values()), ()))
    if not 1 < n <= MOST_VALUES:
        return dict.fromkeys(columns)
    chance = Random(seed)  # noqa: S311  # draws samples, no secret
    drawn = [chance.choices(range(n), k=n) for _ in range(DRAWS)]
    return {name: _interval(values, drawn, confidence) for name, values in columns.items()}


def _interval(
    values: Sequence[float], drawn: Sequence[Sequence[int]], confidence: float
) -> tuple[float, float] | None:
    if len(set(values)) == 1:
        return None
    n = len(values)
    mean = fsum(values) / n
    means = sorted(sum(map(values.__getitem__, places)) / n for places in drawn)
    below = sum(one < mean for one in means) + sum(one == mean for one in means) / 2
    # A share of 0 or 1 would put the correction at infinity.
    shift = _NORMAL.inv_cdf(min(max(below / len(means), 0.5 / len(means)), 1 - 0.5 / len(means)))
    deviations = [one - mean for one in values]
    skew = fsum(one**3 for one in deviations) / (6 * fsum(one**2 for one in deviations) ** 1.5)
    ends = (_NORMAL.inv_cdf((1 - confidence) / 2), _NORMAL.inv_cdf((1 + confidence) / 2))
    low, high = (_NORMAL.cdf(shift + (shift + end) / (1 - skew * (shift + end))) for end in ends)
    return _quantile(means, low), _quantile(means, high)


def _quantile(rising: Sequence[float], share: float) -> float:
    return rising[min(max(ceil(share * len(rising)) - 1, 0), len(rising) - 1)]
