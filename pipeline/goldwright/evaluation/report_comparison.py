"""Two evaluations of one dataset, compared query by query and measure by measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from goldwright.errors import InputError
from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL, compare_columns
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.query_scores import QueryScore, value_of
from goldwright.notebooks.frames import FrameLibrary, make_frame
from goldwright.notebooks.html import block, paragraph, table
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.stats.paired_comparison import PairedDifference
from goldwright.text import counted

# Reports that differ in one of these hold values of two kinds, which are not compared.
FIELDS_IN_COMMON: Final = (
    "dataset_sha256",
    "blank_docstrings",
    "product_code",
    "depth",
    "ties",
)
# Settles the draws of the permutation test, so that the same reports give the same p-values.
SEED: Final = 0


class ComparableReport(Protocol):
    """What a comparison reads of the report of an evaluation, which itself knows comparisons."""

    @property
    def retriever(self) -> str:
        """The name of the retriever."""

    @property
    def searched(self) -> str:
        """What a built-in retriever searched; empty for any other one."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What makes the numbers less, or other, than they look."""

    @property
    def dataset(self) -> str:
        """Which file the dataset is, and why it was chosen."""

    @property
    def dataset_sha256(self) -> str:
        """The digest of that file."""

    @property
    def commit(self) -> str:
        """The commit of the codebase; empty where there was none."""

    @property
    def blank_docstrings(self) -> bool:
        """Whether the code that was searched had its docstrings blanked out."""

    @property
    def product_code(self) -> bool:
        """Whether results outside of product code were left out."""

    @property
    def queries(self) -> Sequence[QueryScore]:
        """The scores of the queries."""

    @property
    def by_id(self) -> Mapping[str, QueryScore]:
        """Every query by its id."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""

    def mean(self, measure: str) -> float:
        """The mean of a measure."""


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One measure of two systems.

    Attributes:
        measure: Its name.
        before: The mean of the first system, 0..1.
        after: The mean of the second, 0..1.
        difference: The paired comparison of the queries, ``after`` less ``before``.
        bootstrap: The 95 % interval of the mean difference from resampling the queries; None where
            all differences are equal.
        adjusted_p: The p-value of the difference by max-T over all measures.
    """

    measure: str
    before: float
    after: float
    difference: PairedDifference
    bootstrap: tuple[float, float] | None
    adjusted_p: float

    @property
    def is_shown(self) -> bool:
        """Whether the difference is more than chance gives at the 5 % level, over all measures."""
        return self.adjusted_p < SIGNIFICANCE_LEVEL


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """Two evaluations of one dataset, and every measure that both hold."""

    before: ComparableReport
    after: ComparableReport
    measures: tuple[MeasureComparison, ...]

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Give the comparison as a data frame: a row for each measure.

        The columns are ``measure``, ``before`` and ``after`` (means in 0..1), ``difference``, its
        95 % interval as ``low`` and ``high``, ``p_value`` alone, ``adjusted_p`` over all measures,
        ``is_shown``, and by query ``wins``, ``ties`` and ``losses`` of ``after``.

        Args:
            library: ``pandas`` or ``polars``; by default the first that is installed.

        Raises:
            InputError: Neither is installed.

        Examples:
            >>> frame = goldwright.compare(before, after).to_frame()
            >>> list(frame["measure"][:2])
            ['MRR', 'nDCG@10']
        """
        return make_frame([_frame_row(row) for row in self.measures], library)

    def __repr__(self) -> str:
        return f"<ReportComparison: {self._retrievers}: {self.finding}>"

    def _repr_html_(self) -> str:
        """Show the comparison in a notebook."""
        header = ["", "before", "after", "differs", "95 %", "p", "over all", "won/tied/lost", ""]
        queries = counted(len(self.before.queries), "query")
        measures = counted(len(self.measures), "measure")
        tests = f"{queries}; p by sign flips, alone and over all {measures} (max-T)"
        rows = [header, *map(_html_row, self.measures)]
        finding = paragraph(self.finding)
        remark = paragraph(tests, is_soft=True)
        return block(self._retrievers, finding, table(rows), remark)

    @property
    def _retrievers(self) -> str:
        return f"{self.after.retriever} against {self.before.retriever}"

    @property
    def finding(self) -> str:
        """What is shown, in one sentence."""
        shown = [row for row in self.measures if row.is_shown]
        better = [row.measure for row in shown if row.difference.mean > 0]
        worse = [row.measure for row in shown if row.difference.mean < 0]
        if not better and not worse:
            return "No difference is shown, which is no proof that there is none."
        parts = []
        if better:
            parts.append(f"better by {', '.join(better)}")
        if worse:
            parts.append(f"worse by {', '.join(worse)}")
        return f"Shown to be {' and '.join(parts)}."


def compare_in_full(before: ComparableReport, after: ComparableReport) -> ReportComparison:
    """Compare two systems on every measure that both were scored by, and keep their reports.

    Raises:
        InputError: They were not scored on the same queries of the same dataset in the same way.
    """
    return ReportComparison(before, after, compare_reports(before, after, seed=SEED))


def compare_reports(
    before: ComparableReport, after: ComparableReport, *, seed: int
) -> tuple[MeasureComparison, ...]:
    """Compare two systems on every measure that both were scored by.

    Args:
        before: The evaluation of the first system.
        after: The evaluation of the second.
        seed: Chooses the draws of the permutation test and the bootstrap.

    Raises:
        InputError: They were not scored on the same queries of the same dataset in the same way.
    """
    check_comparable(before, after)
    columns = {}
    for name in quality_measures(before.measures):
        if name in after.measures:
            columns[name] = _differences(before, after, name)
    if not columns:
        raise InputError("the two evaluations have no measure in common")
    intervals = bootstrap_means(columns, seed=seed)
    adjusted_differences = compare_columns(columns, seed=seed)
    comparisons = []
    for name, adjusted in adjusted_differences.items():
        comparison = MeasureComparison(
            measure=name,
            before=before.mean(name),
            after=after.mean(name),
            difference=adjusted.difference,
            bootstrap=intervals[name],
            adjusted_p=adjusted.adjusted_p,
        )
        comparisons.append(comparison)
    return tuple(comparisons)


def check_comparable(before: ComparableReport, after: ComparableReport) -> None:
    """Make sure that two evaluations were made on the same queries in the same way.

    Raises:
        InputError: They were not; the text names the first difference.
    """
    if before.dataset_sha256 != after.dataset_sha256:
        raise InputError(
            f"two datasets: {before.dataset} before, {after.dataset} after; "
            "score both on the same one"
        )
    for field in FIELDS_IN_COMMON:
        old = getattr(before, field)
        new = getattr(after, field)
        if old != new:
            difference = f"{old} in the one, {new} in the other"
            raise InputError(f"{field}: {difference}; score both in the same way")
    asked_once = before.by_id.keys() ^ after.by_id.keys()
    if asked_once:
        raise InputError(f"{min(asked_once)}: was asked in one of the two evaluations only")


def _differences(
    before: ComparableReport, after: ComparableReport, measure: str
) -> Sequence[float]:
    """Subtract query by query, in the order of the first evaluation."""
    after_by_id = after.by_id
    differences = []
    for query in before.queries:
        old = value_of(query, measure)
        new = value_of(after_by_id[query.query_id], measure)
        differences.append(new - old)
    return differences


def _frame_row(row: MeasureComparison) -> Mapping[str, object]:
    difference = row.difference
    low, high = difference.interval or (None, None)
    return {
        "measure": row.measure,
        "before": row.before,
        "after": row.after,
        "difference": difference.mean,
        "low": low,
        "high": high,
        "p_value": difference.p_value,
        "adjusted_p": row.adjusted_p,
        "is_shown": row.is_shown,
        "wins": difference.wins,
        "ties": difference.ties,
        "losses": difference.losses,
    }


def _html_row(row: MeasureComparison) -> Sequence[str]:
    difference = row.difference
    interval = "–"
    if difference.interval is not None:
        low, high = difference.interval
        interval = f"{low:+.3f} to {high:+.3f}"
    before = f"{row.before:.3f}"
    after = f"{row.after:.3f}"
    means = (before, after, f"{difference.mean:+.3f}")
    p_value = f"{difference.p_value:.4f}"
    adjusted_p = f"{row.adjusted_p:.4f}"
    tally = f"{difference.wins}/{difference.ties}/{difference.losses}"
    mark = "shown" if row.is_shown else ""
    return [row.measure, *means, interval, p_value, adjusted_p, tally, mark]
