"""Student's t distribution, for means whose spread is known from few values only."""

from math import atan, cos, pi, sin, sqrt
from typing import Final

_HALVINGS: Final = 100
_FURTHEST: Final = 1e6


def student_quantile(probability: float, freedom: int) -> float:
    """Find the point below which a value of Student's t falls with that probability; 0 for one
    half.

    The distribution function is the finite trigonometric series for whole degrees of freedom; the
    point is found by halving between -1,000,000 and 1,000,000.

    Source: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), formulas
    26.7.3 and 26.7.4.

    Args:
        probability: Between 0 and 1, both excluded.
        freedom: The degrees of freedom, 1 or more.

    Raises:
        ValueError: The probability or the degrees of freedom are out of range.
    """
    if not 0 < probability < 1 or freedom < 1:
        raise ValueError(
            f"no quantile of Student's t for {probability} and {freedom} degrees of freedom"
        )
    low, high = -_FURTHEST, _FURTHEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def _below(point: float, freedom: int) -> float:
    angle = atan(point / sqrt(freedom))
    between = (
        _between_odd(angle, freedom)
        if freedom % 2
        else sin(angle) * _series(cos(angle), 1, freedom)
    )
    return (1 + between) / 2


def _between_odd(angle: float, freedom: int) -> float:
    if freedom == 1:
        return 2 * angle / pi
    return 2 / pi * (angle + sin(angle) * cos(angle) * _series(cos(angle), 2, freedom))


def _series(cosine: float, first: int, freedom: int) -> float:
    """Sum 1 + a / (a + 1) c^2 + a (a + 2) / ((a + 1) (a + 3)) c^4 + .., with a the first, below
    c^(freedom - 1).
    """
    total = term = 1.0
    for numerator in range(first, freedom - 2, 2):
        term *= cosine * cosine * numerator / (numerator + 1)
        total += term
    return total
