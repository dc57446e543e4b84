"""The text of syntax nodes, as it stands in the source."""

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.code_reading.child_nodes import walk

_LAYOUT: Final = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER})
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


# A node is asked for its text by every kind of inquiry in turn.
_TEXTS_IN_MEMORY: Final = 4096


@dataclass(frozen=True, slots=True, eq=False)
class NodeText:
    """Cuts the text of nodes out of the lines that they were parsed from.

    Attributes:
        lines: The lines of the parsed text, without their ends.
        first_line: The number that the parser gave the first of them.
    """

    lines: Sequence[str]
    first_line: int = 1

    def of(self, node: ast.AST | None) -> str:
        """Give the text of a node on one line, each run of blanks outside strings as one blank.

        A node over several lines loses its comments and line ends; empty for no node, and for one
        that the parser has not given a place.
        """
        if node is None:
            return ""
        start = getattr(node, "lineno", None)
        end = getattr(node, "end_lineno", None)
        if start is None or end is None:
            return ""
        first = start - self.first_line
        last = end - self.first_line
        begin = getattr(node, "col_offset", 0)
        stop = getattr(node, "end_col_offset", 0)
        if first == last:
            return _cut(self.lines[first], begin, stop)
        if _holds_long_string(node):
            return ""
        lines = self.lines[first : last + 1]
        return _on_one_line(_cut_lines(lines, begin, stop))


def _cut(line: str, begin: int, stop: int) -> str:
    """Cut a line at the offsets of the parser, which count bytes of UTF-8."""
    if line.isascii():
        return line[begin:stop]
    data = line.encode("utf-8", "surrogatepass")
    return data[begin:stop].decode("utf-8", "replace")


def _cut_lines(lines: Sequence[str], begin: int, stop: int) -> str:
    """Cut consecutive lines, the first one and the last one at the offsets of the parser."""
    length = len(lines[0].encode("utf-8", "surrogatepass"))
    first = _cut(lines[0], begin, length)
    last = _cut(lines[-1], 0, stop)
    between = lines[1:-1]
    return "\n".join([first, *between, last])


@lru_cache(maxsize=_TEXTS_IN_MEMORY)
def _on_one_line(text: str) -> str:
    """Write code over several lines on one, without its comments and the layout at line ends."""
    joined = ""
    end = (1, 0)
    previous = ""
    for token in _code_tokens(text):
        is_new_line = token.start[0] != end[0]
        gap = "" if is_new_line else " " * (token.start[1] - end[1])
        if is_new_line and previous not in _OPENING and token.string not in _CLOSING:
            gap = " "
        if is_new_line and token.string in _CLOSING:
            # A comma at the end of a line in front of a closing bracket is layout too.
            joined = joined.rstrip(",")
        joined += f"{gap}{token.string}" if joined else token.string
        end, previous = token.end, token.string
    return joined


def _code_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    # Brackets around the whole make line ends inside an expression plain blanks.
    bracketed = io.StringIO(f"({text}\n)")
    tokens = list(tokenize.generate_tokens(bracketed.readline))
    code = [token for token in tokens if token.type not in _LAYOUT]
    for token in code[1:-1]:
        shift = 1 if token.start[0] == 1 else 0
        start = (token.start[0], token.start[1] - shift)
        end_shift = 1 if token.end[0] == 1 else 0
        end = (token.end[0], token.end[1] - end_shift)
        yield token._replace(start=start, end=end)


def _holds_long_string(node: ast.AST) -> bool:
    """Check whether a string inside goes over a line end: it cannot be shown on one line."""
    for inner in walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and "\n" in inner.value:
            return True
    return False
