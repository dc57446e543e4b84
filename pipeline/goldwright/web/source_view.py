"""The cited source as rows of highlighted lines, cut to what the claims of a record cite."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from goldwright.records import FileRange
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible

LINES_BEFORE: Final = 5
LINES_AFTER: Final = 8
LONGEST_WINDOW: Final = 400
LONGEST_LINE: Final = 400
LARGEST_HIGHLIGHTED: Final = 400_000
_FORMATTER: Final = HtmlFormatter(nowrap=True, classprefix="t-")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One line: its number from 1, its text as markup, and whether any claim cites it."""

    number: int
    markup: Markup
    is_cited: bool


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """Lines of a file that stand together; ``skipped`` counts those between it and the window
    before.
    """

    rows: tuple[SourceRow, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class SourcePane:
    """One cited file; ``is_whole`` when nothing of it is left out, ``problem`` when there is
    nothing to show.
    """

    file: str
    windows: tuple[SourceWindow, ...]
    line_count: int
    is_whole: bool
    problem: str | None = None


class SourceView:
    """Shows files of one snapshot; what was highlighted once is kept."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._highlighted = lru_cache(maxsize=64)(self._highlight)

    def panes(
        self, ranges: Iterable[FileRange], *, whole: str | None = None
    ) -> tuple[SourcePane, ...]:
        """Show every file of the ranges, in the order in which they first come; ``whole`` names one
        to show in full.
        """
        by_file: dict[str, list[FileRange]] = {}
        for one in ranges:
            by_file.setdefault(one.file, []).append(one)
        return tuple(
            self._pane(file, cited, is_whole=file == whole) for file, cited in by_file.items()
        )

    def _pane(self, file: str, cited: list[FileRange], *, is_whole: bool) -> SourcePane:
        if not self._snapshot.has_text(file):
            return SourcePane(
                file, (), 0, is_whole=True, problem="This file is not in the snapshot."
            )
        lines = self._highlighted(file)
        marked = {number for one in cited for number in _numbers(one, len(lines))}
        spans = [(1, len(lines))] if is_whole else _spans(cited, len(lines))
        windows, shown_to = [], 0
        for first, last in spans:
            rows = tuple(
                SourceRow(number, lines[number - 1], number in marked)
                for number in range(first, last + 1)
            )
            windows.append(SourceWindow(rows, first - shown_to - 1))
            shown_to = last
        shown = sum(len(window.rows) for window in windows)
        return SourcePane(file, tuple(windows), len(lines), is_whole=shown == len(lines))

    def _highlight(self, file: str) -> tuple[Markup, ...]:
        lines = [make_visible(line[:LONGEST_LINE]) for line in self._snapshot.source(file).lines]
        text = "\n".join(lines)
        try:
            lexer = get_lexer_for_filename(file, stripnl=False, ensurenl=False)
        except ClassNotFound:
            lexer = TextLexer(stripnl=False, ensurenl=False)
        if len(text) > LARGEST_HIGHLIGHTED:
            lexer = TextLexer(stripnl=False, ensurenl=False)
        marked = highlight(text, lexer, _FORMATTER).split("\n")
        # The formatter closes every tag at the end of its line and escapes what it did not write
        # itself.
        return tuple(Markup(line) for line in (*marked, *[""] * len(lines))[: len(lines)])  # noqa: S704  # see above


def _numbers(one: FileRange, count: int) -> range:
    return range(max(one.start, 1), min(one.end, count) + 1)


def _spans(cited: Iterable[FileRange], count: int) -> list[tuple[int, int]]:
    """Join the ranges, each with a few lines around it, where they meet."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(_around(cited, count)):
        if merged and first <= merged[-1][1] + 3:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def _around(cited: Iterable[FileRange], count: int) -> Iterator[tuple[int, int]]:
    for one in cited:
        numbers = _numbers(one, count)
        if not numbers:
            continue
        last = min(numbers[-1], numbers[0] + LONGEST_WINDOW)
        yield max(numbers[0] - LINES_BEFORE, 1), min(last + LINES_AFTER, count)
