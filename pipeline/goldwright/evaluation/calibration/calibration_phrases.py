"""Phrases about the figures of a calibration, of which its finding is made."""

from typing import Final

from goldwright.evaluation.calibration.calibration_figures import Calibration
from goldwright.evaluation.calibration.calibration_verdict import (
    is_informative,
    is_inverted,
    shown_bias,
)
from goldwright.evaluation.strata import Interval
from goldwright.stats.calibration_bias import ScoreBias

# Smaller p-values and chances are given as bounds: beyond them digits promise more than is known.
_SMALLEST_P: Final = 0.001
_SMALLEST_CHANCE: Final = 0.01


def count_of(number: int, noun: str) -> str:
    """A number of things, as in ``1 answer`` or ``2 answers``."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}s"


def p_value(value: float) -> str:
    """A p-value with two significant digits."""
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


def bounds(interval: Interval) -> str:
    """The ends of an interval, as in ``[0.18, 0.90]``."""
    low, high = interval
    return f"[{low:.2f}, {high:.2f}]"


def promised_rate(bias: ScoreBias, group: str) -> str:
    """How many answers of a group are right, beside what their scores say."""
    right = round(bias.rate * bias.n)
    rate = f"{right} are right ({bias.rate:.2f})"
    promise = f"the scores say {bias.mean_score:.2f}"
    return f"of {group} {bias.n} answers {rate}, where {promise}"


def shown_bias_sentence(calibration: Calibration) -> str | None:
    """The bias that is shown, of all or of the routed answers; None where none is."""
    bias = shown_bias(calibration)
    if bias is None:
        return None
    group = "all" if bias is calibration.bias else "the routed"
    rate = promised_rate(bias, group)
    return f"{rate} (bias {_size(bias)})."


def no_bias_sentence(bias: ScoreBias) -> str:
    """A bias that is not shown."""
    return f"No bias is shown ({_size(bias)})."


def auroc_clause(calibration: Calibration) -> str:
    """How well the score separates right answers from wrong ones, without a full stop."""
    auroc = calibration.discrimination.auroc
    interval = calibration.discrimination.interval
    if auroc is None or interval is None:
        return "Whether the score tells right from wrong is not shown, for all answers are alike"
    shown_bounds = bounds(interval)
    figures = f"{auroc:.2f} {shown_bounds}"
    if is_informative(calibration) or is_inverted(calibration):
        return f"AUROC is {figures}"
    return f"AUROC is not shown to differ from 0.5: {figures}"


def _size(bias: ScoreBias) -> str:
    return f"{bias.bias:+.2f}, {p_value(bias.p_value)}"
