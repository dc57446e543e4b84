"""Comparing two evaluations that were saved."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.evaluation.comparison import Compared, compare
from goldwright.evaluation.report import Report, read_report
from goldwright.golden.loading import read_bytes

SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluations of one dataset, and every measure that both hold."""

    before: Report
    after: Report
    measures: tuple[Compared, ...]


def compare_files(before: Path, after: Path) -> Comparison:
    """Compare two files that ``goldwright eval --json`` wrote.

    Raises:
        InputError: One of them is none, or they were not made in the same way.
    """
    one, other = (read_report(read_bytes(path, what="evaluation"), source=str(path)) for path in (before, after))
    return Comparison(one, other, compare(one, other, seed=SEED))
