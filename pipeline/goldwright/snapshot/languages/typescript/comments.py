"""Separating TypeScript code from comments, and lines of templates from lines of code."""

from collections.abc import Sequence
from typing import Final

from goldwright.snapshot.languages.language_port import BLANK, CodeLines, StrippedLines
from goldwright.snapshot.languages.typescript.parsing import (
    Node,
    UnreadableError,
    leaves,
    parse_with_errors,
)

# A line of these alone shows nothing of what a program does.
_PUNCTUATION: Final = frozenset(",;()[]{}`'\"")


def code_lines(text: str) -> CodeLines:
    """Number the lines that hold more than comments and punctuation."""
    lines = text.split("\n")
    root = _tree(lines)
    if root is None:
        return CodeLines(frozenset(), 0)
    numbers: set[int] = set()
    for leaf in leaves(root):
        if leaf.type == "comment" or leaf.type in _PUNCTUATION:
            continue
        first = leaf.start_point[0]
        last = leaf.end_point[0]
        for number in range(first + 1, min(last + 1, len(lines)) + 1):
            if lines[number - 1].strip():
                numbers.add(number)
    return CodeLines(frozenset(numbers), len(lines))


def strip_comments(lines: Sequence[str]) -> StrippedLines:
    """Blank out comments; the number of lines stays."""
    root = _tree(lines)
    if root is None:
        return StrippedLines(tuple(lines), 0)
    stripped = list(lines)
    comments = [leaf for leaf in leaves(root) if leaf.type == "comment"]
    # From the end, so that the columns of what is still to be blanked out stay right.
    for comment in reversed(comments):
        _blank_out(stripped, comment)
    return StrippedLines(tuple(stripped), len(stripped))


def lines_inside_templates(lines: Sequence[str]) -> frozenset[int]:
    """Give the indices of lines that begin inside a template string.

    Where the text cannot be read, any line but the first may.
    """
    if not any("`" in line for line in lines):
        return frozenset()
    root = _tree(lines)
    if root is None or root.has_error:
        # A member of a class is no program by itself, but a class around it is.
        first_line = f"class A {{ {lines[0]}"
        root = _tree([first_line, *lines[1:], "}"])
    if root is None or root.has_error:
        return frozenset(range(1, len(lines)))
    inside: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "template_string":
            first = node.start_point[0] + 1
            last = node.end_point[0]
            inside.update(range(first, last + 1))
        stack.extend(node.children)
    return frozenset(inside)


def _tree(lines: Sequence[str]) -> Node | None:
    data = "\n".join(lines).encode("utf-8", "replace")
    try:
        return parse_with_errors(data)
    except UnreadableError:
        return None


def _blank_out(lines: list[str], comment: Node) -> None:
    first = comment.start_point[0]
    last = comment.end_point[0]
    # Columns count bytes.
    first_data = lines[first].encode("utf-8", "replace")
    head = first_data[: comment.start_point[1]].decode("utf-8")
    last_data = lines[last].encode("utf-8", "replace")
    tail = last_data[comment.end_point[1] :].decode("utf-8")
    if first == last:
        blank = f"/* {BLANK} */"
        if comment.text.startswith(b"//"):
            blank = f"// {BLANK}"
        lines[first] = head + blank + tail
        return
    lines[first] = head + BLANK
    for number in range(first + 1, last):
        lines[number] = BLANK
    lines[last] = BLANK + tail
