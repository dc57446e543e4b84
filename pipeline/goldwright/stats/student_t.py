"""Quantiles of Student's t distribution."""

from math import atan, cos, pi, sin, sqrt
from typing import Final

# 2,000,000 / 2^100 is about 2e-24, below the resolution of any quantile that matters.
_BISECTIONS: Final = 100
_LARGEST: Final = 1e6


def student_quantile(probability: float, freedom: int) -> float:
    """Find the point below which a value of Student's t falls with a given probability.

    The distribution function is the finite trigonometric series for whole degrees of freedom; the
    point is found by bisection between -1,000,000 and 1,000,000.

    Source: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), formulas
    26.7.3 and 26.7.4.

    Args:
        probability: Between 0 and 1, both excluded.
        freedom: The degrees of freedom, 1 or more.

    Raises:
        ValueError: The probability or the degrees of freedom are out of range.
    """
    is_probability = 0 < probability < 1
    if not is_probability or freedom < 1:
        raise ValueError(
            f"no quantile of Student's t for {probability} and {freedom} degrees of freedom"
        )
    low, high = -_LARGEST, _LARGEST
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _distribution_function(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _distribution_function(t: float, freedom: int) -> float:
    theta = atan(t / sqrt(freedom))
    if freedom % 2:
        between = _central_probability_odd(theta, freedom)
    else:
        series = _series(cos(theta), freedom, first=1)
        between = sin(theta) * series
    return (1 + between) / 2


def _central_probability_odd(theta: float, freedom: int) -> float:
    """Compute P(-t < T < t) for odd degrees of freedom, negative for a negative t."""
    if freedom == 1:
        return 2 * theta / pi
    cosine = cos(theta)
    series = _series(cosine, freedom, first=2)
    scaled = theta + sin(theta) * cosine * series
    return 2 / pi * scaled


def _series(cosine: float, freedom: int, *, first: int) -> float:
    """Sum 1 + a / (a + 1) c^2 + a (a + 2) / ((a + 1) (a + 3)) c^4 + .., with a = ``first``.

    For even degrees of freedom a is 1 and the last power is c^(freedom - 2); for odd ones a is 2
    and the last power c^(freedom - 3).
    """
    total = term = 1.0
    squared = cosine * cosine
    for numerator in range(first, freedom - 2, 2):
        term *= squared * numerator / (numerator + 1)
        total += term
    return total
