"""Pieces of source as text: expressions as written, messages with their gaps, comments and
summaries.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

GAP: Final = "…"
_SPACE: Final = re.compile(r"\s+")
_ROLE: Final = re.compile(r":[\w:+.-]+:`~?([^`<]*?)(?:\s*<[^`>]*>)?`")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)|`([^`<]+?)\s*<[^`>]*>`_+")
_SENTENCE_END: Final = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?](?=\s+[A-Z\"'`:*]|\s*$)")


class SourcePage:
    """Consecutive lines of a file; ``first`` is the number of the first one."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.lines = lines
        self.first = first
        self.last = first + len(lines) - 1

    def line(self, number: int) -> str:
        """The text of one line of the file."""
        return self.lines[number - self.first]

    def text(self, node: ast.expr | ast.pattern | ast.arg) -> str:
        """The source of an expression on one line, its white space collapsed; empty when a comment
        stands inside.
        """
        last = node.end_lineno or node.lineno
        end = node.end_col_offset or 0
        if node.lineno == last:
            return _cut(self.line(last), node.col_offset, end)
        rows = [self.line(number) for number in range(node.lineno, last + 1)]
        rows[0] = _cut(rows[0], node.col_offset, None)
        rows[-1] = _cut(rows[-1], 0, end)
        if any("#" in row or '"""' in row or "'''" in row or row.endswith("\\") for row in rows):
            return ""
        joined = _SPACE.sub(" ", " ".join(rows))
        return re.sub(r",? ([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", joined)).strip()


def message_of(node: ast.expr) -> str:  # noqa: PLR0911  # one arm a form
    """The literal text of a message, with a gap wherever a value is put in; empty when there is
    none.
    """
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(
                one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else GAP
                for one in values
            )
        case ast.BinOp(op=ast.Mod(), left=left):
            return re.sub(r"%(?:\(\w+\))?[-#0 +]*[\d.]*[sdrifgxa]", GAP, message_of(left))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return (message_of(left) or GAP) + (message_of(right) or GAP)
        case ast.Call(func=ast.Attribute(attr="format", value=value)):
            return re.sub(r"\{[^{}]*\}", GAP, message_of(value))
        case ast.Call(func=ast.Name(id="_" | "gettext" | "__" | "str"), args=[first, *_]):
            return message_of(first)
    return ""


def tidy_message(text: str) -> str:
    """Put a message on one line, gaps joined; empty when nothing of it can be quoted."""
    line = _SPACE.sub(" ", text).strip()
    line = re.sub(rf"{GAP}(?:\s*{GAP})+", GAP, line)
    return line if re.search(r"[A-Za-z]{3}", line) else ""


def whole_line_comments(
    page: SourcePage, first: int, last: int, strings: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold a comment alone, outside the multi-line strings given as line
    pairs.
    """
    for number in range(first, last + 1):
        text = page.line(number).lstrip()
        if text.startswith("#") and not any(start < number <= end for start, end in strings):
            yield number, text.lstrip("#! ").rstrip()


def multi_line_strings(node: ast.AST) -> list[tuple[int, int]]:
    """List first and last line of every string that goes over several lines."""
    return [
        (one.lineno, one.end_lineno or one.lineno)
        for one in ast.walk(node)
        if isinstance(one, ast.Constant | ast.JoinedStr)
        and (one.end_lineno or one.lineno) > one.lineno
    ]


def summary_of(docstring: str | None) -> str:
    """The first sentence of a docstring without markup; empty for none."""
    paragraph = re.split(
        r"\n\s*\n|\n\s*(?:[-*] |\.\. |:\w+|Args:|>>>)", (docstring or "").strip(), maxsplit=1
    )[0]
    text = _ROLE.sub(lambda found: found[1].rpartition(".")[2], paragraph)
    text = _LINK.sub(lambda found: found[1] or found[2], text)
    text = _SPACE.sub(" ", re.sub(r"``?([^`]+)``?", r"\1", text).replace("**", "")).strip()
    end = _SENTENCE_END.search(text)
    return (text[: end.start()] if end else text).strip(" .:;")


def _cut(line: str, start: int, end: int | None) -> str:
    """Cut by byte offsets, as the parser counts them."""
    if line.isascii():
        return line[start:end]
    return line.encode()[start:end].decode(errors="replace")
