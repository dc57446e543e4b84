"""Phrases about the figures of a calibration, of which its finding is made."""

from typing import Final

from goldwright.evaluation.calibration import Calibration
from goldwright.evaluation.calibration_verdict import is_informative, is_inverted, shown_bias
from goldwright.stats.calibration import ScoreBias

# Smaller p-values and chances are given as bounds: beyond them digits promise more than is known.
_SMALLEST_P: Final = 0.001
_SMALLEST_CHANCE: Final = 0.01


def answers(count: int) -> str:
    """A number of answers."""
    return "1 answer" if count == 1 else f"{count} answers"


def p_value(value: float) -> str:
    """A p-value, with two digits that count."""
    if value < _SMALLEST_P:
        return "p < 0.001"
    return f"p = {value:.2g}"


def percent(chance: float) -> str:
    """A chance in 0..1 as a percentage; only 0 and 1 themselves are called 0 % and 100 %."""
    if 0 < chance < _SMALLEST_CHANCE:
        return "less than 1 %"
    if 1 - _SMALLEST_CHANCE < chance < 1:
        return "more than 99 %"
    return f"{100 * chance:.0f} %"


def calibration_test(calibration: Calibration) -> str:
    """The calibration test with its number of bins; empty where there was none."""
    if calibration.error is None:
        return ""
    bins = "1 bin" if calibration.error.bins == 1 else f"{calibration.error.bins} bins"
    return f"calibration test over {bins}"


def rates(bias: ScoreBias, which: str) -> str:
    """How many answers are right, beside what their scores say."""
    right = round(bias.rate * bias.n)
    share = f"of {which} {bias.n} answers {right} are right ({bias.rate:.2f})"
    return f"{share}, where the scores say {bias.mean_score:.2f}"


def shown_bias_sentence(calibration: Calibration) -> str | None:
    """The bias that is shown, of all or of the routed answers; None where none is."""
    bias = shown_bias(calibration)
    if bias is None:
        return None
    which = "all" if bias is calibration.bias else "the routed"
    return f"{rates(bias, which)} (bias {bias.bias:+.2f}, {p_value(bias.p_value)})."


def no_bias_sentence(calibration: Calibration) -> str:
    """The bias that is not shown."""
    bias = calibration.bias
    if bias is None:
        return "There is no answer."
    return f"No bias is shown ({bias.bias:+.2f}, {p_value(bias.p_value)})."


def auroc_clause(calibration: Calibration) -> str:
    """How well the score separates right answers from wrong ones, without a full stop."""
    auroc = calibration.discrimination.auroc
    interval = calibration.discrimination.interval
    if auroc is None or interval is None:
        return "Whether the score tells right from wrong is not shown, for all answers are alike"
    low, high = interval
    is_shown = is_informative(calibration) or is_inverted(calibration)
    claim = "AUROC is" if is_shown else "AUROC is not shown to differ from 0.5:"
    return f"{claim} {auroc:.2f} [{low:.2f}, {high:.2f}]"
