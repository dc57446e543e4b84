"""The verdict on sufficiency scores, by what is shown of them and never by a figure alone."""

from typing import Final, Literal

from goldwright.evaluation.calibration.calibration_figures import (
    BIAS_LEVEL,
    ERROR_LEVEL,
    LEVEL,
    POWER,
    Calibration,
)
from goldwright.stats.calibration_bias import ScoreBias

Verdict = Literal[
    "well calibrated",
    "over-confident",
    "withheld",
    "under-confident",
    "miscalibrated",
    "uninformative",
    "these data cannot tell",
]

# The AUROC of a score that tells nothing: a right answer has the higher score half of the time.
NO_DISCRIMINATION: Final = 0.5
# A score below this AUROC routes nothing better than chance does by a margin that anybody would
# notice. That no discrimination is shown is another matter: few answers never show any.
HELPFUL_AREA: Final = 0.55


def judge_calibration(calibration: Calibration, *, is_lower_bound: bool = False) -> Verdict:
    """Judge scores; the first verdict that holds counts.

    1. Uninformative: the interval of AUROC lies below 0.5, so wrong answers have higher scores.
    2. Over- or under-confident: a bias is shown, see ``shown_bias``.
    3. Uninformative: AUROC is shown to be below 0.55, so that no threshold can help; or all scores
       are equal, and an AUROC of 0.7 would have shown with a chance of 80 %.
    4. Miscalibrated: the calibration error is shown, but no direction of it.
    5. Well calibrated: AUROC is shown to be above 0.5, and a bias of 0.15 would have been seen with
       a chance of 80 %.
    6. These data cannot tell: everything else.

    Calibrated scores are called over-confident, under-confident or miscalibrated in about 5 % of
    cases at most, and uninformative in 2 %.

    Args:
        calibration: The figures.
        is_lower_bound: Whether right answers may count as wrong. Fewer right answers than the
            scores promise then show nothing of the scores: the verdict is withheld where it would
            be over-confident.
    """
    # First, since advice on a threshold would make inverted scores worse.
    if is_inverted(calibration):
        return "uninformative"
    bias = shown_bias(calibration)
    if bias is not None:
        return _judge_bias(bias, is_lower_bound=is_lower_bound)
    if _lacks_discrimination(calibration):
        return "uninformative"
    if _has_shown_error(calibration):
        return "miscalibrated"
    if calibration.bias_power >= POWER and is_informative(calibration):
        return "well calibrated"
    return "these data cannot tell"


def shown_bias(calibration: Calibration) -> ScoreBias | None:
    """The bias that is shown: of all answers (p <= .04), or of the routed ones.

    That of the routed answers (p <= .05) counts only beside a calibration error that is more than
    chance makes of it (p <= .01), so that the second look costs no further false alarms.
    """
    bias = calibration.bias
    if bias is not None and bias.p_value <= BIAS_LEVEL:
        return bias
    routed_bias = calibration.routed_bias
    if routed_bias is None or routed_bias.p_value > LEVEL:
        return None
    if not _has_shown_error(calibration):
        return None
    return routed_bias


def is_informative(calibration: Calibration) -> bool:
    """Whether right answers are shown to have higher scores than wrong ones."""
    interval = calibration.discrimination.interval
    return interval is not None and interval[0] > NO_DISCRIMINATION


def is_inverted(calibration: Calibration) -> bool:
    """Whether wrong answers are shown to have higher scores than right ones."""
    interval = calibration.discrimination.interval
    return interval is not None and interval[1] < NO_DISCRIMINATION


def _judge_bias(bias: ScoreBias, *, is_lower_bound: bool) -> Verdict:
    if bias.bias >= 0:
        return "under-confident"
    if is_lower_bound:
        return "withheld"
    return "over-confident"


def has_one_score(calibration: Calibration) -> bool:
    """Whether all answers have the same score; the curve has a point for each score."""
    return len(calibration.curve) == 1


def _lacks_discrimination(calibration: Calibration) -> bool:
    """Whether it is shown that the scores hardly tell right answers from wrong ones."""
    interval = calibration.discrimination.interval
    if interval is None:
        return False
    if has_one_score(calibration):
        return calibration.discrimination_power >= POWER
    return interval[1] < HELPFUL_AREA


def _has_shown_error(calibration: Calibration) -> bool:
    error = calibration.error
    return error is not None and error.p_value <= ERROR_LEVEL
