"""What sufficiency scores are worth, in plain words: a verdict with its reasons and advice."""

from collections.abc import Iterator

from goldwright.evaluation.calibration import (
    AREA_TO_SEE,
    BIAS_TO_SEE,
    LEVEL,
    POWER,
    Calibration,
)
from goldwright.evaluation.calibration_phrases import (
    answers,
    auroc_clause,
    calibration_test,
    no_bias_sentence,
    p_value,
    percent,
    rates,
    shown_bias_sentence,
)
from goldwright.evaluation.calibration_verdict import (
    Verdict,
    is_informative,
    is_inverted,
    judge_calibration,
)
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.certification import Certification, RoutedAnswers


def describe_calibration(calibration: Calibration) -> str:
    """Explain the verdict on scores: the verdict, a colon, and sentences."""
    verdict = judge_calibration(calibration)
    sentences = [
        *_reasons(verdict, calibration),
        *_certain_scores_refuted(calibration),
        _answer_correctness(calibration),
    ]
    return f"{verdict}: {' '.join(sentences)}"


def _reasons(verdict: Verdict, calibration: Calibration) -> Iterator[str]:
    match verdict:
        case "over-confident":
            return _over_confident(calibration)
        case "under-confident":
            return _under_confident(calibration)
        case "miscalibrated":
            return _miscalibrated(calibration)
        case "uninformative":
            return _uninformative(calibration)
        case "too little data":
            return _too_little_data(calibration)
        case "well calibrated":
            return _well_calibrated(calibration)


def _over_confident(calibration: Calibration) -> Iterator[str]:
    yield from _shown_bias(calibration)
    if _has_one_score(calibration):
        yield "All scores are equal, so there is no threshold to raise."
        return
    yield _advice_on_raising(calibration)
    if not is_informative(calibration):
        yield f"{auroc_clause(calibration)}, so a higher threshold may not help."


def _advice_on_raising(calibration: Calibration) -> str:
    routed = calibration.routed
    certification = calibration.certification
    target = f"{certification.target:g}"
    # The threshold was chosen before the answers were seen, so a plain bound will do for it, where
    # the certified one pays for the search.
    if routed.n and _lower_bound(routed) >= certification.target:
        return (
            f"Still the threshold {routed.threshold:g} can stay: {routed.right} of the "
            f"{routed.n} answers that it routes are right, {_shown_rate(target)}"
        )
    if certification.threshold is None:
        reason = _nothing_certified(calibration)
        return f"Raise the threshold; to what cannot be said yet: {reason}"
    return f"Raise the threshold to {certification.threshold:.4g}: {_certified(certification)}"


def _under_confident(calibration: Calibration) -> Iterator[str]:
    yield from _shown_bias(calibration)
    certification = calibration.certification
    routes_more = certification.n > calibration.routed.n
    if certification.threshold is not None and routes_more:
        threshold = f"{certification.threshold:.4g}"
        yield f"The threshold can be lowered to {threshold}: {_certified(certification)}"
    if not is_informative(calibration):
        yield f"{auroc_clause(calibration)}."


def _miscalibrated(calibration: Calibration) -> Iterator[str]:
    if calibration.error:
        test = calibration_test(calibration)
        p = p_value(calibration.error.p_value)
        yield f"the scores do not keep what they say ({test}, {p}),"
        yield "but neither on the whole nor among the routed answers is it shown"
        yield "that they say too much or too little."
    yield "See where the curve leaves its band."


def _uninformative(calibration: Calibration) -> Iterator[str]:
    auroc = auroc_clause(calibration)
    if is_inverted(calibration):
        yield f"the scores are turned round, for wrong answers have higher ones ({auroc})."
        for sentence in _shown_bias(calibration):
            yield sentence.capitalize()
        return
    if _has_one_score(calibration):
        yield f"all scores are equal. {no_bias_sentence(calibration)}"
    else:
        yield f"{auroc}, though {_auroc_to_see(calibration)}."
    yield "No threshold helps with such a score."


