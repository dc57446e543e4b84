"""A definition as an outline: its statements with the lines of each, and what they stand in."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.docstrings import is_docstring
from goldwright.code_reading.modules import Definition

# A longer docstring is no remark on what stands below it.
_MOST_DOCSTRING_LINES: Final = 3
# A longer comment is no remark on the statement below it.
_MOST_COMMENT_LINES: Final = 4
_Block = Sequence[ast.stmt]
_TRY: Final = (ast.Try, ast.TryStar)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True, eq=False, slots=True)
class OutlineItem:
    """A simple statement over all its lines, or the lines that open a block.

    Attributes:
        first, last: The lines, from 1, with a short comment right above them.
        node: The statement; the whole of it where a block is opened.
        around: What opens the block that it stands in, an ``if`` for its ``else`` as well; None for
            the head of the definition.
        opens_block: Whether other items stand in it.
    """

    first: int
    last: int
    node: ast.AST
    around: "OutlineItem | None"
    opens_block: bool

    def line_count(self) -> int:
        """Count its lines."""
        return self.last - self.first + 1


def outline(definition: Definition, lines: Sequence[str]) -> list[OutlineItem]:
    """List the items of a definition from top to bottom, its head first, without long docstrings.

    Args:
        definition: A function or class.
        lines: The lines of its file, without their ends.
    """
    return list(_Outline(lines).statement(definition, None))


class _Outline:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def statement(self, node: ast.stmt, around: OutlineItem | None) -> Iterator[OutlineItem]:
        body: _Block = getattr(node, "body", ())
        first = first_line(node)
        if isinstance(node, ast.Match):
            head = self._head(first, node.cases[0].pattern.lineno, node, around)
            yield head
            yield from self._cases(node, head)
            return
        # What stands behind a colon belongs to the line, and the whole of it where there is more.
        if not body or self._begins_inside_line(body[0]):
            last = node.end_lineno or node.lineno
            yield OutlineItem(self._start(first, around), last, node, around, opens_block=False)
            return
        head = self._head(first, first_line(body[0]), node, around)
        yield head
        yield from self._block(body, head)
        yield from self._other_blocks(node, head)

    def _other_blocks(self, node: ast.stmt, head: OutlineItem) -> Iterator[OutlineItem]:
        if isinstance(node, _TRY):
            for handler in node.handlers:
                yield from self._clause(handler, handler.lineno, handler.body, head)
        orelse: _Block = getattr(node, "orelse", ())
        if isinstance(node, ast.If) and self._is_elif(orelse):
            yield from self.statement(orelse[0], head)
        elif isinstance(node, (ast.If, *_LOOPS, *_TRY)):
            yield from self._named_block(orelse, "else", head)
        finalbody: _Block = getattr(node, "finalbody", ())
        yield from self._named_block(finalbody, "finally", head)

    def _is_elif(self, orelse: _Block) -> bool:
        is_single_test = len(orelse) == 1 and isinstance(orelse[0], ast.If)
        return is_single_test and self._text(orelse[0].lineno).startswith("elif")

    def _named_block(self, block: _Block, word: str, around: OutlineItem) -> Iterator[OutlineItem]:
        """Yield what stands behind ``else`` or ``finally``, which have no node of their own."""
        if not block:
            return
        place = first_line(block[0])
        while place > around.first and not self._text(place).startswith(word):
            place -= 1
        head = OutlineItem(place, place, block[0], around, opens_block=True)
        if place < first_line(block[0]):
            yield head
            yield from self._block(block, head)
            return
        # On one line with what it opens.
        last = block[-1].end_lineno or place
        yield OutlineItem(place, last, block[0], around, opens_block=False)

    def _cases(self, node: ast.Match, head: OutlineItem) -> Iterator[OutlineItem]:
        for case in node.cases:
            yield from self._clause(case, case.pattern.lineno, case.body, head)

    def _clause(
        self, node: ast.AST, first: int, block: _Block, around: OutlineItem
    ) -> Iterator[OutlineItem]:
        """Yield an ``except`` or ``case`` with its block."""
        if self._begins_inside_line(block[0]):
            last = block[-1].end_lineno or first
            yield OutlineItem(self._with_comment(first), last, node, around, opens_block=False)
            return
        clause = self._head(first, first_line(block[0]), node, around)
        yield clause
        yield from self._block(block, clause)

    def _begins_inside_line(self, node: ast.stmt) -> bool:
        """Check whether other code stands before a statement on its line."""
        line = self._lines[node.lineno - 1]
        return line[: node.col_offset].strip() != ""

    def _block(self, block: _Block, around: OutlineItem) -> Iterator[OutlineItem]:
        last = 0
        for node in block:
            # What stands behind another statement on its line belongs to that one.
            if not _is_long_docstring(node) and first_line(node) > last:
                yield from self.statement(node, around)
            last = node.end_lineno or node.lineno

    def _head(
        self, first: int, inner: int, node: ast.AST, around: OutlineItem | None
    ) -> OutlineItem:
        """Make the item that opens a block: it ends before the first line of what is inside."""
        last = inner - 1
        while last > first and self._text(last)[:1] in {"", "#"}:
            last -= 1
        return OutlineItem(self._start(first, around), last, node, around, opens_block=True)

    def _start(self, first: int, around: OutlineItem | None) -> int:
        # A comment above the definition as a whole stands outside of it.
        return first if around is None else self._with_comment(first)

    def _with_comment(self, first: int) -> int:
        """Give the first line of a short comment right above a line, or that line."""
        above = first - 1
        indent = self._indent(first)
        while above and self._text(above).startswith("#") and self._indent(above) == indent:
            above -= 1
        is_short = first - 1 - above <= _MOST_COMMENT_LINES
        return above + 1 if is_short else first

    def _text(self, line: int) -> str:
        return self._lines[line - 1].strip()

    def _indent(self, line: int) -> int:
        text = self._lines[line - 1]
        return len(text) - len(text.lstrip())


def _is_long_docstring(node: ast.stmt) -> bool:
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    return is_docstring(node) and lines > _MOST_DOCSTRING_LINES


def first_line(node: ast.stmt) -> int:
    """Give the line on which a statement begins, with its decorators."""
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    return min((decorator.lineno for decorator in decorators), default=node.lineno)
