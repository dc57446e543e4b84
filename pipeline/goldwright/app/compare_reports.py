"""Comparing two evaluations that were saved."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.evaluation.report import EvaluationReport, read_report
from goldwright.evaluation.report_comparison import MeasureComparison, compare_reports
from goldwright.golden.loading import read_bytes

SEED: Final = 0


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """Two evaluations of one dataset, and every measure that both hold."""

    before: EvaluationReport
    after: EvaluationReport
    measures: tuple[MeasureComparison, ...]


def compare_report_files(before: Path, after: Path) -> ReportComparison:
    """Compare two files that ``goldwright eval --json`` wrote.

    Raises:
        InputError: One of them is none, or they were not made in the same way.
    """
    one, other = (
        read_report(read_bytes(path, what="evaluation"), source=str(path))
        for path in (before, after)
    )
    return ReportComparison(one, other, compare_reports(one, other, seed=SEED))
