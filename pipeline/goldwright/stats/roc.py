"""How well a score tells right from wrong: the area under the ROC curve, and how sure one can be of
it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log, sqrt
from statistics import NormalDist, variance
from typing import Final

from goldwright.stats.isotonic import Points, check_points

LEVEL: Final = 0.95
_TAIL: Final = (1 - LEVEL) / 2
_FURTHEST: Final = NormalDist().inv_cdf(1 - _TAIL)


@dataclass(frozen=True, slots=True)
class Discrimination:
    """The chance that a right answer has a higher score than a wrong one, ties counted half.

    Attributes:
        right: The right answers.
        wrong: The wrong ones.
        auroc: The area under the ROC curve, in 0..1; None where all answers are right or all wrong.
        interval: Its 95 % interval, within 0..1; None where there is no area.
        standard_error: DeLong's; None where either class has one answer only.
    """

    right: int
    wrong: int
    auroc: float | None
    interval: tuple[float, float] | None
    standard_error: float | None


def discrimination(points: Points) -> Discrimination:
    """Measure how well a score tells right from wrong.

    AUROC = the mean over pairs of a right and a wrong answer of 1 where the right one has the
    higher score, 1/2 where they tie, else 0. DeLong's variance is var(V) / right + var(W) / wrong,
    with V the mean of a right answer's pairs and W that of a wrong one's. The interval is taken on
    the scale of logit AUROC and carried back.

    Where that variance tells nothing, because it is 0 or a class has one answer only, the interval
    rests on the m = min(right, wrong) independent pairs that answers make: all of them right (AUROC
    = 1) have chance A^m, so A is at least .025^(1/m), and likewise for 0; elsewhere A lies within
    sqrt(ln(2 / .05) / 2m) of the AUROC. These cover 95 % or more however few the answers.

    Source: E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach", Biometrics
    44 (1988), 837-845; the scale: M. S. Pepe, "The Statistical Evaluation of Medical Tests for
    Classification and Prediction" (2003), chapter 5; the bound: W. Hoeffding, "Probability
    inequalities for sums of bounded random variables", JASA 58 (1963), 13-30, part 5.

    Raises:
        ValueError: A score is not in 0..1.
    """
    check_points(points)
    rights = sorted(score for score, right in points if right)
    wrongs = sorted(score for score, right in points if not right)
    if not rights or not wrongs:
        return Discrimination(len(rights), len(wrongs), None, None, None)
    of_rights = _shares_below(rights, wrongs)
    of_wrongs = [1 - share for share in _shares_below(wrongs, rights)]
    area = fsum(of_rights) / len(of_rights)
    error = _error(of_rights, of_wrongs)
    interval = _interval(area, error, min(len(rights), len(wrongs)))
    return Discrimination(len(rights), len(wrongs), area, interval, error)


def power_to_see(area: float, right: int, wrong: int) -> float:
    """Give the chance that the interval of so many answers lies above 1/2 when the true area is
    this one, in 0..1.

    It is P(Z <= (A - 1/2) / se - 1.96), with se^2 = (A (1 - A) + (right - 1) (Q1 - A^2) + (wrong -
    1) (Q2 - A^2)) / (right wrong), Q1 = A / (2 - A) and Q2 = 2 A^2 / (1 + A). 0 where a class has
    fewer than two answers.

    Source: J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver
    operating characteristic (ROC) curve", Radiology 143 (1982), 29-36.

    Raises:
        ValueError: The area is not between 1/2 and 1.
    """
    if not 0.5 < area < 1:
        raise ValueError(f"an area that can be seen lies between 1/2 and 1, and {area} does not")
    if min(right, wrong) < 2:
        return 0.0
    two_rights, two_wrongs = area / (2 - area), 2 * area**2 / (1 + area)
    squared = (
        area * (1 - area)
        + (right - 1) * (two_rights - area**2)
        + (wrong - 1) * (two_wrongs - area**2)
    )
    return NormalDist().cdf((area - 0.5) / sqrt(squared / (right * wrong)) - _FURTHEST)


def _shares_below(ones: Sequence[float], others: Sequence[float]) -> list[float]:
    """For each of the ones, the share of the sorted others that lie below, equal ones counted half."""
    return [
        (bisect_left(others, one) + bisect_right(others, one)) / (2 * len(others)) for one in ones
    ]


def _error(of_rights: Sequence[float], of_wrongs: Sequence[float]) -> float | None:
    if min(len(of_rights), len(of_wrongs)) < 2:
        return None
    return sqrt(variance(of_rights) / len(of_rights) + variance(of_wrongs) / len(of_wrongs))


def _interval(area: float, error: float | None, pairs: int) -> tuple[float, float]:
    if area in (0.0, 1.0):
        least = _TAIL ** (1 / pairs)
        return (least, 1.0) if area else (0.0, 1 - least)
    if not error:
        reach = sqrt(log(1 / _TAIL) / (2 * pairs))
        return max(0.0, area - reach), min(1.0, area + reach)
    middle, reach = log(area / (1 - area)), _FURTHEST * error / (area * (1 - area))
    return _expit(middle - reach), _expit(middle + reach)


def _expit(value: float) -> float:
    return 1 / (1 + exp(-value)) if value > 0 else exp(value) / (1 + exp(value))
