"""Comparing two evaluations that were saved."""

from pathlib import Path

from goldwright.evaluation.report import EvaluationReport, read_report
from goldwright.evaluation.report_comparison import ReportComparison, compare_in_full
from goldwright.golden.loading import read_bytes


def compare_report_files(before_path: Path, after_path: Path) -> ReportComparison:
    """Compare two files that ``goldwright eval --json`` or ``--out`` wrote.

    Raises:
        InputError: One of them is not an evaluation, or they were not made in the same way.
    """
    return compare_in_full(read_report_file(before_path), read_report_file(after_path))


def read_report_file(path: Path) -> EvaluationReport:
    """Read an evaluation that was saved.

    Raises:
        InputError: It cannot be read, or is no evaluation.
    """
    return read_report(read_bytes(path, content="evaluation"), source=str(path))
