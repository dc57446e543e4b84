"""Two systems on the same queries: whether their difference could be chance, how large it is, and
what could show.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, sqrt
from random import Random
from typing import Final

from goldwright.stats.student_t import student_quantile

MOST_EXACT: Final = 14
DRAWS: Final = 9_999
LEVEL: Final = 0.95
POWER: Final = 0.8
# Sums that differ by less than this are one sum, for floats add up differently in another order.
_EQUAL: Final = 1e-12


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of the differences b - a over n queries, each in -1..1.

    ``interval`` is Student's 95 % one, None for fewer than two queries. ``p_value`` is the
    two-sided one of the sign-flip permutation test, and ``smallest_p`` the least that it could have
    been. ``smallest_detectable`` is the difference that this many queries, spread as these are,
    show at the level asked for with a power of 80 %; None where none could be shown, for all are
    equal, or too few differ for any p-value below the level. ``wins``, ``ties`` and ``losses``
    count queries from b's side.
    """

    n: int
    mean: float
    interval: tuple[float, float] | None
    p_value: float
    smallest_p: float
    smallest_detectable: float | None
    wins: int
    ties: int
    losses: int


def compare_pairs(
    differences: Sequence[float], *, seed: int, alpha: float = 1 - LEVEL
) -> PairedDifference:
    """Compare two systems by the differences of their values, one a query.

    The permutation test flips the signs of the differences, as is fair where neither system is
    better: all ways where at most 14 differ from 0, else 9,999 drawn ones, p = (1 + those as far
    from 0) / (1 + draws).

    Source: M. Smucker, J. Allan and B. Carterette, "A comparison of statistical significance tests
    for information retrieval evaluation", CIKM 2007; the detectable difference is (t(1 - alpha/2) +
    t(power)) sd / sqrt(n), after T. Sakai, "Laboratory Experiments in Information Retrieval"
    (2018).

    Args:
        differences: One a query, each in -1..1.
        seed: Chooses the draws.
        alpha: The level at which a difference counts as shown; below 5 % where several are tested
            together.

    Raises:
        ValueError: There is no difference to compare.
    """
    n = len(differences)
    if not n:
        raise ValueError("a comparison wants at least one query that both systems were asked")
    mean = fsum(differences) / n
    moving = [one for one in differences if abs(one) > _EQUAL]
    spread = sqrt(fsum((one - mean) ** 2 for one in differences) / (n - 1) / n) if n > 1 else 0.0
    reach = student_quantile((1 + LEVEL) / 2, n - 1) if n > 1 else 0.0
    least = min(
        1.0, max(2.0 ** (1 - len(moving)), 0.0 if len(moving) <= MOST_EXACT else 1 / (DRAWS + 1))
    )
    shown = (
        (student_quantile(1 - alpha / 2, n - 1) + student_quantile(POWER, n - 1)) * spread
        if moving and n > 1
        else None
    )
    return PairedDifference(
        n=n,
        mean=mean,
        interval=(mean - reach * spread, mean + reach * spread) if n > 1 else None,
        p_value=_flipped(moving, seed),
        smallest_p=least,
        smallest_detectable=None if shown is None or least > alpha or shown > 1 else shown,
        wins=sum(one > 0 for one in moving),
        ties=n - len(moving),
        losses=sum(one < 0 for one in moving),
    )


def _flipped(moving: Sequence[float], seed: int) -> float:
    if not moving:
        return 1.0
    seen = abs(fsum(moving)) - _EQUAL
    if len(moving) <= MOST_EXACT:
        sums = (
            abs(sum(sign * one for sign, one in zip(signs, moving, strict=True)))
            for signs in product((1, -1), repeat=len(moving))
        )
        return sum(one >= seen for one in sums) / (1 << len(moving))
    chance = Random(seed)  # noqa: S311  # flips signs, no secret
    # Eight differences at a time: a byte of chance chooses one of their 256 sums.
    columns = [
        map(_sums(moving[place : place + 8]).__getitem__, chance.randbytes(DRAWS))
        for place in range(0, len(moving), 8)
    ]
    far = sum(abs(total) >= seen for total in map(sum, zip(*columns, strict=True)))
    return (1 + far) / (1 + DRAWS)


def _sums(few: Sequence[float]) -> list[float]:
    """Sum at most eight values under all choices of their signs, and so often that a byte finds
    each as often.
    """
    sums = [0.0]
    for one in few:
        sums = [total + signed for total in sums for signed in (one, -one)]
    return sums * (256 // len(sums))
