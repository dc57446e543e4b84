"""Two evaluations of one dataset, compared query by query and measure by measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.errors import InputError
from goldwright.evaluation.report import EvaluationReport, value_of
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.stats.multiple_testing import holm
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs

ALPHA: Final = 0.05


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One measure of two systems; ``adjusted_p`` is the p-value after Holm over all measures of the
    comparison.

    ``bootstrap`` is the 95 % interval of the mean difference from resampling the queries, None
    where all are equal.
    """

    measure: str
    before: float
    after: float
    difference: PairedDifference
    bootstrap: tuple[float, float] | None
    adjusted_p: float

    @property
    def is_shown(self) -> bool:
        """Tell whether the difference is more than chance would give at the 5 % level, over all
        measures.
        """
        return self.adjusted_p < ALPHA


def compare_reports(
    before: EvaluationReport, after: EvaluationReport, *, seed: int
) -> tuple[MeasureComparison, ...]:
    """Compare two systems on every measure that both were scored by.

    Raises:
        InputError: They were not scored on the same queries of the same dataset in the same way.
    """
    _check_alike(before, after)
    names = [
        one for one in before.measures if one in after.measures and not one.startswith("Judged")
    ]
    if not names:
        raise InputError("the two evaluations have no measure in common")
    # A measure that is the only one to differ has to pass Holm's first step.
    first_step = ALPHA / len(names)
    columns = {name: _differences(before, after, name) for name in names}
    found = {
        name: compare_pairs(values, seed=seed, alpha=first_step) for name, values in columns.items()
    }
    resampled = bootstrap_means(columns, seed=seed)
    adjusted = holm({name: one.p_value for name, one in found.items()})
    return tuple(
        MeasureComparison(
            name, before.mean(name), after.mean(name), found[name], resampled[name], adjusted[name]
        )
        for name in names
    )


def _check_alike(before: EvaluationReport, after: EvaluationReport) -> None:
    for what in ("dataset_sha256", "depth", "ties"):
        one, other = getattr(before, what), getattr(after, what)
        if one != other:
            raise InputError(
                f"{what}: {one} in the one, {other} in the other; score both in the same way"
            )
    missing = sorted(before.by_id.keys() ^ after.by_id.keys())
    if missing:
        raise InputError(f"{missing[0]}: was asked in one of the two evaluations only")


def _differences(before: EvaluationReport, after: EvaluationReport, name: str) -> Sequence[float]:
    now = after.by_id
    return [value_of(now[one.query_id], name) - value_of(one, name) for one in before.queries]
