"""Whether a retriever became worse than its baseline."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from operator import sub
from statistics import fmean

from goldwright.evaluation.adjusted_differences import compare_columns
from goldwright.evaluation.baselines.baseline import Baseline, QueryValues, RunValues
from goldwright.evaluation.baselines.regression_rules import (
    TOLERANCE,
    Mode,
    QueryFall,
    allowed_fall,
    find_falls,
    find_moves,
    level_per_measure,
)
from goldwright.evaluation.baselines.value_table import (
    ValueTable,
    ValueTables,
    baseline_tables,
    run_tables,
    select_runs,
)
from goldwright.stats.paired_comparison import PairedDifference


@dataclass(frozen=True, slots=True)
class WatchedMeasure:
    """A measure over all queries, before and now.

    Attributes:
        measure: Its name.
        before: The mean of the runs of the baseline, in 0..1.
        after: The mean of the runs of today, in 0..1.
        fails_below: The mean below which the check fails.
        population: The comparison of the queries' means over runs, for what could hold for other
            queries like these. It never excuses a fall.
        adjusted_p: The p-value of ``population`` by max-T over all measures.
    """

    measure: str
    before: float
    after: float
    fails_below: float
    population: PairedDifference
    adjusted_p: float


@dataclass(frozen=True, slots=True)
class RegressionVerdict:
    """The outcome of a check.

    Attributes:
        mode: The rule; None for ``exact`` where two or more runs of the baseline are all the same,
            and ``jitter`` otherwise.
        tolerance: How far a measure may fall, in 0..1.
        watched: Every measure of the baseline.
        regressions: The falls that fail the check.
        warnings: Single queries that fell beyond their jitter, which fail nothing.
    """

    mode: Mode
    tolerance: float
    watched: tuple[WatchedMeasure, ...]
    regressions: tuple[QueryFall, ...]
    warnings: tuple[QueryFall, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing became worse."""
        return not self.regressions


def check_regression(
    baseline: Baseline,
    runs: Sequence[RunValues],
    *,
    mode: Mode | None = None,
    tolerance: float = TOLERANCE,
    seed: int = 0,
) -> RegressionVerdict:
    """Compare the runs of today with those of a baseline; a rise of all queries never fails.

    ``exact`` fails where any measure of any query fell at all, in every run of today. It is for
    retrievers that do not jitter: where all runs of the baseline are the same, what differs now
    has changed. What fails under ``jitter`` fails as well.

    ``spec`` looks at the first run of each side. It fails where any measure, over all queries or of
    a single one, is below the baseline by more than the tolerance.

    ``jitter`` fails where the mean of a measure over the runs fell by more than the tolerance and
    by more than the runs vary: Student's test, at 1 % over all measures. It also fails where the
    mean fell and a sign test at the same level shows more queries falling than rising, by 0.1 or
    more and in every run.

    A query that is gone, or whose value is not finite, counts as 0 and fails under both.

    Args:
        baseline: The baseline.
        runs: The values of at least one run of today.
        mode: The rule; None for ``exact`` where two or more runs of the baseline are all the same,
            and ``jitter`` otherwise.
        tolerance: How far a measure may fall, in 0..1.
        seed: Chooses the draws of the permutation test.
    """
    mode = mode or choose_mode(baseline)
    query_ids = baseline.query_ids
    before = baseline_tables(baseline)
    after = run_tables(runs, baseline)
    warnings: list[QueryFall] = []
    if mode == "spec":
        before = select_runs(before, [0])
        after = select_runs(after, [0])
    # Under the other rules a single query that fell fails the check: there is nothing to warn of.
    if mode == "jitter":
        warnings.extend(_find_warnings(query_ids, before, after))
    lost = _find_lost(baseline, runs)
    falls = find_falls(mode, query_ids, before, after, tolerance=tolerance)
    allowed = _allowed_falls(before, after, mode, tolerance)
    watched = _watch_measures(before, after, allowed, seed)
    return RegressionVerdict(
        mode=mode,
        tolerance=tolerance,
        watched=tuple(watched),
        regressions=(*lost, *falls),
        warnings=tuple(warnings),
    )


def choose_mode(baseline: Baseline) -> Mode:
    """Choose the rule for a baseline; a single run does not show that nothing jitters."""
    return "exact" if baseline.runs > 1 and baseline.is_steady else "jitter"


def _find_lost(baseline: Baseline, runs: Sequence[RunValues]) -> Iterator[QueryFall]:
    """Yield the values that the runs of today lack."""
    for query in baseline.queries:
        query_runs = [run.get(query.query_id, {}) for run in runs]
        for measure, values in query.values.items():
            why = _why_lost(query_runs, measure)
            if why:
                mean = fmean(values)
                yield QueryFall(measure, query.query_id, mean, None, why)


def _why_lost(query_runs: Sequence[QueryValues], measure: str) -> str | None:
    values = []
    for query_run in query_runs:
        if measure not in query_run:
            return "it was not asked in every run"
        values.append(query_run[measure])
    if not all(map(isfinite, values)):
        return "its value is no number"
    return None


def _find_warnings(
    query_ids: Sequence[str], before: ValueTables, after: ValueTables
) -> Iterator[QueryFall]:
    """Yield the single queries that fell, measure by measure."""
    for measure, table in before.items():
        table_now = after[measure]
        means = table.query_means
        means_now = table_now.query_means
        for place in find_moves(table, table_now).fell:
            yield QueryFall(
                measure=measure,
                query_id=query_ids[place],
                before=means[place],
                after=means_now[place],
                why="below every run of the baseline",
            )


def _allowed_falls(
    before: ValueTables, after: ValueTables, mode: Mode, tolerance: float
) -> Mapping[str, float]:
    if mode == "exact":
        return dict.fromkeys(before, 0.0)
    if mode == "spec":
        return dict.fromkeys(before, tolerance)
    level = level_per_measure(before)
    allowed = {}
    for measure, table in before.items():
        table_now = after[measure]
        allowed[measure] = allowed_fall(table, table_now, tolerance=tolerance, level=level)
    return allowed


def _watch_measures(
    before: ValueTables, after: ValueTables, allowed: Mapping[str, float], seed: int
) -> Iterator[WatchedMeasure]:
    columns = {}
    for measure, table in before.items():
        columns[measure] = _query_differences(table, after[measure])
    for measure, adjusted in compare_columns(columns, seed=seed).items():
        mean = before[measure].mean
        yield WatchedMeasure(
            measure=measure,
            before=mean,
            after=after[measure].mean,
            fails_below=mean - allowed[measure],
            population=adjusted.difference,
            adjusted_p=adjusted.adjusted_p,
        )


def _query_differences(before: ValueTable, after: ValueTable) -> list[float]:
    return list(map(sub, after.query_means, before.query_means))
