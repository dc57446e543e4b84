"""What sufficiency scores are worth, in plain words: a verdict with its reasons and advice."""

from collections.abc import Iterator

from goldwright.evaluation.calibration.calibration_figures import (
    AREA_TO_SEE,
    BIAS_TO_SEE,
    LEVEL,
    POWER,
    Calibration,
)
from goldwright.evaluation.calibration.calibration_phrases import (
    auroc_clause,
    bounds,
    count_of,
    no_bias_sentence,
    p_value,
    percent,
    promised_rate,
    shown_bias_sentence,
)
from goldwright.evaluation.calibration.calibration_verdict import (
    HELPFUL_AREA,
    Verdict,
    has_one_score,
    is_informative,
    is_inverted,
    judge_calibration,
)
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.calibration_error import CalibrationError
from goldwright.stats.certification import Certification
from goldwright.stats.routed_answers import RoutedAnswers


def describe_calibration(calibration: Calibration, *, is_lower_bound: bool = False) -> str:
    """Explain the verdict on scores: the verdict, a colon, and sentences.

    Args:
        calibration: The figures.
        is_lower_bound: Whether right answers may count as wrong.
    """
    verdict = judge_calibration(calibration, is_lower_bound=is_lower_bound)
    reasons = _reasons(verdict, calibration)
    refutation = _refutation(calibration)
    routing = _routing(calibration)
    sentences = [*reasons, *refutation, routing]
    text = " ".join(sentences)
    return f"{verdict}: {text}"


def _reasons(verdict: Verdict, calibration: Calibration) -> Iterator[str]:
    match verdict:
        case "over-confident" | "withheld":
            return _too_few_right(verdict, calibration)
        case "under-confident":
            return _under_confident(calibration)
        case "miscalibrated":
            return _miscalibrated(calibration)
        case "uninformative":
            return _uninformative(calibration)
        case "these data cannot tell":
            return _too_little_data(calibration)
        case "well calibrated":
            return _well_calibrated(calibration)


def _too_few_right(verdict: Verdict, calibration: Calibration) -> Iterator[str]:
    yield from _shown_bias(calibration)
    if verdict == "withheld":
        yield (
            "That would be over-confidence if all the others were wrong, but right answers may be "
            "among them."
        )
        return
    if has_one_score(calibration):
        yield "All scores are equal, so there is no threshold to raise."
        return
    yield _advice_on_raising(calibration)
    if not is_informative(calibration):
        yield f"{auroc_clause(calibration)}, so a higher threshold may not help."


def _advice_on_raising(calibration: Calibration) -> str:
    routed = calibration.routed
    certification = calibration.certification
    # A certified threshold pays for the search among all scores. The present one was chosen before
    # any answer was seen, so a plain bound will do for it, and it may hold where no other does.
    if routed.n and _lower_bound(routed) >= certification.target:
        answers = f"{routed.right} of the {routed.n} answers that it routes are right"
        evidence = f"{answers}, {_shown_rate(certification)}"
        return f"Still the threshold {routed.threshold:g} can stay: {evidence}"
    if certification.threshold is None:
        reason = _nothing_certified(calibration)
        return f"Raise the threshold; to what cannot be said yet: {reason}"
    higher = f"{certification.threshold:.4g}"
    evidence = _certified(certification)
    return f"Raise the threshold to {higher}: {evidence}"


def _under_confident(calibration: Calibration) -> Iterator[str]:
    yield from _shown_bias(calibration)
    certification = calibration.certification
    routes_more = certification.n > calibration.routed.n
    if certification.threshold is not None and routes_more:
        lower = f"{certification.threshold:.4g}"
        evidence = _certified(certification)
        yield f"The threshold can be lowered to {lower}: {evidence}"
    if not is_informative(calibration):
        yield f"{auroc_clause(calibration)}."


def _miscalibrated(calibration: Calibration) -> Iterator[str]:
    if calibration.error:
        test = _calibration_test(calibration.error)
        p = p_value(calibration.error.p_value)
        yield (
            f"the scores do not keep what they say ({test}, {p}), but neither on the whole nor "
            "among the routed answers is it shown that they say too much or too little."
        )
    yield "See where the curve leaves its band."


def _uninformative(calibration: Calibration) -> Iterator[str]:
    auroc = auroc_clause(calibration)
    if is_inverted(calibration):
        yield f"the scores are turned round, for wrong answers have higher ones ({auroc})."
        yield from map(str.capitalize, _shown_bias(calibration))
        return
    if calibration.bias and has_one_score(calibration):
        yield f"all scores are equal. {no_bias_sentence(calibration.bias)}"
    else:
        yield f"{auroc}, and shown to be below {HELPFUL_AREA}."
    yield "No threshold helps with such a score."


