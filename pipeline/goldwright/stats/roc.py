"""Discrimination of right from wrong answers by their score: the area under the ROC curve."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log, sqrt
from statistics import NormalDist, variance
from typing import Final

from goldwright.stats.scored_points import Points, check_points

LEVEL: Final = 0.95
_TAIL: Final = (1 - LEVEL) / 2
_CRITICAL_Z: Final = NormalDist().inv_cdf(1 - _TAIL)


@dataclass(frozen=True, slots=True)
class Discrimination:
    """The probability that a right answer has a higher score than a wrong one.

    Attributes:
        right: The number of right answers.
        wrong: The number of wrong ones.
        auroc: The area under the ROC curve, in 0..1, ties counted half; None where all answers are
            right or all wrong.
        interval: Its 95 % interval, within 0..1; None where there is no area.
        standard_error: DeLong's; None where either class has fewer than two answers.
    """

    right: int
    wrong: int
    auroc: float | None
    interval: tuple[float, float] | None
    standard_error: float | None


def discrimination(points: Points) -> Discrimination:
    """Measure how well a score discriminates right from wrong answers.

    AUROC = the mean over pairs of a right and a wrong answer of 1 where the right one has the
    higher score, 1/2 where they tie, else 0. DeLong's variance is var(V) / right + var(W) / wrong,
    with V the mean of a right answer's pairs and W that of a wrong one's. The interval is computed
    on the scale of logit AUROC and transformed back.

    Where that variance is useless, because it is 0 or a class has one answer only, the interval
    rests on the m = min(right, wrong) independent pairs that the answers make. All of them in
    order (AUROC = 1) have probability A^m, so A is at least .025^(1/m), and likewise for AUROC = 0;
    otherwise A lies within sqrt(ln(2 / .05) / 2m) of the AUROC. These intervals cover 95 % or more
    however few the answers.

    Source: E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach", Biometrics
    44 (1988), 837-845; the scale: M. S. Pepe, "The Statistical Evaluation of Medical Tests for
    Classification and Prediction" (2003), chapter 5; the bound: W. Hoeffding, "Probability
    inequalities for sums of bounded random variables", JASA 58 (1963), 13-30, part 5.

    Raises:
        ValueError: A score is not in 0..1.
    """
    check_points(points)
    right_scores, wrong_scores = _sorted_scores_by_outcome(points)
    right = len(right_scores)
    wrong = len(wrong_scores)
    if not right or not wrong:
        return Discrimination(right, wrong, None, None, None)
    right_placements = _shares_below(right_scores, wrong_scores)
    wrong_placements = [1 - share for share in _shares_below(wrong_scores, right_scores)]
    auroc = fsum(right_placements) / right
    standard_error = _delong_error(right_placements, wrong_placements)
    interval = _interval(auroc, standard_error, min(right, wrong))
    return Discrimination(right, wrong, auroc, interval, standard_error)


def power_to_see(area: float, right: int, wrong: int) -> float:
    """Compute the probability that the interval lies above 1/2 if this is the true area, in 0..1.

    It is P(Z <= (A - 1/2) / se - 1.96), with se^2 = (A (1 - A) + (right - 1) (Q1 - A^2) + (wrong -
    1) (Q2 - A^2)) / (right wrong), Q1 = A / (2 - A) and Q2 = 2 A^2 / (1 + A). It is 0 where a
    class has fewer than two answers.

    Source: J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver
    operating characteristic (ROC) curve", Radiology 143 (1982), 29-36.

    Raises:
        ValueError: The area is not between 1/2 and 1.
    """
    if not 0.5 < area < 1:
        raise ValueError(f"an area that can be seen lies between 1/2 and 1, and {area} does not")
    if min(right, wrong) < 2:
        return 0.0
    squared_area = area**2
    # Two right answers both above a wrong one (Q1), and a right one above two wrong ones (Q2).
    q1 = area / (2 - area)
    q2 = 2 * squared_area / (1 + area)
    between_rights = (right - 1) * (q1 - squared_area)
    between_wrongs = (wrong - 1) * (q2 - squared_area)
    own_variance = area * (1 - area)
    variance_of_pairs = own_variance + between_rights + between_wrongs
    standard_error = sqrt(variance_of_pairs / (right * wrong))
    z = (area - 0.5) / standard_error
    return NormalDist().cdf(z - _CRITICAL_Z)


def _sorted_scores_by_outcome(points: Points) -> tuple[list[float], list[float]]:
    right_scores: list[float] = []
    wrong_scores: list[float] = []
    for score, is_right in sorted(points):
        if is_right:
            right_scores.append(score)
        else:
            wrong_scores.append(score)
    return right_scores, wrong_scores


def _shares_below(scores: Sequence[float], sorted_references: Sequence[float]) -> list[float]:
    """Compute for each score the share of references below it, equal ones counted half."""
    doubled_count = 2 * len(sorted_references)
    shares: list[float] = []
    for score in scores:
        below = bisect_left(sorted_references, score)
        not_above = bisect_right(sorted_references, score)
        shares.append((below + not_above) / doubled_count)
    return shares


def _delong_error(
    right_placements: Sequence[float], wrong_placements: Sequence[float]
) -> float | None:
    right = len(right_placements)
    wrong = len(wrong_placements)
    if min(right, wrong) < 2:
        return None
    right_part = variance(right_placements) / right
    wrong_part = variance(wrong_placements) / wrong
    return sqrt(right_part + wrong_part)


def _interval(
    auroc: float, standard_error: float | None, independent_pairs: int
) -> tuple[float, float]:
    smallest = _TAIL ** (1 / independent_pairs)
    if auroc == 1:
        return smallest, 1.0
    if auroc == 0:
        return 0.0, 1 - smallest
    if not standard_error:
        log_inverse_tail = log(1 / _TAIL)
        margin = sqrt(log_inverse_tail / (2 * independent_pairs))
        low = max(0.0, auroc - margin)
        high = min(1.0, auroc + margin)
        return low, high
    # The derivative of logit A is 1 / (A (1 - A)): it carries the error over to that scale.
    complement = 1 - auroc
    logit = log(auroc / complement)
    margin = _CRITICAL_Z * standard_error / (auroc * complement)
    return _inverse_logit(logit - margin), _inverse_logit(logit + margin)


def _inverse_logit(value: float) -> float:
    # Each form is used where its exponential cannot overflow.
    if value > 0:
        return 1 / (1 + exp(-value))
    return exp(value) / (1 + exp(value))
