"""The three rules by which a retriever counts as worse than its baseline.

``exact`` is for retrievers whose runs are all alike: any fall of any query. ``spec`` is the rule of
the project's specification, taken literally: any fall beyond the tolerance. ``jitter`` tells falls
from the spread between runs. Decisions 14 and 32 have the measurements behind them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import fmean
from typing import Final, Literal

from goldwright.evaluation.baselines.value_table import ValueTable, ValueTables
from goldwright.stats.binomial import binomial_tail
from goldwright.stats.student_t import student_quantile
from goldwright.text import counted

Mode = Literal["exact", "jitter", "spec"]

# How far a measure may fall, in 0..1, unless a user names another tolerance; the specification's.
TOLERANCE: Final = 0.02
# How often the jitter rule may fire without a change, over all measures together. At the customary
# 5 % it would stop one build in twenty for nothing.
LEVEL: Final = 0.01
# A query has moved when its runs of today lie this far from all runs of the baseline. One place
# costs a reciprocal rank that much at ranks 1 and 2 only: slips further down are no falls.
SMALLEST_MOVE: Final = 0.1
# Equal values may differ by rounding, and a fall of exactly the tolerance must pass.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class QueryFall:
    """A measure that fell, for one query or over all queries.

    Attributes:
        measure: Its name.
        query_id: The query; None for the mean over all queries.
        before: The value of the baseline, in 0..1.
        after: The value now, in 0..1; None where the query is gone or its value is not finite.
        why: What makes it a fall.
    """

    measure: str
    query_id: str | None
    before: float
    after: float | None
    why: str

    @property
    def change(self) -> str:
        """The values before and now, as text."""
        before = f"{self.measure} {self.before:.3f}"
        if self.after is None:
            return f"{before} -> no value"
        return f"{before} -> {self.after:.3f}"

    def __str__(self) -> str:
        subject = self.query_id or "all queries"
        return f"{subject}: {self.change}; {self.why}"


@dataclass(frozen=True, slots=True)
class QueryMoves:
    """The queries that moved beyond the spread of their runs, as places in the table.

    Attributes:
        fell: The queries whose runs of today all lie below all runs of the baseline.
        rose: The queries whose runs of today all lie above all runs of the baseline.
    """

    fell: Sequence[int]
    rose: Sequence[int]


def find_falls(
    mode: Mode,
    query_ids: Sequence[str],
    before: ValueTables,
    after: ValueTables,
    *,
    tolerance: float,
) -> Iterator[QueryFall]:
    """Yield the falls that a rule finds, measure by measure.

    Args:
        mode: The rule; ``spec`` looks at the first run of each side only.
        query_ids: The queries, in the order of the tables.
        before: The runs of the baseline.
        after: The runs of today.
        tolerance: How far a measure may fall, in 0..1.
    """
    level = level_per_measure(before)
    for measure in before:
        tables = (before[measure], after[measure])
        if mode == "spec":
            yield from _falls_by_spec(measure, query_ids, *tables, tolerance=tolerance)
            continue
        if mode == "exact":
            yield from _falls_of_queries(measure, query_ids, *tables)
        yield from _fall_of_mean(measure, *tables, tolerance=tolerance, level=level)
        yield from _fall_of_many(measure, *tables, level=level)


def level_per_measure(tables: ValueTables) -> float:
    """The level at which each measure is tested, so that all together keep theirs (Bonferroni)."""
    return LEVEL / len(tables)


def allowed_fall(before: ValueTable, after: ValueTable, *, tolerance: float, level: float) -> float:
    """How far a mean over runs may fall before the jitter rule fires, in 0..1.

    That is the tolerance or, where it is larger, the difference that jitter explains: the one-sided
    critical difference of Student's test for two samples of runs with a pooled spread.

    Args:
        before: The runs of the baseline.
        after: The runs of today.
        tolerance: How far a measure may fall in any case.
        level: How often jitter alone may go further.
    """
    squares_before = _squared_deviations(before.run_means)
    squares_after = _squared_deviations(after.run_means)
    squares = sum([*squares_before, *squares_after])
    # Two single runs end here as well: they leave no degree of freedom to know a spread by.
    if squares <= _ROUNDING:
        return tolerance
    runs_before = len(before.rows)
    runs_after = len(after.rows)
    freedom = runs_before + runs_after - 2
    variance = squares / freedom
    reciprocals = 1 / runs_before + 1 / runs_after
    standard_error = sqrt(variance * reciprocals)
    quantile = _student_quantile(1 - level, freedom)
    return max(tolerance, quantile * standard_error)


def find_moves(before: ValueTable, after: ValueTable) -> QueryMoves:
    """Find the queries whose runs of today all lie apart from all runs of the baseline."""
    fell = _places_apart(before.lowest, after.highest)
    rose = _places_apart(after.lowest, before.highest)
    return QueryMoves(fell, rose)


def _falls_of_queries(
    measure: str, query_ids: Sequence[str], before: ValueTable, after: ValueTable
) -> Iterator[QueryFall]:
    """Yield the queries all of whose runs of today lie below all runs of the baseline."""
    why = "lower in every run, where those of the baseline are all the same"
    for query_id, old, new in zip(query_ids, before.lowest, after.highest, strict=True):
        if old - new > _ROUNDING:
            yield QueryFall(measure, query_id, old, new, why)


def _falls_by_spec(
    measure: str,
    query_ids: Sequence[str],
    before: ValueTable,
    after: ValueTable,
    *,
    tolerance: float,
) -> Iterator[QueryFall]:
    """Compare the first runs, over all queries and query by query."""
    why = f"lower by more than {tolerance:g}"
    old_row = before.rows[0]
    new_row = after.rows[0]
    ids_with_mean = [None, *query_ids]
    old_values = [fmean(old_row), *old_row]
    new_values = [fmean(new_row), *new_row]
    for query_id, old, new in zip(ids_with_mean, old_values, new_values, strict=True):
        if old - new > tolerance + _ROUNDING:
            yield QueryFall(measure, query_id, old, new, why)


def _fall_of_mean(
    measure: str, before: ValueTable, after: ValueTable, *, tolerance: float, level: float
) -> Iterator[QueryFall]:
    """Yield the fall of the mean over runs, where it is more than jitter explains."""
    allowed = allowed_fall(before, after, tolerance=tolerance, level=level)
    old = before.mean
    new = after.mean
    if old - new > allowed + _ROUNDING:
        why = f"lower by more than {allowed:.3f}"
        yield QueryFall(measure, None, old, new, why)


def _fall_of_many(
    measure: str, before: ValueTable, after: ValueTable, *, level: float
) -> Iterator[QueryFall]:
    """Yield the fall of a mean, however small, where far more queries fell than rose."""
    moves = find_moves(before, after)
    fell = len(moves.fell)
    rose = len(moves.rose)
    old = before.mean
    new = after.mean
    # Many small falls are no regression where a few great rises outweigh them.
    if fell <= rose or new >= old - _ROUNDING:
        return
    p_value = _sign_test(fell, rose)
    if p_value < level:
        fallen_queries = counted(fell, "query")
        counts = f"{fallen_queries} fell below all their runs, {rose} rose above"
        why = f"{counts} (sign test, p = {p_value:.4f})"
        yield QueryFall(measure, None, old, new, why)


def _sign_test(falls: int, rises: int) -> float:
    """The two-sided p-value of so many more falls than rises."""
    moved = falls + rises
    one_sided = binomial_tail(falls, moved, 0.5)
    return min(1.0, 2 * one_sided)


def _squared_deviations(values: Sequence[float]) -> list[float]:
    mean = fmean(values)
    return [(value - mean) ** 2 for value in values]


@lru_cache  # found by bisection, and the same for every draw of a resampling
def _student_quantile(probability: float, freedom: int) -> float:
    return student_quantile(probability, freedom)


def _places_apart(upper: Sequence[float], lower: Sequence[float]) -> list[int]:
    """List the places at which the lower value lies far enough below the upper one."""
    places = []
    for place, (high, low) in enumerate(zip(upper, lower, strict=True)):
        is_apart = low <= high - SMALLEST_MOVE + _ROUNDING
        if is_apart:
            places.append(place)
    return places
