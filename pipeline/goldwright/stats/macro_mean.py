"""A mean over groups that count alike, whatever their sizes, with two intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Final

from goldwright.stats.student_t import student_quantile

LEVEL: Final = 0.95
Interval = tuple[float, float]
_ROUNDING: Final = 1e-12
# What a measure of retrieval may come to.
OF_MEASURES: Final[Interval] = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class MacroMean:
    """The mean of the means of groups.

    Attributes:
        mean: The macro mean.
        within: The interval for these very groups: only their members are a sample. None where a
            group has one member, and of measures where all members of each group are alike.
        between: The interval for other groups such as these; wide where there are few. None for
            one group, and of measures where all groups are alike.
        lower_bound: The one-sided bound at 95 % for these groups; None where ``within`` is.
        micro: The mean over all members, in which large groups count more.
        leave_one_out: The macro mean without each group.
    """

    mean: float
    within: Interval | None
    between: Interval | None
    lower_bound: float | None
    micro: float
    leave_one_out: Mapping[str, float]


def macro_mean(
    groups: Mapping[str, Sequence[float]], *, bounds: Interval | None = None
) -> MacroMean:
    """Compute the macro mean of at least one group of at least one value.

    Args:
        groups: By name the values of each group.
        bounds: What a value may come to, at least and at most, as ``OF_MEASURES``: no interval goes
            beyond it, and where all are alike there is none, for nothing tells how far others may
            lie. None for differences, where no spread means that nothing has changed.

    Within: the standard error is sqrt(sum of variance / size) / groups, with the degrees of
    freedom of Welch and Satterthwaite. Between: Student's interval of the groups' means.

    Source: F. Satterthwaite, "An Approximate Distribution of Estimates of Variance Components"
    (1946).
    """
    means = {name: fsum(values) / len(values) for name, values in groups.items()}
    group_means = list(means.values())
    mean = fsum(group_means) / len(means)
    everything = [value for values in groups.values() for value in values]
    without = {}
    if len(means) > 1:
        for name, group_mean in means.items():
            without[name] = (mean * len(means) - group_mean) / (len(means) - 1)
    error = _within_error(groups, means)
    within = lower_bound = None
    if error is not None:
        standard_error, freedom = error
        within = _interval(mean, standard_error, freedom, bounds)
        lower_bound = mean - student_quantile(LEVEL, freedom) * standard_error
    between = _between(group_means, mean, bounds)
    return MacroMean(
        mean=mean,
        within=within,
        between=between,
        lower_bound=lower_bound,
        micro=fsum(everything) / len(everything),
        leave_one_out=without,
    )


def _within_error(
    groups: Mapping[str, Sequence[float]], means: Mapping[str, float]
) -> tuple[float, int] | None:
    """Compute the standard error over these groups, and its degrees of freedom."""
    if min(map(len, groups.values())) < 2:
        return None
    shares = {}
    for name, values in groups.items():
        squares = fsum((value - means[name]) ** 2 for value in values)
        shares[name] = squares / (len(values) - 1) / len(values)
    total = fsum(shares.values())
    if not total:
        return 0.0, 1
    spreads = []
    for name, share in shares.items():
        # Of shares of the total, since the square of a tiny variance is zero.
        spreads.append((share / total) ** 2 / (len(groups[name]) - 1))
    freedom = max(1, int(1 / fsum(spreads)))
    return sqrt(total) / len(groups), freedom


def _between(means: Sequence[float], mean: float, bounds: Interval | None) -> Interval | None:
    count = len(means)
    if count < 2:
        return None
    variance = fsum((value - mean) ** 2 for value in means) / (count - 1)
    return _interval(mean, sqrt(variance / count), count - 1, bounds)


def _interval(
    mean: float, standard_error: float, freedom: int, bounds: Interval | None
) -> Interval | None:
    reach = student_quantile((1 + LEVEL) / 2, freedom) * standard_error
    if bounds is None:
        return mean - reach, mean + reach
    # Values that are alike differ from their mean by what rounding leaves.
    if reach < _ROUNDING:
        return None
    lowest, highest = bounds
    return max(mean - reach, lowest), min(mean + reach, highest)
