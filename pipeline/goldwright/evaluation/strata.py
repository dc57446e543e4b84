"""Means over queries, by stratum, each with its number of queries and its interval."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from typing import Final

from goldwright.evaluation.report import QueryScore
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stats.binomial import mid_p
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.stats.student_t import student_quantile

LEVEL: Final = 0.95
SATURATED: Final = 0.98
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class MeanWithInterval:
    """The mean of a measure over ``n`` queries with a 95 % interval, None where all values are one,
    not 0 and not 1.

    Where every value is 0 or 1, the interval is the mid-P one of a rate; elsewhere Student's,
    within 0 to 1, and where every value is 0 or one other, at least as wide as that of their rate.
    ``bootstrap`` is the bias-corrected and accelerated one beside it, None where there is nothing
    to resample.
    """

    value: float
    n: int
    interval: tuple[float, float] | None
    bootstrap: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Stratum:
    """Queries that have something in common, and the means of every measure over them."""

    dimension: str
    name: str
    n: int
    means: Mapping[str, MeanWithInterval]


def mean_of(values: Sequence[float]) -> MeanWithInterval:
    """Give the mean of at least one value in 0..1, with its interval."""
    n, mean = len(values), fsum(values) / len(values)
    most, distinct = max(values), set(values)
    rate = mid_p(sum(value > 0 for value in values), n, confidence=LEVEL)
    if distinct <= {0.0, 1.0}:
        return MeanWithInterval(mean, n, rate)
    if len(distinct) == 1:
        return MeanWithInterval(mean, n, None)
    spread = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
    reach = student_quantile((1 + LEVEL) / 2, n - 1) * spread
    low, high = max(mean - reach, 0.0), min(mean + reach, 1.0)
    if distinct == {0.0, most}:
        # Few values of two kinds say little of their spread; the interval of the rate is held to as
        # well.
        low, high = min(low, rate[0] * most), max(high, rate[1] * most)
    return MeanWithInterval(mean, n, (low, high))


def strata(scores: Sequence[QueryScore]) -> Iterator[Stratum]:
    """Sum up all queries, then those of each stratum, dimension by dimension, and by cell."""
    if scores:
        yield _stratum("all", "all", scores)
    groups: dict[str, dict[str, list[QueryScore]]] = {}
    for score in scores:
        for dimension, name in score.strata.items():
            groups.setdefault(dimension, {}).setdefault(name, []).append(score)
    for score in scores:
        if score.cell is not None:
            groups.setdefault("cell", {}).setdefault(score.cell, []).append(score)
    for dimension, by_name in groups.items():
        for name in sorted(by_name, key=_in_order):
            yield _stratum(dimension, name, by_name[name])


def dimensions(strata: Sequence[Stratum]) -> tuple[str, ...]:
    """Name the dimensions of strata, each once, in their order; ``all`` is none."""
    names = (stratum.dimension for stratum in strata if stratum.dimension != "all")
    return tuple(dict.fromkeys(names))


def saturated(means: Mapping[str, float]) -> tuple[str, ...]:
    """Name the measures that can hardly rise any more, so that nothing better could be told by
    them.
    """
    return tuple(
        name for name, mean in means.items() if mean >= SATURATED and not name.startswith("Judged")
    )


def _stratum(dimension: str, name: str, scores: Sequence[QueryScore]) -> Stratum:
    columns = {one: [score.values[one] for score in scores] for one in scores[0].values}
    resampled = bootstrap_means(columns, seed=SEED, confidence=LEVEL)
    means = {
        one: replace(mean_of(values), bootstrap=resampled[one]) for one, values in columns.items()
    }
    return Stratum(dimension, name, len(scores), means)


# The names of our own dimensions come in the order of the plan, others by the alphabet.
_KNOWN_ORDER: Final = (*TASK_TYPES, *DIFFICULTIES)


def _in_order(name: str) -> tuple[tuple[int, str], ...]:
    parts = name.split("/")
    places = [
        _KNOWN_ORDER.index(part) if part in _KNOWN_ORDER else len(_KNOWN_ORDER) for part in parts
    ]
    return tuple(zip(places, parts, strict=True))
