"""Which lines of a text are which lines of a newer version of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple


class Lines(NamedTuple):
    """Consecutive lines by their indices from 0: the first, and the one after the last."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines that are the same in both versions, as many as ``length`` from either index."""

    old: int
    new: int
    length: int


class LineAlignment:
    """Two versions of a text, aligned by their longest common runs of lines, as ``diff`` does."""

    def __init__(self, old_lines: Sequence[str], new_lines: Sequence[str]) -> None:
        self._old_lines = old_lines
        self._new_lines = new_lines
        # Every line counts: what is frequent in code (``return None``) is cited, too.
        matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
        blocks = matcher.get_matching_blocks()
        self._runs = [_Run(*block) for block in blocks if block.size]

    def place(self, cited: Lines) -> Lines | None:
        """Give the lines that all cited lines became unchanged; None where a line changed.

        Lines whose text stands in either version more than once need a neighbour that came along:
        the same ``return None`` under another condition is another line.
        """
        for run in self._runs:
            if not (run.old <= cited.first and cited.end <= run.old + run.length):
                continue
            is_known_by_neighbour = run.length > cited.end - cited.first
            if is_known_by_neighbour or self._is_unique(cited):
                shift = run.new - run.old
                return Lines(cited.first + shift, cited.end + shift)
        return None

    def nearest(self, cited: Lines) -> Lines | None:
        """Give the lines between the unchanged lines around the cited ones; None for no lines."""
        first = 0
        end = len(self._new_lines)
        for run in self._runs:
            first = max(first, _new_index_before(run, cited.first))
            if run.old + run.length >= cited.end:
                inside = max(cited.end - run.old, 0)
                end = min(end, run.new + inside)
        if first >= end:
            return None
        return Lines(first, end)

    def _is_unique(self, cited: Lines) -> bool:
        text = self._old_lines[cited.first : cited.end]
        old_count = _count(text, self._old_lines)
        return old_count == 1 and _count(text, self._new_lines) == 1


def _new_index_before(run: _Run, old_index: int) -> int:
    """Give the index in the newer version up to which a run comes before an old line."""
    if run.old >= old_index:
        return 0
    lines_before = old_index - run.old
    return run.new + min(run.length, lines_before)


def _count(text: Sequence[str], lines: Sequence[str]) -> int:
    length = len(text)
    starts = range(len(lines) - length + 1)
    return sum(lines[start : start + length] == text for start in starts)
