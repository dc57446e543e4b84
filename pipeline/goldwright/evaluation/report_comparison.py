"""Two evaluations of one dataset, compared query by query and measure by measure."""

from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.errors import InputError
from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL, compare_columns
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.report import FIELDS_IN_COMMON, EvaluationReport, value_of
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.stats.paired_comparison import PairedDifference


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


def compare_reports(
    before: EvaluationReport, after: EvaluationReport, *, seed: int
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


def check_comparable(before: EvaluationReport, after: EvaluationReport) -> None:
    """Make sure that two evaluations were made on the same queries in the same way.

    Raises:
        InputError: They were not; the text names the first difference.
    """
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
    before: EvaluationReport, after: EvaluationReport, measure: str
) -> Sequence[float]:
    """Subtract query by query, in the order of the first evaluation."""
    after_by_id = after.by_id
    differences = []
    for query in before.queries:
        old = value_of(query, measure)
        new = value_of(after_by_id[query.query_id], measure)
        differences.append(new - old)
    return differences
