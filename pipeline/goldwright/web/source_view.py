"""The cited source as rows of highlighted lines, cut to what the claims of a record cite."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_for_filename
from pygments.lexers.python import PythonLexer
from pygments.lexers.special import TextLexer

from goldwright.records import FileRange
from goldwright.scanners.secrets import is_secret_file
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible

# Lines of context around a cited range.
LINES_BEFORE: Final = 5
LINES_AFTER: Final = 8
# Windows with this many lines or fewer between them are joined.
SMALLEST_GAP: Final = 2
# Of a longer range only the beginning is shown; the button for the whole file shows the rest.
LONGEST_WINDOW: Final = 400
# In characters; longer lines, as in minified code, are cut.
LONGEST_LINE: Final = 400
# In characters. Larger files are shown without colours, since a person waits for the page.
LARGEST_HIGHLIGHTED: Final = 400_000
# Of a file that is shown in full; with more rows, keys would lag.
MOST_LINES: Final = 5000
_CACHED_FILES: Final = 64
_FORMATTER: Final = HtmlFormatter(nowrap=True, classprefix="t-")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One line: its number from 1, its text as markup, and whether any claim cites it."""

    number: int
    markup: Markup
    is_cited: bool


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """Neighbouring lines; ``skipped`` counts the lines between the window before and this one."""

    rows: tuple[SourceRow, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class SourcePane:
    """One cited file.

    Attributes:
        file: Its path.
        windows: The lines that are shown.
        line_count: The lines of the whole file.
        is_whole: Whether all of them are shown.
        problem: Why there is nothing to show; None for a file of the snapshot.
    """

    file: str
    windows: tuple[SourceWindow, ...]
    line_count: int
    is_whole: bool
    problem: str | None = None


class LineSpan(NamedTuple):
    """Lines of a file, both ends included."""

    first: int
    last: int


class SourceView:
    """Shows files of one snapshot; the last files that were highlighted are kept."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._highlighted = lru_cache(maxsize=_CACHED_FILES)(self._highlight)

    def panes(
        self, ranges: Iterable[FileRange], *, whole_file: str | None = None, line: int = 1
    ) -> tuple[SourcePane, ...]:
        """Show every file of some ranges, in the order in which the files first come up.

        Args:
            ranges: The cited lines; an empty range adds its file and cites nothing.
            whole_file: The file to show in full, if any; one that is not cited comes last, and one
                that is kept private is not shown.
            line: The line of that file around which a very long one is cut.
        """
        ranges_by_file: defaultdict[str, list[FileRange]] = defaultdict(list)
        for cited in ranges:
            ranges_by_file[cited.file].append(cited)
        panes = []
        for file, file_ranges in ranges_by_file.items():
            middle = line if file == whole_file else None
            panes.append(self._pane(file, file_ranges, middle))
        if whole_file is not None and whole_file not in ranges_by_file:
            panes.append(self._opened_pane(whole_file, line))
        return tuple(panes)

    def _opened_pane(self, file: str, line: int) -> SourcePane:
        """Show a file that no claim cites, because a person opened it."""
        if is_secret_file(file):
            problem = "This file is kept private: files of this name hold keys."
            return SourcePane(file, (), 0, is_whole=True, problem=problem)
        return self._pane(file, [], line)

    def _pane(self, file: str, cited: list[FileRange], middle: int | None) -> SourcePane:
        if not self._snapshot.has_text(file):
            problem = "This file is not in the snapshot."
            return SourcePane(file, (), 0, is_whole=True, problem=problem)
        lines = self._highlighted(file)
        count = len(lines)
        spans = _spans_to_show(cited, count)
        if middle is not None:
            spans = [_span_around(middle, count)]
        windows = tuple(_windows(lines, spans, cited))
        shown_lines = sum(len(window.rows) for window in windows)
        is_whole = shown_lines == count
        return SourcePane(file, windows, count, is_whole)

    def _highlight(self, file: str) -> tuple[Markup, ...]:
        source = self._snapshot.source(file)
        lines = [make_visible(line[:LONGEST_LINE]) for line in source.lines]
        text = "\n".join(lines)
        lexer = _lexer(file, len(text))
        highlighted = highlight(text, lexer, _FORMATTER).split("\n")
        # Some lexers drop or add line ends; rows need exactly one piece of markup for each line.
        missing = len(lines) - len(highlighted)
        highlighted += [""] * missing
        # The formatter escapes the source and closes every tag of its own by the end of the line.
        return tuple(Markup(line) for line in highlighted[: len(lines)])  # noqa: S704  # see above


def _span_around(line: int, count: int) -> LineSpan:
    """The whole file, or the most lines of it that a page can hold, with one in their middle."""
    last_start = max(count - MOST_LINES + 1, 1)
    first = min(max(line - MOST_LINES // 2, 1), last_start)
    last = min(first + MOST_LINES - 1, count)
    return LineSpan(first, last)


def _lexer(file: str, size: int) -> Lexer:
    lexer = TextLexer if size > LARGEST_HIGHLIGHTED else _lexer_class(file)
    # Lines must keep their numbers, so nothing is stripped from the text or added to it.
    return lexer(stripnl=False, ensurenl=False)


@lru_cache(maxsize=_CACHED_FILES)
def _lexer_class(file: str) -> type[Lexer]:
    # Pygments compiles the patterns of all of its languages to find one: 0.1 s for each file.
    if file.endswith(".py"):
        return PythonLexer
    return find_lexer_class_for_filename(file) or TextLexer


def _windows(
    lines: Sequence[Markup], spans: Sequence[LineSpan], cited: Sequence[FileRange]
) -> Iterator[SourceWindow]:
    cited_numbers: set[int] = set()
    for file_range in cited:
        cited_numbers.update(_numbers(file_range, len(lines)))
    next_number = 1
    for span in spans:
        rows = []
        for number in range(span.first, span.last + 1):
            is_cited = number in cited_numbers
            row = SourceRow(number, lines[number - 1], is_cited)
            rows.append(row)
        skipped = span.first - next_number
        yield SourceWindow(tuple(rows), skipped)
        next_number = span.last + 1


def _spans_to_show(cited: Sequence[FileRange], line_count: int) -> list[LineSpan]:
    """Widen the cited ranges by a few lines and join those that meet or nearly meet."""
    joined: list[LineSpan] = []
    for span in sorted(_widened(cited, line_count)):
        if not joined or span.first > joined[-1].last + SMALLEST_GAP + 1:
            joined.append(span)
            continue
        before = joined.pop()
        last_line = max(before.last, span.last)
        joined.append(LineSpan(before.first, last_line))
    return joined


def _widened(cited: Sequence[FileRange], line_count: int) -> Iterator[LineSpan]:
    for file_range in cited:
        numbers = _numbers(file_range, line_count)
        if not numbers:
            continue
        first_cited = numbers[0]
        farthest = first_cited + LONGEST_WINDOW
        last_cited = min(numbers[-1], farthest)
        first = max(first_cited - LINES_BEFORE, 1)
        last = min(last_cited + LINES_AFTER, line_count)
        yield LineSpan(first, last)


def _numbers(file_range: FileRange, line_count: int) -> range:
    """The numbers of a range's lines that its file has."""
    first = max(file_range.start, 1)
    last = min(file_range.end, line_count)
    return range(first, last + 1)
