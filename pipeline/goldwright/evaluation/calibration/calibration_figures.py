"""How far a retriever's sufficiency scores keep what they promise: the figures.

A score is a promise: of the answers with a score of 0.8, 80 % should be right. What the figures
come to is judged in ``calibration_verdict`` and put into words in ``calibration_finding``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, fsum
from statistics import NormalDist
from typing import Final

from goldwright.errors import InputError
from goldwright.stats.calibration_bias import ScoreBias, mean_bias, power_to_see_bias
from goldwright.stats.calibration_error import CalibrationError, calibration_error
from goldwright.stats.certification import Certification, certify
from goldwright.stats.isotonic import BrierParts, CurvePoint, brier_parts, reliability_curve
from goldwright.stats.roc import Discrimination, discrimination, power_to_see
from goldwright.stats.routed_answers import RoutedAnswers, routed
from goldwright.stats.scored_points import Points, check_points

# The levels of the two tests of calibration. Together they make 5 %: calibrated scores are found
# fault with in one case of twenty. The bias has most of it, as what is looked for first.
BIAS_LEVEL: Final = 0.04
ERROR_LEVEL: Final = 0.01
# The level of a test that stands by itself, and of one-sided bounds: the customary 5 %.
LEVEL: Final = 0.05
# The power that a test should have, by custom 80 %: what is looked for shows four times in five.
POWER: Final = 0.8
# The bias that matters. 60 answers, as many as a batch of phase 1 has queries, show it about three
# times in four where scores lie near 0.8; a smaller one would ask for more answers than there are.
BIAS_TO_SEE: Final = 0.15
# The AUROC that matters; from 0.7 on, discrimination is commonly called acceptable (D. W. Hosmer
# and S. Lemeshow, "Applied Logistic Regression", 2000, 5.2.4).
AREA_TO_SEE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that is known of how far scores keep what they promise.

    Attributes:
        n: The answers that have a score.
        curve: The rate of right answers at each score, with its 90 % consistency band; by rising
            score.
        brier: The Brier score and its parts; None without answers.
        bias: The rate of right answers less the mean score, with its tests; None without answers.
        bias_power: The chance that a bias of 0.15 would have been shown, in 0..1.
        bias_wants: About how many answers with such scores show a bias of 0.15 four times in five;
            None where all scores are 0 or 1, or there are none.
        error: The calibration error in bins, and what calibrated scores would show; None below two
            answers.
        discrimination: How well the score separates right answers from wrong ones.
        discrimination_power: The chance that an AUROC of 0.7 would have been shown to differ from
            0.5, in 0..1.
        routed: ``answer_correctness@T``: the answers whose score is at least the threshold.
        routed_bias: The bias of those alone; None where there are none.
        certification: The lowest threshold that is shown to keep the target rate, if any.
    """

    n: int
    curve: tuple[CurvePoint, ...]
    brier: BrierParts | None
    bias: ScoreBias | None
    bias_power: float
    bias_wants: int | None
    error: CalibrationError | None
    discrimination: Discrimination
    discrimination_power: float
    routed: RoutedAnswers
    routed_bias: ScoreBias | None
    certification: Certification


def calibrate(
    points: Points, *, threshold: float, target: float | None = None, seed: int
) -> Calibration:
    """Compare scores with the outcomes of their answers.

    Args:
        points: The score of each answer, in 0..1, and whether the answer is right; in any order.
        threshold: The score from which answers are routed, in 0..1.
        target: The rate of right answers that a threshold is to be certified for, between 0 and 1;
            by default the threshold, since that is the rate that scores above it promise.
        seed: Chooses the draws of the resampling.

    Raises:
        InputError: A score, the threshold or the target is out of range.
    """
    certified_rate = threshold if target is None else target
    _check_ranges(points, threshold, certified_rate)
    scores = [score for score, _ in points]
    routed_points = [point for point in points if point[0] >= threshold]
    curve = reliability_curve(points, seed=seed)
    separation = discrimination(points)
    area_power = power_to_see(AREA_TO_SEE, separation.right, separation.wrong)
    return Calibration(
        n=len(points),
        curve=curve,
        brier=brier_parts(curve),
        bias=mean_bias(points),
        bias_power=power_to_see_bias(scores, BIAS_TO_SEE, level=BIAS_LEVEL),
        bias_wants=_answers_to_see_bias(scores),
        error=calibration_error(points, seed=seed),
        discrimination=separation,
        discrimination_power=area_power,
        routed=routed(points, threshold),
        routed_bias=mean_bias(routed_points),
        certification=certify(points, certified_rate),
    )


def _check_ranges(points: Points, threshold: float, target: float) -> None:
    try:
        check_points(points)
    except ValueError as error:
        raise InputError(f"calibration: {error}") from error
    if not 0 <= threshold <= 1:
        raise InputError(f"threshold: wanted a score from 0 to 1; found {threshold}")
    if not 0 < target < 1:
        raise InputError(
            f"target: wanted a rate between 0 and 1 to certify a threshold for; found {target}"
        )


def _answers_to_see_bias(scores: Sequence[float]) -> int | None:
    """Estimate how many answers with such scores show the bias that matters.

    This is the sample size of a two-sided z-test of a mean, (z(1 - level/2) + z(power))^2 times
    variance over bias squared, with the variance that outcomes of calibrated scores have.
    """
    variances = [score * (1 - score) for score in scores]
    total_variance = fsum(variances)
    if not total_variance:
        return None
    variance = total_variance / len(scores)
    quantile = NormalDist().inv_cdf
    upper_share = 1 - BIAS_LEVEL / 2
    standard_errors = quantile(upper_share) + quantile(POWER)
    return ceil(variance * (standard_errors / BIAS_TO_SEE) ** 2)
