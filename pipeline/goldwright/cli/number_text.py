"""Numbers as every command writes them: one that may be missing, and a mean with its interval."""

from goldwright.evaluation.strata import MeanWithInterval


def number_or_dash(number: float | None, number_format: str) -> str:
    """Write a number in a format such as ``.3f``, or a dash where there is none."""
    if number is None:
        return "-"
    return format(number, number_format)


def mean_text(mean: MeanWithInterval) -> str:
    """Write a mean with its interval."""
    value = f"{mean.value:.3f}"
    if mean.interval is None:
        return f"{value}   all alike, so no interval"
    low, high = mean.interval
    return f"{value}   [{low:.3f}, {high:.3f}]"
