"""The lines that bear an answer out, quoted instead of spoken.

An excerpt shows whole statements of one definition, each below everything that it stands in, so
that no condition is lost. What is left out between them is a gap.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from goldwright.code_blocks import GAP, code_block
from goldwright.code_reading.modules import Module
from goldwright.code_reading.outlines import OutlineItem, outline
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.narratives.leaving_statements import leaving_statements
from goldwright.offline_agents.narratives.statement_lines import (
    gap_indent,
    indent_of,
    is_code,
    quoted_line_count,
    quoted_lines,
)
from goldwright.records import FileRange

# As much code as is read at a glance, in an answer that is read at a glance too.
MOST_LINES: Final = 20
# A line of more characters is read by nobody where it is quoted.
LONGEST_LINE: Final = 120
# A way out of more lines says more than that it leaves.
_MOST_LEAVING_LINES: Final = 3
# What is no longer than this is read as fast as a gap.
_SHORTEST_GAP: Final = 2
# The end of a block that is no longer than this is read with what stands before it.
_LONGEST_END: Final = 3
# Statements that far away have nothing to do with each other.
_FARTHEST: Final = 8
# Characters by which a part of a message is known.
_SHORTEST_PART: Final = 5
_LONGEST_BEGINNING: Final = 12
_LANGUAGE: Final = "python"
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FENCE: Final = "```"


@dataclass
class CodeExcerpt:
    """Some statements of a definition; more can be taken in.

    Attributes:
        entity_id: The definition.
        module: Its file.
        items: All its statements, its head first.
        unsaid: Words that no quoted line may have.
        shown: Those that are shown.
        decisive: Those of them for which the excerpt is there; others stand around these.
    """

    entity_id: str
    module: Module
    items: Sequence[OutlineItem]
    unsaid: Collection[str] = ()
    shown: set[OutlineItem] = field(default_factory=set)
    decisive: frozenset[OutlineItem] = frozenset()
    _texts: dict[tuple[int, str], str] = field(default_factory=dict)

    def lines(self) -> int:
        """Count the lines that are shown, but for gaps."""
        return quoted_line_count(self.shown)

    def take(self, wanted: Iterable[OutlineItem], most_lines: int = MOST_LINES) -> bool:
        """Show what bears something out, if there is room for all that has to be shown with it.

        Returns:
            Whether more is shown now.
        """
        is_taken = self._show(wanted, most_lines)
        if is_taken:
            self.decisive = frozenset(self.shown)
        return is_taken

    def _show(self, wanted: Iterable[OutlineItem], most_lines: int) -> bool:
        added = self._with_what_belongs_to(wanted) - self.shown
        room = most_lines - self.lines()
        if not added or not all(map(self._is_readable, added)):
            return False
        if quoted_line_count(added) > room:
            return False
        self.shown |= added
        return True

    def _with_what_belongs_to(self, wanted: Iterable[OutlineItem]) -> set[OutlineItem]:
        """Add what items stand in, what ends a ``try``, and the ways out of checks."""
        items: set[OutlineItem] = set()
        for item in wanted:
            items.update(_with_surroundings(item))
        clauses = [item for item in self.items if _ends_try(item)]
        items.update(clause for clause in clauses if clause.around in items)
        for item in list(self._ways_out(items | self.shown)):
            items.update(_with_surroundings(item))
        return items

    def _ways_out(self, shown: AbstractSet[OutlineItem]) -> Iterator[OutlineItem]:
        """Yield what leaves at the end of checks and clauses.

        A check alone would say nothing, and what is shown behind it is reached where it did not
        leave.
        """
        by_node = {item.node: item for item in self.items if not _is_unnamed_head(item)}
        last_shown = max((item.last for item in shown), default=0)
        for check in shown:
            if not isinstance(check.node, ast.If | ast.ExceptHandler) or _is_unnamed_head(check):
                continue
            is_bare = all(item.around is not check for item in shown)
            is_passed = last_shown > _end_of(check)
            otherwise = check.node.orelse if isinstance(check.node, ast.If) else []
            blocks = [check.node.body] if is_bare or is_passed else []
            blocks += [otherwise] if otherwise and is_passed else []
            for block in blocks:
                leaving = [by_node[node] for node in leaving_statements(block) if node in by_node]
                if all(item.line_count() <= _MOST_LEAVING_LINES for item in leaving):
                    yield from leaving

    def on(self, ranges: Iterable[FileRange]) -> list[OutlineItem]:
        """List the statements that have one of some lines."""
        path = path_of(self.entity_id)
        own = [lines for lines in ranges if lines.file == path]
        return [item for item in self.items if any(_overlap(item, lines) for lines in own)]

    def decisive_lines(self) -> list[FileRange]:
        """List the lines for which the excerpt is there."""
        path = path_of(self.entity_id)
        return [FileRange(file=path, start=item.first, end=item.last) for item in self.decisive]

    def shows(self, ranges: Iterable[FileRange]) -> bool:
        """Find out whether all of some lines are shown."""
        numbers = {number for item in self.shown for number in quoted_lines(item)}
        own_path = path_of(self.entity_id)
        for lines in ranges:
            wanted = set(range(lines.start, lines.end + 1))
            if lines.file != own_path or not wanted <= numbers:
                return False
        return True

    def word_count(self) -> int:
        """Count the words that are shown: what blanks separate."""
        numbers = [number for item in self.shown for number in quoted_lines(item)]
        shown_lines = map(self._line, numbers)
        return sum(len(line.split()) for line in shown_lines)

    def grow(self, most_lines: int = MOST_LINES, *, is_far: bool = False) -> bool:
        """Show one statement more, the nearest to the decisive ones that there is room for.

        Args:
            most_lines: How many lines may be shown then.
            is_far: Whether it may stand as far away as where it has nothing to do with these.

        Returns:
            Whether one is shown.
        """
        farthest = len(self.items) if is_far else _FARTHEST
        for place in self._hidden_places(farthest):
            wanted = _with_first_statement(self.items, place)
            if self._show(wanted, most_lines):
                return True
        return False

    def close_gaps(self, most_lines: int) -> bool:
        """Show what is left out where it is hardly longer than a gap; tell whether that is any."""
        before = len(self.shown)
        for gap in self._gaps():
            if quoted_line_count(gap) <= _SHORTEST_GAP:
                self._show(gap, most_lines)
        end_of_block = self._end_of_block()
        if quoted_line_count(end_of_block) <= _LONGEST_END:
            self._show(end_of_block, most_lines)
        rest = self.items[self._last_place() + 1 :]
        is_short = quoted_line_count(rest) <= _SHORTEST_GAP
        if is_short and not any(map(_is_definition_inside, rest)):
            self._show(rest, most_lines)
        return len(self.shown) > before

    def _end_of_block(self) -> list[OutlineItem]:
        """List what stands behind the last statement that is shown, to the end of its block."""
        last_place = self._last_place()
        block = self.items[last_place].around
        if block is None:
            return []
        following = self.items[last_place + 1 :]
        end = [item for item in following if _stands_in(item, block)]
        return [] if any(map(_is_definition_inside, end)) else end

    def _gaps(self) -> list[list[OutlineItem]]:
        """List what is left out before the last statement that is shown, block by block.

        A block that is left out with its head belongs to what stands around it.
        """
        before_last = self.items[: self._last_place()]
        runs = groupby(before_last, key=lambda item: (item in self.shown, self._shown(item)))
        gaps = [list(run) for (is_shown, _), run in runs if not is_shown]
        return [gap for gap in gaps if not any(map(_is_definition_inside, gap))]

    def _shown(self, item: OutlineItem) -> OutlineItem | None:
        """Give the innermost of what an item stands in that is shown."""
        _, *around = _with_surroundings(item)
        return next((surrounding for surrounding in around if surrounding in self.shown), None)

    def _places(self, wanted: AbstractSet[OutlineItem]) -> list[int]:
        """List the places of some statements, from top to bottom."""
        return [place for place, item in enumerate(self.items) if item in wanted]

    def _last_place(self) -> int:
        """Give the place of the last statement that is shown; 0 for none."""
        return max(self._places(self.shown), default=0)

    def _hidden_places(self, farthest: int) -> Iterator[int]:
        """Yield the places of what is not shown, the nearest first; below, and then above."""
        places = self._places(self.decisive)
        # The head is there for whatever stands below it, and nothing is near for being below it.
        centres = places[1:] or places
        seen = set(self._places(self.shown))
        for distance in range(1, farthest):
            for place in (*(p + distance for p in centres), *(p - distance for p in centres)):
                if not 0 <= place < len(self.items) or place in seen:
                    continue
                seen.add(place)
                # What a function defines inside is another function, and quoted for itself.
                if not _is_definition_inside(self.items[place]):
                    yield place

    def text(self, *, is_titled: bool = False) -> str:
        """Write what is shown as a block of code, with the name of the definition if wanted."""
        title = name_of(self.entity_id) if is_titled else ""
        # Its words are counted again and again while others grow; what is shown only becomes more.
        key = (len(self.shown), title)
        if key not in self._texts:
            self._texts[key] = code_block(list(self._written_lines()), _LANGUAGE, title)
        return self._texts[key]

    def _written_lines(self) -> Iterator[str]:
        """Yield the lines that are shown, with a gap wherever something stands between two."""
        shown = [item for item in self.items if item in self.shown]
        quoted = [(number, item) for item in shown for number in quoted_lines(item)]
        numbers = [number for number, _ in quoted]
        # The head of a block alone would be no code.
        last_item = shown[-1]
        end = last_item.last + 1 if last_item.opens_block else last_item.last
        lines = [self._line(number) for number in numbers]
        indent = min(len(indent_of(line)) for line in lines)
        last = numbers[0] - 1
        item_before = shown[0]
        for number, item in (*quoted, (end + 1, last_item)):
            left_out = [self._line(between) for between in range(last + 1, number)]
            if any(left_out):
                around = (self._line(item_before.first), self._line(number))
                indent_of_gap = gap_indent(left_out, around)
                yield f"{indent_of_gap[indent:]}{GAP}"
                outer_indent = self._indent_of_what_follows(last, number)
                # The rest of a block and what stands behind that block are two gaps.
                if outer_indent is not None and len(outer_indent) < len(indent_of_gap):
                    yield f"{outer_indent[indent:]}{GAP}"
            if number <= end and number in numbers:
                yield self._line(number)[indent:]
            last, item_before = number, item
        if not last_item.opens_block:
            yield from self._gap_at_end(last, indent)

    def _indent_of_what_follows(self, last: int, number: int) -> str | None:
        """Give the indentation of definitions that are left out before a line; None for none.

        Where one is left out behind the rest of another, nobody should take it for not there.
        """
        left_out = [item for item in self.items if last < item.first < number]
        starts = [item.first for item in left_out if isinstance(item.node, _DEFINITIONS)]
        indents = (indent_of(self._line(start)) for start in starts)
        return min(indents, key=len, default=None)

    def _gap_at_end(self, last: int, indent: int) -> Iterator[str]:
        """Yield a gap where the definition goes on behind the last line that is shown."""
        end_of_definition = max(item.last for item in self.items)
        following = map(self._line, range(last, end_of_definition + 1))
        code = [line for line in following if is_code(line)]
        if code:
            indent_of_code = indent_of(code[0])
            yield f"{indent_of_code[indent:]}{GAP}"

    def _line(self, number: int) -> str:
        """Give a line without blanks at its end; empty for a blank line, or behind the file."""
        if number > len(self.module.lines):
            return ""
        return self.module.lines[number - 1].rstrip()

    def _is_readable(self, item: OutlineItem) -> bool:
        lines = [self._line(number) for number in quoted_lines(item)]
        text = " ".join(lines)
        if any(beginning in text for words in self.unsaid for beginning in _beginnings(words)):
            return False
        if any(_FENCE in line for line in lines):
            return False
        return all(len(line) <= LONGEST_LINE for line in lines)


def open_excerpt(
    entity_id: str, code: CodeContext, unsaid: Collection[str] = ()
) -> CodeExcerpt | None:
    """Begin an excerpt that shows nothing yet; None where a definition cannot be read."""
    module = code.module(path_of(entity_id))
    name = name_of(entity_id)
    if module is None or name not in module.definitions or name in module.repeated:
        return None
    items = outline(module.definitions[name], module.lines)
    return CodeExcerpt(entity_id, module, items, unsaid)


def _ends_try(item: OutlineItem) -> bool:
    """Find out whether an item is an ``except`` or, behind none, the ``finally`` of a ``try``."""
    opened = None if item.around is None else item.around.node
    if not isinstance(opened, ast.Try | ast.TryStar):
        return False
    if isinstance(item.node, ast.ExceptHandler):
        return True
    return not opened.handlers and item.node in opened.finalbody[:1]


def _is_unnamed_head(item: OutlineItem) -> bool:
    """Find out whether an item is an ``else`` or ``finally``, which goes by its first statement."""
    line_of_node = getattr(item.node, "lineno", item.last)
    return item.opens_block and item.last < line_of_node


def _end_of(check: OutlineItem) -> int:
    """Give the last line of a test with its branches, or of the ``try`` around a clause."""
    node = check.node
    if isinstance(node, ast.ExceptHandler) and check.around is not None:
        node = check.around.node
    return getattr(node, "end_lineno", None) or check.last


def _with_surroundings(item: OutlineItem) -> Iterator[OutlineItem]:
    """Yield an item and what it stands in."""
    current: OutlineItem | None = item
    while current is not None:
        yield current
        current = current.around


def _is_definition_inside(item: OutlineItem) -> bool:
    """Find out whether an item belongs to a definition inside of a function."""
    *inner, outermost = _with_surroundings(item)
    if isinstance(outermost.node, ast.ClassDef):
        return False
    return any(isinstance(surrounding.node, _DEFINITIONS) for surrounding in inner)


def _stands_in(item: OutlineItem, block: OutlineItem) -> bool:
    return any(surrounding is block for surrounding in _with_surroundings(item))


def _with_first_statement(items: Sequence[OutlineItem], place: int) -> Iterator[OutlineItem]:
    """Give an item, and for one that opens a block the first statement inside."""
    item = items[place]
    yield item
    if item.opens_block:
        following = items[place + 1 :]
        inner = [candidate for candidate in following if candidate.around is item]
        yield from inner[:1]


def _overlap(item: OutlineItem, lines: FileRange) -> bool:
    return item.first <= lines.end and lines.start <= item.last


def _beginnings(message: str) -> Iterator[str]:
    """Yield how the fixed parts of a message begin, which code may break over several lines."""
    for part in message.split("…"):
        if len(part.strip()) >= _SHORTEST_PART:
            yield part.strip()[:_LONGEST_BEGINNING]
