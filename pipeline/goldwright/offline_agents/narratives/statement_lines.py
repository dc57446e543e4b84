"""Which lines of a statement an excerpt quotes, and how far its gaps are indented."""

import ast
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from goldwright.code_reading.outlines import OutlineItem

# The parameters of a longer head are another matter than what is done with them.
_MOST_HEAD_LINES: Final = 6
_HEADS_IN_MEMORY: Final = 1024
_LEAVES: Final = re.compile(r"\s*(?:return|raise|continue|break)\b")
_GOES_ON: Final = re.compile(r"\s*(?:elif|else|except|finally)\b")


def quoted_lines(item: OutlineItem) -> Sequence[int]:
    """Give the lines of an item that are quoted.

    A long head goes without its decorators, and of a long list of parameters its two ends do.
    """
    is_head = item.around is None and item.opens_block
    lines = range(item.first, item.last + 1)
    if is_head and len(lines) > _MOST_HEAD_LINES:
        first_line = getattr(item.node, "lineno", item.first)
        lines = range(first_line, item.last + 1)
    if not is_head or len(lines) <= _MOST_HEAD_LINES:
        return lines
    # Where the last line is half of a parameter, it is no end of a head.
    annotation = getattr(item.node, "returns", None)
    last_parameter_line = _last_parameter_line(item.node)
    is_cut_cleanly = last_parameter_line < (annotation.lineno if annotation else item.last)
    is_clean = is_cut_cleanly and last_parameter_line < item.last
    return (lines[0], item.last) if is_clean else lines


def quoted_line_count(items: Iterable[OutlineItem]) -> int:
    """Count the lines of items that are quoted."""
    return sum(len(quoted_lines(item)) for item in items)


@lru_cache(maxsize=_HEADS_IN_MEMORY)
def _last_parameter_line(definition: ast.AST) -> int:
    """Give the last line on which a parameter of a function stands; 0 for a class."""
    arguments = getattr(definition, "args", None)
    if not isinstance(arguments, ast.arguments):
        return 0
    nodes = [node for node in ast.walk(arguments) if isinstance(node, ast.arg | ast.expr)]
    return max((node.end_lineno or 0 for node in nodes), default=0)


def gap_indent(left_out: Sequence[str], around: Sequence[str]) -> str:
    """Give the indentation of the first code that is left out, or the deeper one around it.

    Comments may stand anywhere; behind what leaves a block, they belong to what follows.
    """
    code = [line for line in left_out if is_code(line)]
    before, after = around
    if not code and _LEAVES.match(before) and not _GOES_ON.match(after):
        return indent_of(after)
    deciding_lines = code[:1] or around
    return max(map(indent_of, deciding_lines), key=len)


def is_code(line: str) -> bool:
    """Find out whether a line holds more than a comment."""
    is_comment = line.lstrip().startswith("#")
    return line != "" and not is_comment


def indent_of(line: str) -> str:
    """Give the blanks at the beginning of a line."""
    return line.removesuffix(line.lstrip())