def _too_little_data(calibration: Calibration) -> Iterator[str]:
    if not calibration.bias:
        yield "no answer has a score."
        return
    yield f"{answers(calibration.n)}. {no_bias_sentence(calibration)}"
    if calibration.bias_power < POWER:
        yield f"{_bias_to_see(calibration)} only{_answers_to_add(calibration)}."
    if calibration.discrimination.auroc is None:
        outcome = "right" if calibration.discrimination.right else "wrong"
        yield f"All answers are {outcome},"
        yield "so nothing can be said of how the score tells right from wrong."
    elif not is_informative(calibration) and not _has_one_score(calibration):
        yield f"{auroc_clause(calibration)}; {_auroc_to_see(calibration)} only."


def _well_calibrated(calibration: Calibration) -> Iterator[str]:
    if calibration.bias:
        p = p_value(calibration.bias.p_value)
        yield f"{rates(calibration.bias, 'all')} ({p});"
        yield f"{_bias_to_see(calibration, article='a')}."
    if calibration.error:
        p = p_value(calibration.error.p_value)
        yield f"Nor does the {calibration_test(calibration)} show any fault ({p})."
    yield f"{auroc_clause(calibration)}."


def _shown_bias(calibration: Calibration) -> Iterator[str]:
    sentence = shown_bias_sentence(calibration)
    if sentence:
        yield sentence


def _has_one_score(calibration: Calibration) -> bool:
    """Whether all answers have the same score; the curve has a point for each score."""
    return len(calibration.curve) == 1


def _bias_to_see(calibration: Calibration, article: str = "A") -> str:
    chance = percent(calibration.bias_power)
    return f"{article} bias of {BIAS_TO_SEE} would have been seen with a chance of {chance}"


def _answers_to_add(calibration: Calibration) -> str:
    needed = calibration.bias_wants
    if needed is None or needed <= calibration.n:
        return ""
    return f"; about {needed} answers would do"


def _auroc_to_see(calibration: Calibration) -> str:
    chance = percent(calibration.discrimination_power)
    return f"one of {AREA_TO_SEE} would have been told from that with a chance of {chance}"


def _lower_bound(routed: RoutedAnswers) -> float:
    """The one-sided 95 % lower bound of the rate of right answers among the routed ones."""
    low, _ = clopper_pearson(routed.right, routed.n, confidence=1 - 2 * LEVEL)
    return low


def _shown_rate(target: str) -> str:
    return f"which shows a rate of {target} or more (one-sided 95 %)."


def _certified(certification: Certification) -> str:
    right_of_n = f"{certification.right} of {certification.n}"
    target = f"{certification.target:g}"
    return f"of the answers from there on {right_of_n} are right, {_shown_rate(target)}"


def _nothing_certified(calibration: Calibration) -> str:
    certification = calibration.certification
    target = f"{certification.target:g}"
    if calibration.n < certification.needed:
        needed = f"{certification.needed} answers, all of them right, or more"
        return f"to show a rate of {target} takes {needed}."
    return f"no threshold is shown to keep a rate of {target} (one-sided 95 %)."


def _certain_scores_refuted(calibration: Calibration) -> Iterator[str]:
    if calibration.error and calibration.error.refuted:
        refuted = answers(calibration.error.refuted)
        yield f"Scores of exactly 0 or 1 leave no doubt, yet {refuted} went against theirs."


def _answer_correctness(calibration: Calibration) -> str:
    routed = calibration.routed
    name = f"answer_correctness@{routed.threshold:g}"
    if routed.share is None:
        return f"{name}: no answer has a score as high."
    low, high = routed.interval
    share = f"{name} = {routed.share:.3f} [{low:.2f}, {high:.2f}]"
    coverage = f"{percent(routed.n / calibration.n)} of {answers(calibration.n)}"
    sentence = f"{share}: {routed.right} of {routed.n} routed; coverage {coverage}."
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
