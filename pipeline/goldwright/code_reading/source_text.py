"""The text of syntax nodes, as it stands in the source."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NodeText:
    """Cuts the text of nodes out of the lines that they were parsed from.

    Attributes:
        lines: The lines of the parsed text, without their ends.
        first_line: The number that the parser gave the first of them.
    """

    lines: Sequence[str]
    first_line: int = 1

    def of(self, node: ast.AST) -> str:
        """Give the text of a node on one line, each run of blanks outside strings as one blank.

        A node over several lines loses its comments and line ends; empty for a node that the
        parser has not given a place.
        """
        start, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if start is None or end is None:
            return ""
        first, last = start - self.first_line, end - self.first_line
        begin, stop = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        if first == last:
            return _cut(self.lines[first], begin, stop)
        if _holds_long_string(node):
            return ""
        # Comments and line ends inside a node are layout: the parser's own writing has none.
        return ast.unparse(node)


def _cut(line: str, begin: int, stop: int) -> str:
    """Cut a line at the offsets of the parser, which count bytes of UTF-8."""
    if line.isascii():
        return line[begin:stop]
    return line.encode("utf-8", "surrogatepass")[begin:stop].decode("utf-8", "replace")


def _holds_long_string(node: ast.AST) -> bool:
    """Find out whether a string inside goes over a line end: it cannot be shown on one line."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and "\n" in inner.value:
            return True
    return False
