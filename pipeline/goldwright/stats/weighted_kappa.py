"""Agreement of two raters on an ordered scale."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Final

_DRAWS: Final = 2_000
_CUT: Final = 0.025

Grades = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WeightedAgreement:
    """How far two raters agree.

    Attributes:
        pairs: What both graded.
        exact: How many of these got the same grade twice.
        kappa: Weighted kappa, at most 1; None where no grade varies.
        interval: Its 95 % bootstrap interval; None where kappa is.
    """

    pairs: int
    exact: int
    kappa: float | None
    interval: tuple[float, float] | None


def compare_grades(grades: Sequence[Grades], *, seed: int) -> WeightedAgreement:
    """Compute quadratically weighted kappa, 1 - sum of (a - b)² over what chance would give.

    Source: J. Cohen, "Weighted kappa", Psychological Bulletin 70 (1968); the interval is the
    percentile bootstrap over pairs with 2,000 draws, without resamples in which nothing varies.

    Args:
        grades: For each item the grades of both raters.
        seed: Settles the draws.
    """
    exact = sum(first == second for first, second in grades)
    kappa = weighted_kappa(grades)
    if kappa is None:
        return WeightedAgreement(len(grades), exact, None, None)
    random = Random(seed)  # noqa: S311  # reproducible draws, no secret
    pool = sorted(grades)
    draws = (weighted_kappa(random.choices(pool, k=len(pool))) for _ in range(_DRAWS))
    kappas = sorted(draw for draw in draws if draw is not None)
    cut = int(len(kappas) * _CUT)
    return WeightedAgreement(len(grades), exact, kappa, (kappas[cut], kappas[-1 - cut]))


def weighted_kappa(grades: Sequence[Grades]) -> float | None:
    """Compute quadratically weighted kappa; None where chance alone would agree throughout."""
    n = len(grades)
    observed = sum((first - second) ** 2 for first, second in grades)
    firsts = Counter(first for first, _ in grades)
    seconds = Counter(second for _, second in grades)
    expected = 0
    for (first, first_count), (second, second_count) in product(firsts.items(), seconds.items()):
        expected += first_count * second_count * (first - second) ** 2
    if not expected:
        return None
    return 1 - observed * n / expected
