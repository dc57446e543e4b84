"""The values of one measure in several runs, as the rules for baselines look at them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean

from goldwright.evaluation.baselines.baseline import Baseline, RunValues


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The values of one measure: a row for each run, a column for each query of the baseline.

    Attributes:
        rows: At least one, all of the same length.
    """

    rows: Sequence[Sequence[float]]

    @property
    def run_means(self) -> list[float]:
        """The mean over all queries in each run."""
        return list(map(fmean, self.rows))

    @property
    def mean(self) -> float:
        """The mean of all runs."""
        return fmean(self.run_means)

    @property
    def query_means(self) -> list[float]:
        """The mean over all runs for each query."""
        return list(map(fmean, self._columns))

    @property
    def lowest(self) -> list[float]:
        """The lowest value of each query in any run."""
        return list(map(min, self._columns))

    @property
    def highest(self) -> list[float]:
        """The highest value of each query in any run."""
        return list(map(max, self._columns))

    def select_runs(self, runs: Sequence[int]) -> "ValueTable":
        """Take some runs, counted from 0; one that is named twice is taken twice."""
        return ValueTable([self.rows[run] for run in runs])

    @property
    def _columns(self) -> list[tuple[float, ...]]:
        return list(zip(*self.rows, strict=True))


# The tables of all measures, by name.
ValueTables = Mapping[str, ValueTable]


def baseline_tables(baseline: Baseline) -> ValueTables:
    """The values of the runs of a baseline."""
    return run_tables(baseline.all_runs(), baseline)


def run_tables(runs: Sequence[RunValues], baseline: Baseline) -> ValueTables:
    """The values of some runs, for the measures and the queries of a baseline.

    A missing value, or one that is not finite, counts as 0.
    """
    tables = {}
    for measure in baseline.measures:
        rows = [_row(run, measure, baseline) for run in runs]
        tables[measure] = ValueTable(rows)
    return tables


def select_runs(tables: ValueTables, runs: Sequence[int]) -> ValueTables:
    """Take some runs of every table, counted from 0."""
    return {measure: table.select_runs(runs) for measure, table in tables.items()}


def _row(run: RunValues, measure: str, baseline: Baseline) -> list[float]:
    row = []
    for query in baseline.queries:
        values = run.get(query.query_id, {})
        value = values.get(measure, 0.0)
        if not isfinite(value):
            value = 0.0
        row.append(value)
    return row
