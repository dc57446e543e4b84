"""Which lines a set of ranges covers."""

from collections.abc import Iterable
from dataclasses import dataclass

from goldwright.records import FileRange


@dataclass(slots=True)
class LineRun:
    """Lines without a gap, both ends included."""

    first: int
    last: int


class LineCoverage:
    """The union of ranges. Ranges that overlap or touch become one; ranges without lines count not.

    So two readings of neighbouring lines cover what one reading of all of them would.
    """

    def __init__(self, ranges: Iterable[FileRange]) -> None:
        self._runs: dict[str, list[LineRun]] = {}
        for file_range in sorted(ranges, key=_start):
            self._add(file_range)

    def covers(self, file_range: FileRange) -> bool:
        """Whether every line of a range is covered."""
        runs = self._runs.get(file_range.file, ())
        return any(run.first <= file_range.start and file_range.end <= run.last for run in runs)

    def _add(self, file_range: FileRange) -> None:
        runs = self._runs.setdefault(file_range.file, [])
        if runs and file_range.start <= runs[-1].last + 1:
            runs[-1].last = max(runs[-1].last, file_range.end)
        elif file_range.start <= file_range.end:
            runs.append(LineRun(file_range.start, file_range.end))


def _start(file_range: FileRange) -> int:
    return file_range.start
