"""Means over queries, by stratum, each with its number of queries and its interval."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from typing import Final

from goldwright.evaluation.query_scores import QueryScore, columns_of
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stats.binomial import mid_p
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.stats.student_t import student_quantile

Interval = tuple[float, float]
QueriesByStratum = dict[str, list[QueryScore]]

# Confidence of every interval, the customary 95 %.
LEVEL: Final = 0.95
# Any fixed seed does; it makes the same evaluation print the same bootstrap intervals.
SEED: Final = 0

# Strata of our own dimensions come in the order of the plan, others after them by the alphabet.
_PLAN_ORDER: Final = (*TASK_TYPES, *DIFFICULTIES)


@dataclass(frozen=True, slots=True)
class MeanWithInterval:
    """The mean of a measure over some queries.

    Which interval covers the truth how often was measured; see decision 13.

    Attributes:
        value: The mean, in 0..1.
        n: The number of queries.
        interval: Its 95 % interval. Where every value is 0 or 1, that is the mid-P interval of a
            rate; otherwise Student's, cut at 0 and 1. None where all values are equal, but not 0
            or 1, for those tell nothing of their spread.
        bootstrap: The bias-corrected and accelerated bootstrap interval beside it; None where
            there is nothing to resample.
    """

    value: float
    n: int
    interval: Interval | None
    bootstrap: Interval | None = None


@dataclass(frozen=True, slots=True)
class Stratum:
    """Queries that have something in common.

    Attributes:
        dimension: What they have in common, as in ``task_type``; ``all`` for all queries.
        name: The stratum, as in ``locate``.
        n: The number of queries.
        means: The mean of every measure over them.
    """

    dimension: str
    name: str
    n: int
    means: Mapping[str, MeanWithInterval]


def mean_of(values: Sequence[float]) -> MeanWithInterval:
    """Compute the mean of at least one value in 0..1, with its interval."""
    n = len(values)
    mean = fsum(values) / n
    highest = max(values)
    distinct = set(values)
    rate_interval = _rate_interval(values)
    if distinct <= {0.0, 1.0}:
        return MeanWithInterval(mean, n, rate_interval)
    if len(distinct) == 1:
        return MeanWithInterval(mean, n, None)
    low, high = _student_interval(values, mean)
    if distinct == {0.0, highest}:
        # Few values of two kinds say little of their spread, so Student's interval may be too
        # narrow; it is widened to the interval of the rate of values that are not 0.
        rate_low, rate_high = rate_interval
        low = min(low, rate_low * highest)
        high = max(high, rate_high * highest)
    return MeanWithInterval(mean, n, (low, high))


def summarize_strata(scores: Sequence[QueryScore]) -> Iterator[Stratum]:
    """Yield the means over all queries, over each stratum, dimension by dimension, and by cell."""
    if scores:
        yield _summarize("all", "all", scores)
    for dimension, queries_by_stratum in _group_by_dimension(scores).items():
        for name in sorted(queries_by_stratum, key=_plan_order):
            yield _summarize(dimension, name, queries_by_stratum[name])


def dimensions(strata: Sequence[Stratum]) -> tuple[str, ...]:
    """Name the dimensions of strata, each once and in their order, without ``all``."""
    names = dict.fromkeys(stratum.dimension for stratum in strata)
    names.pop("all", None)
    return tuple(names)


def _rate_interval(values: Sequence[float]) -> Interval:
    """The interval of the rate of values that are not 0."""
    positive = len(values) - values.count(0.0)
    return mid_p(positive, len(values), confidence=LEVEL)


def _student_interval(values: Sequence[float], mean: float) -> Interval:
    n = len(values)
    squares = [(value - mean) ** 2 for value in values]
    variance = fsum(squares) / (n - 1)
    standard_error = sqrt(variance / n)
    one_sided = (1 + LEVEL) / 2
    quantile = student_quantile(one_sided, n - 1)
    reach = quantile * standard_error
    low = max(mean - reach, 0.0)
    high = min(mean + reach, 1.0)
    return low, high


def _group_by_dimension(scores: Sequence[QueryScore]) -> Mapping[str, QueriesByStratum]:
    """Group queries by dimension and stratum; cells come last."""
    groups: dict[str, QueriesByStratum] = {}
    for score in scores:
        for dimension, name in score.strata.items():
            strata = groups.setdefault(dimension, {})
            strata.setdefault(name, []).append(score)
    # A loop of its own, so that cells come last whatever the strata of the first query.
    for score in scores:
        if score.cell is not None:
            cells = groups.setdefault("cell", {})
            cells.setdefault(score.cell, []).append(score)
    return groups


def _summarize(dimension: str, name: str, scores: Sequence[QueryScore]) -> Stratum:
    columns = columns_of(scores)
    intervals = bootstrap_means(columns, seed=SEED, confidence=LEVEL)
    means = {}
    for measure, values in columns.items():
        mean = mean_of(values)
        means[measure] = replace(mean, bootstrap=intervals[measure])
    return Stratum(dimension, name, len(scores), means)


def _plan_order(name: str) -> tuple[tuple[int, str], ...]:
    """The sort key of a stratum, or of a cell by both its strata."""
    return tuple(map(_plan_place, name.split("/")))


def _plan_place(name: str) -> tuple[int, str]:
    if name in _PLAN_ORDER:
        return _PLAN_ORDER.index(name), name
    return len(_PLAN_ORDER), name
