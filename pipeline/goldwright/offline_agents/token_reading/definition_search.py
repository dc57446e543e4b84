"""Finding a definition in the text of a file by its name and the indentation around it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.snapshot.entities import Span

# Commands have a decorator of several lines for each of their options.
MOST_DECORATOR_LINES: Final = 300

_DEFINED: Final = re.compile(r"[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_BLANK: Final = re.compile(r"\s*(?:#.*)?$")


def locate(lines: Sequence[str], name: str) -> tuple[Span, ...]:
    """Find every place where a qualified name is defined, first line to the last of its block.

    Decorators are part of it. An assignment counts from its first line to the end of its brackets.
    """
    spans = tuple(_spans_of_definitions(lines, name))
    return spans or tuple(_spans_of_assignments(lines, name))


def _spans_of_definitions(lines: Sequence[str], name: str) -> Iterator[Span]:
    for number in _definitions(lines, name):
        first = _with_decorators(lines, number)
        yield Span(first, _end(lines, number))


def _spans_of_assignments(lines: Sequence[str], name: str) -> Iterator[Span]:
    for number in _assignments(lines, name):
        yield Span(number, _end_of_statement(lines, number))


def _definitions(lines: Sequence[str], name: str) -> Iterator[int]:
    *outer, last = name.split(".")
    escaped_name = re.escape(last)
    pattern = re.compile(rf"[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{escaped_name}\b")
    for number, line in enumerate(lines, start=1):
        if last in line and pattern.match(line) and _owners(lines, number) == outer:
            yield number


def _assignments(lines: Sequence[str], name: str) -> Iterator[int]:
    *outer, last = name.split(".")
    escaped_name = re.escape(last)
    pattern = re.compile(
        r"[ \t]*(?:[\w.*(\[]+[ \t]*[,=][ \t]*|for[ \t]|with[ \t].*|import[ \t]|"
        r"from[ \t].*|type[ \t])*"
        rf"\(?{escaped_name}\b"
    )
    for number, line in enumerate(lines, start=1):
        if last in line and pattern.match(line) and _owners(lines, number) == outer:
            yield number


def _owners(lines: Sequence[str], number: int) -> list[str]:
    """Name the definitions around a line, outermost first, by going up where the indentation
    shrinks.
    """
    owners: list[str] = []
    indent = _indent(lines[number - 1])
    for line in reversed(lines[: number - 1]):
        if indent == 0:
            break
        if _BLANK.match(line) or _indent(line) >= indent:
            continue
        if match := _DEFINED.match(line):
            owners.append(match[1])
        elif line.lstrip()[:1] in ")]}":
            continue
        indent = _indent(line)
    return owners[::-1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _with_decorators(lines: Sequence[str], number: int) -> int:
    indent = _indent(lines[number - 1])
    top = number
    for above in range(number - 1, max(0, number - MOST_DECORATOR_LINES), -1):
        line = lines[above - 1]
        if _indent(line) == indent and line.lstrip().startswith("@"):
            top = above
        elif not (_BLANK.match(line) or _indent(line) > indent or line.lstrip()[:1] in ")]}"):
            break
    return top


def _end(lines: Sequence[str], number: int) -> int:
    """Find the last line of a block; text inside brackets and triple quotes does not end it."""
    indent = _indent(lines[number - 1])
    last = number
    for place, is_inside in _open_brackets(lines, number):
        line = lines[place - 1]
        if not is_inside and place > number and not _BLANK.match(line) and _indent(line) <= indent:
            return last
        if is_inside or not _BLANK.match(line):
            last = place
    return last


def _end_of_statement(lines: Sequence[str], number: int) -> int:
    for place, is_inside in _open_brackets(lines, number):
        if place > number and not is_inside:
            return place - 1
    return len(lines)


_MARK: Final = re.compile(r"#.*|[rbfuRBFU]{0,2}(\"\"\"|'''|\"|')|[(\[{]|[)\]}]|\\$")


def _open_brackets(  # noqa: C901  # one arm a form
    lines: Sequence[str], number: int
) -> Iterator[tuple[int, bool]]:
    """Yield each line from one on, and whether it continues brackets, a string or a backslash above
    it.
    """
    depth = 0
    quote = ""
    continued = False
    for place in range(number, len(lines) + 1):
        yield place, bool(depth or quote or continued)
        line, position = lines[place - 1], 0
        continued = False
        while position < len(line):
            if quote:
                end = _closing(line, position, quote)
                if end < 0:
                    break
                position, quote = end + len(quote), ""
                continue
            mark = _MARK.search(line, position)
            if mark is None:
                break
            position = mark.end()
            if mark[1]:
                quote = mark[1]
            elif mark[0][0] in "([{":
                depth += 1
            elif mark[0][0] in ")]}":
                depth = max(0, depth - 1)
            elif mark[0] == "\\":
                continued = True
            else:
                break
        if len(quote) == 1 and not line.endswith("\\"):
            quote = ""


def _closing(line: str, position: int, quote: str) -> int:
    while True:
        end = line.find(quote, position)
        if end < 0:
            return -1
        before = line[:end]
        slashes = len(before) - len(before.rstrip("\\"))
        if slashes % 2 == 0:
            return end
        position = end + 1
