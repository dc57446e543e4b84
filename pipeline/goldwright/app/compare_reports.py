"""Comparing two evaluations that were saved."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.evaluation.report import EvaluationReport, read_report
from goldwright.evaluation.report_comparison import MeasureComparison, compare_reports
from goldwright.golden.loading import read_bytes

# Settles the draws of the permutation test, so that the same files give the same p-values.
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """Two evaluations of one dataset, and every measure that both hold."""

    before: EvaluationReport
    after: EvaluationReport
    measures: tuple[MeasureComparison, ...]


def compare_report_files(before_path: Path, after_path: Path) -> ReportComparison:
    """Compare two files that ``goldwright eval --json`` or ``--out`` wrote.

    Raises:
        InputError: One of them is not an evaluation, or they were not made in the same way.
    """
    before = _read(before_path)
    after = _read(after_path)
    return ReportComparison(before, after, compare_reports(before, after, seed=SEED))


def _read(path: Path) -> EvaluationReport:
    return read_report(read_bytes(path, content="evaluation"), source=str(path))
