"""Whether a retriever's sufficiency scores can be relied on, and what the answer rests on."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, fsum
from statistics import NormalDist
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.calibration_bias import ScoreBias, mean_bias, power_to_see_bias
from goldwright.stats.calibration_error import CalibrationError, calibration_error
from goldwright.stats.certification import Certification, certify
from goldwright.stats.isotonic import BrierParts, CurvePoint, brier_parts, reliability_curve
from goldwright.stats.roc import Discrimination, discrimination, power_to_see
from goldwright.stats.routed_answers import RoutedAnswers, routed
from goldwright.stats.scored_points import Points, check_points

Verdict = Literal[
    "well calibrated",
    "over-confident",
    "under-confident",
    "miscalibrated",
    "uninformative",
    "too little data",
]

# Together 5 %: calibrated scores are found fault with in one case of twenty. The bias has most of
# it, as what is looked for first.
BIAS_LEVEL: Final = 0.04
ERROR_LEVEL: Final = 0.01
LEVEL: Final = 0.05
POWER: Final = 0.8
BIAS_TO_SEE: Final = 0.15
AREA_TO_SEE: Final = 0.7
NO_DISCRIMINATION: Final = 0.5


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that is known of how far scores keep what they say.

    Attributes:
        n: The answers that have a score.
        curve: The rate of right answers at each score, with its 90 % consistency band; by rising
            score.
        brier: The Brier score and its parts; None without answers.
        bias: The rate of right answers less the mean score, with its tests; None without answers.
        bias_power: The chance that a bias of 0.15 would have been shown, in 0..1.
        bias_wants: About how many answers with such scores show a bias of 0.15 four times in five;
            None where the scores do not tell.
        error: The calibration error in bins, and what calibrated scores would show; None below two
            answers.
        discrimination: How well the score tells right from wrong.
        discrimination_power: The chance that an AUROC of 0.7 would have been told from 0.5, in
            0..1.
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
    points: Points, *, threshold: float = 0.8, target: float | None = None, seed: int
) -> Calibration:
    """Hold scores against what became of their answers.

    Args:
        points: The score of each answer, in 0..1, and whether the answer is right; in any order.
        threshold: The score from which on answers are routed, in 0..1.
        target: The rate of right answers that a threshold is to be certified for, between 0 and 1;
            None takes the threshold, for that is what its scores say of themselves.
        seed: Settles the resampling.

    Raises:
        InputError: A score, the threshold or the target is out of range.
    """
    wanted = threshold if target is None else target
    _refuse(points, threshold, wanted)
    scores = [score for score, _ in points]
    curve = reliability_curve(points, seed=seed)
    told = discrimination(points)
    return Calibration(
        n=len(points),
        curve=curve,
        brier=brier_parts(curve),
        bias=mean_bias(points),
        bias_power=power_to_see_bias(scores, BIAS_TO_SEE, level=BIAS_LEVEL),
        bias_wants=_bias_wants(scores),
        error=calibration_error(points, seed=seed),
        discrimination=told,
        discrimination_power=power_to_see(AREA_TO_SEE, told.right, told.wrong),
        routed=routed(points, threshold),
        routed_bias=mean_bias([one for one in points if one[0] >= threshold]),
        certification=certify(points, wanted),
    )


def verdict(calibration: Calibration) -> Verdict:
    """Judge scores by what is shown of them, never by a figure alone.

    The first of these that holds. Uninformative: the interval of AUROC lies below 0.5, the scores
    are turned round. Over- or under-confident: the bias differs from 0 (p <= .04); or the
    calibration error is more than chance makes of it (p <= .01), and the bias of the routed answers
    differs from 0 (p <= .05). Uninformative: the interval of AUROC covers 0.5 although one of 0.7
    would have been told from that with a chance of 80 %. Miscalibrated: the calibration error is
    shown, but no direction of it. Well calibrated: AUROC is shown to be above 0.5, and a bias of
    0.15 would have been seen with a chance of 80 %. Too little data: the rest. Calibrated scores
    are called over-confident, under-confident or miscalibrated in about 5 % of cases at most.
    """
    if _is_turned_round(calibration):
        return "uninformative"
    shown = _shown_bias(calibration)
    if shown:
        return "over-confident" if shown.bias < 0 else "under-confident"
    if _is_blind(calibration):
        return "uninformative"
    if _error_is_shown(calibration):
        return "miscalibrated"
    if calibration.bias_power < POWER or not _is_informative(calibration):
        return "too little data"
    return "well calibrated"


def finding(calibration: Calibration) -> str:
    """Say in plain words what the scores are worth, and why: the verdict, a colon, and sentences."""
    told = verdict(calibration)
    reasons = {
        "over-confident": _over_confident,
        "under-confident": _under_confident,
        "miscalibrated": _miscalibrated,
        "uninformative": _uninformative,
        "too little data": _too_little,
        "well calibrated": _well_calibrated,
    }[told](calibration)
    return f"{told}: {' '.join([*reasons, *_refuted(calibration), _routed(calibration)])}"


def _refuse(points: Points, threshold: float, target: float) -> None:
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


def _bias_wants(scores: list[float]) -> int | None:
    variance = fsum(score * (1 - score) for score in scores)
    if not variance:
        return None
    normal = NormalDist()
    reach = normal.inv_cdf(1 - BIAS_LEVEL / 2) + normal.inv_cdf(POWER)
    return ceil(variance / len(scores) * (reach / BIAS_TO_SEE) ** 2)


def _shown_bias(one: Calibration) -> ScoreBias | None:
    if one.bias and one.bias.p_value <= BIAS_LEVEL:
        return one.bias
    if _error_is_shown(one) and one.routed_bias and one.routed_bias.p_value <= LEVEL:
        return one.routed_bias
    return None


def _error_is_shown(one: Calibration) -> bool:
    return one.error is not None and one.error.p_value <= ERROR_LEVEL


def _is_informative(one: Calibration) -> bool:
    interval = one.discrimination.interval
    return interval is not None and interval[0] > NO_DISCRIMINATION


def _is_turned_round(one: Calibration) -> bool:
    interval = one.discrimination.interval
    return interval is not None and interval[1] < NO_DISCRIMINATION


def _is_blind(one: Calibration) -> bool:
    covers = one.discrimination.interval is not None and not _is_informative(one)
    return covers and one.discrimination_power >= POWER


def _over_confident(one: Calibration) -> Iterator[str]:
    yield from _promise(one)
    if len(one.curve) == 1:
        yield "All scores are equal, so there is no threshold to raise."
        return
    best, now, routed = one.certification, one.routed.threshold, one.routed
    if routed.n and lower_bound(routed) >= best.target:
        yield (
            f"Still the threshold {now:g} can stay: {routed.right} of the {routed.n} answers that it routes are right, "
            f"which shows a rate of {best.target:g} or more (one-sided 95 %)."
        )
    elif best.threshold is None:
        yield f"Raise the threshold; to what cannot be said yet: {_none_certified(one)}"
    else:
        yield f"Raise the threshold to {best.threshold:.4g}: {_certified(best)}"
    if not _is_informative(one):
        yield f"{_area(one)}, so a higher threshold may not help."


def lower_bound(part: RoutedAnswers) -> float:
    """The one-sided 95 % lower bound of the rate of right answers at a threshold that was chosen
    beforehand.
    """
    return clopper_pearson(part.right, part.n, confidence=1 - 2 * LEVEL)[0]


def _under_confident(one: Calibration) -> Iterator[str]:
    yield from _promise(one)
    best = one.certification
    if best.threshold is not None and best.n > one.routed.n:
        yield f"The threshold can be lowered to {best.threshold:.4g}: {_certified(best)}"
    if not _is_informative(one):
        yield f"{_area(one)}."


def _miscalibrated(one: Calibration) -> Iterator[str]:
    if one.error:
        yield f"the scores do not keep what they say (calibration test over {_bins(one.error)},"
        yield f"{_p(one.error.p_value)}),"
        yield "but neither on the whole nor among the routed answers is it shown that they say too much or too little."
    yield "See where the curve leaves its band."


def _uninformative(one: Calibration) -> Iterator[str]:
    if _is_turned_round(one):
        yield f"the scores are turned round, for wrong answers have higher ones ({_area(one)})."
        yield from map(str.capitalize, _promise(one))
        return
    if len(one.curve) == 1:
        yield f"all scores are equal. {_no_bias(one)}"
    else:
        chance = _percent(one.discrimination_power)
        yield f"{_area(one)}, though one of {AREA_TO_SEE} would have been told from that with a chance of {chance}."
    yield "No threshold helps with such a score."


def _too_little(one: Calibration) -> Iterator[str]:
    if not one.bias:
        yield "no answer has a score."
        return
    yield f"{_answers(one.n)}. {_no_bias(one)}"
    if one.bias_power < POWER:
        wants = (
            f"; about {one.bias_wants} answers would do" if (one.bias_wants or 0) > one.n else ""
        )
        yield f"A bias of {BIAS_TO_SEE} would have been seen with a chance of {_percent(one.bias_power)} only{wants}."
    if one.discrimination.auroc is None:
        kind = "right" if one.discrimination.right else "wrong"
        yield f"All answers are {kind}, so nothing can be said of how the score tells right from wrong."
    elif not _is_informative(one) and len(one.curve) > 1:
        chance = _percent(one.discrimination_power)
        yield f"{_area(one)}; one of {AREA_TO_SEE} would have been told from that with a chance of {chance} only."


def _well_calibrated(one: Calibration) -> Iterator[str]:
    if one.bias:
        yield f"{_rates(one.bias, 'all')} ({_p(one.bias.p_value)});"
        yield f"a bias of {BIAS_TO_SEE} would have been seen with a chance of {_percent(one.bias_power)}."
    if one.error:
        yield f"Nor does the calibration test over {_bins(one.error)} show any fault ({_p(one.error.p_value)})."
    yield f"{_area(one)}."


def _promise(one: Calibration) -> Iterator[str]:
    shown = _shown_bias(one)
    if not shown:
        return
    where = "all" if shown is one.bias else "the routed"
    yield f"{_rates(shown, where)} (bias {shown.bias:+.2f}, {_p(shown.p_value)})."


def _no_bias(one: Calibration) -> str:
    return (
        f"No bias is shown ({one.bias.bias:+.2f}, {_p(one.bias.p_value)})."
        if one.bias
        else "There is no answer."
    )


def _rates(bias: ScoreBias, which: str) -> str:
    right = round(bias.rate * bias.n)
    return f"of {which} {bias.n} answers {right} are right ({bias.rate:.2f}), where the scores say {bias.mean_score:.2f}"


def _refuted(one: Calibration) -> Iterator[str]:
    if one.error and one.error.refuted:
        yield f"Scores of exactly 0 or 1 leave no doubt, yet {_answers(one.error.refuted)} went against theirs."


def _routed(one: Calibration) -> str:
    part = one.routed
    name = f"answer_correctness@{part.threshold:g}"
    if part.share is None:
        return f"{name}: no answer has a score as high."
    low, high = part.interval
    coverage = f"{_percent(part.n / one.n)} of {_answers(one.n)}"
    said = f"{name} = {part.share:.3f} [{low:.2f}, {high:.2f}]: {part.right} of {part.n} routed; coverage {coverage}."
    if part.share >= part.threshold:
        return said
    as_few = f"At a true rate of {part.threshold:g} so few are right in {_percent(part.shortfall_p)} of cases"
    if part.shortfall_p > LEVEL:
        return f"{said} {as_few}, so that alone does not show over-confidence."
    return f"{said} {as_few}."


def _certified(best: Certification) -> str:
    return (
        f"of the answers from there on {best.right} of {best.n} are right, "
        f"which shows a rate of {best.target:g} or more (one-sided 95 %)."
    )


def _none_certified(one: Calibration) -> str:
    best = one.certification
    if one.n < best.needed:
        return f"to show a rate of {best.target:g} takes {best.needed} answers, all of them right, or more."
    return f"no threshold is shown to keep a rate of {best.target:g} (one-sided 95 %)."


def _area(one: Calibration) -> str:
    area, interval = one.discrimination.auroc, one.discrimination.interval
    if area is None or interval is None:
        return "Whether the score tells right from wrong is not shown, for all answers are alike"
    shown = (
        "AUROC is"
        if _is_informative(one) or _is_turned_round(one)
        else "AUROC is not shown to differ from 0.5:"
    )
    return f"{shown} {area:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count} answers"


def _bins(error: CalibrationError) -> str:
    return "1 bin" if error.bins == 1 else f"{error.bins} bins"


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.2g}"


def _percent(value: float) -> str:
    if 0 < value < 0.01:
        return "less than 1 %"
    return "more than 99 %" if 0.99 < value < 1 else f"{100 * value:.0f} %"
