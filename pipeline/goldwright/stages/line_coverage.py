"""Which lines a set of ranges covers."""

from collections.abc import Iterable
from dataclasses import dataclass

from goldwright.records import FileRange


@dataclass(slots=True)
class LineRun:
    """Lines without a gap, both ends included."""

    start: int
    end: int


class LineCoverage:
    """The union of ranges, file by file.

    Ranges that overlap or touch become one, so two readings of neighbouring lines cover what one
    reading of all of them would. Ranges that end before they start add nothing.
    """

    def __init__(self, ranges: Iterable[FileRange]) -> None:
        self._runs: dict[str, list[LineRun]] = {}
        # In this order a range can only touch the last run of its file.
        for file_range in sorted(ranges, key=_start):
            self._add(file_range)

    def covers(self, file_range: FileRange) -> bool:
        """Whether every line of a range is covered."""
        for run in self._runs.get(file_range.file, ()):
            if run.start <= file_range.start and file_range.end <= run.end:
                return True
        return False

    def touches(self, file_range: FileRange) -> bool:
        """Whether any line of a range is covered."""
        for run in self._runs.get(file_range.file, ()):
            if run.start <= file_range.end and file_range.start <= run.end:
                return True
        return False

    def _add(self, file_range: FileRange) -> None:
        runs = self._runs.setdefault(file_range.file, [])
        if runs and file_range.start <= runs[-1].end + 1:
            last_run = runs[-1]
            last_run.end = max(last_run.end, file_range.end)
        elif file_range.start <= file_range.end:
            run = LineRun(file_range.start, file_range.end)
            runs.append(run)


def _start(file_range: FileRange) -> int:
    return file_range.start
