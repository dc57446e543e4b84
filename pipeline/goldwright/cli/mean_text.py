"""A mean with its interval, as every command writes it."""

from goldwright.evaluation.strata import MeanWithInterval


def mean_text(mean: MeanWithInterval) -> str:
    """Write a mean with its interval."""
    value = f"{mean.value:.3f}"
    if mean.interval is None:
        return f"{value}   all alike, so no interval"
    low, high = mean.interval
    return f"{value}   [{low:.3f}, {high:.3f}]"