def _too_little_data(calibration: Calibration) -> Iterator[str]:
    if calibration.bias is None:
        yield "no answer has a score."
        return
    yield f"{count_of(calibration.n, 'answer')}."
    yield no_bias_sentence(calibration.bias)
    if calibration.bias_power < POWER:
        chance = _chance_to_see_bias(calibration)
        needed = _answers_needed(calibration)
        yield f"A {chance} only{needed}."
    if calibration.discrimination.auroc is None:
        outcome = "right" if calibration.discrimination.right else "wrong"
        yield (
            f"All answers are {outcome}, so nothing can be said of how the score tells "
            "right from wrong."
        )
    elif not is_informative(calibration) and not has_one_score(calibration):
        chance = _chance_to_see_area(calibration)
        yield f"{auroc_clause(calibration)}; {chance}."


def _well_calibrated(calibration: Calibration) -> Iterator[str]:
    if calibration.bias:
        rate = promised_rate(calibration.bias, "all")
        p = p_value(calibration.bias.p_value)
        yield f"{rate} ({p});"
        yield f"a {_chance_to_see_bias(calibration)}."
    if calibration.error:
        test = _calibration_test(calibration.error)
        p = p_value(calibration.error.p_value)
        yield f"Nor does the {test} show any fault ({p})."
    yield f"{auroc_clause(calibration)}."


def _shown_bias(calibration: Calibration) -> Iterator[str]:
    sentence = shown_bias_sentence(calibration)
    if sentence:
        yield sentence


def _chance_to_see_bias(calibration: Calibration) -> str:
    chance = percent(calibration.bias_power)
    return f"bias of {BIAS_TO_SEE} would have been seen with a chance of {chance}"


def _answers_needed(calibration: Calibration) -> str:
    needed = calibration.bias_wants
    if needed is None or needed <= calibration.n:
        return ""
    return f"; about {needed} answers would do"


def _chance_to_see_area(calibration: Calibration) -> str:
    chance = percent(calibration.discrimination_power)
    return f"one of {AREA_TO_SEE} would have been told from that with a chance of {chance}"


def _calibration_test(error: CalibrationError) -> str:
    return f"calibration test over {count_of(error.bins, 'bin')}"


def _lower_bound(routed: RoutedAnswers) -> float:
    """The one-sided 95 % lower bound of the rate of right answers among the routed ones."""
    # Each side of a two-sided interval has half of what its confidence leaves over.
    confidence = 1 - 2 * LEVEL
    interval = clopper_pearson(routed.right, routed.n, confidence=confidence)
    return interval[0]


def _shown_rate(certification: Certification) -> str:
    return f"which shows a rate of {certification.target:g} or more (one-sided 95 %)."


def _certified(certification: Certification) -> str:
    answers = f"{certification.right} of {certification.n}"
    return f"of the answers from there on {answers} are right, {_shown_rate(certification)}"


def _nothing_certified(calibration: Calibration) -> str:
    needed = calibration.certification.needed
    rate = f"a rate of {calibration.certification.target:g}"
    if calibration.n < needed:
        return f"to show {rate} takes {needed} answers, all of them right, or more."
    return f"no threshold is shown to keep {rate} (one-sided 95 %)."


def _refutation(calibration: Calibration) -> Iterator[str]:
    if calibration.error and calibration.error.refuted:
        refuted = count_of(calibration.error.refuted, "answer")
        yield f"Scores of exactly 0 or 1 leave no doubt, yet {refuted} went against theirs."


def _routing(calibration: Calibration) -> str:
    """What the answers come to that the threshold routes."""
    routed = calibration.routed
    name = f"answer_correctness@{routed.threshold:g}"
    if routed.share is None:
        return f"{name}: no answer has a score as high."
    interval = bounds(routed.interval)
    share = f"{routed.share:.3f} {interval}"
    answers = f"{routed.right} of {routed.n} routed"
    coverage = percent(routed.n / calibration.n)
    all_answers = count_of(calibration.n, "answer")
    sentence = f"{name} = {share}: {answers}; coverage {coverage} of {all_answers}."
    if routed.share >= routed.threshold:
        return sentence
    return f"{sentence} {_shortfall(routed)}"


def _shortfall(routed: RoutedAnswers) -> str:
    """How likely so few right answers are if the threshold were the true rate."""
    chance = percent(routed.shortfall_p)
    clause = f"At a true rate of {routed.threshold:g} so few are right in {chance} of cases"
    if routed.shortfall_p > LEVEL:
        return f"{clause}, so that alone does not show over-confidence."
    return f"{clause}."
