"""Comments on lines of their own, and the statements that they stand above."""

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module


@dataclass(frozen=True, slots=True)
class Comment:
    """Consecutive lines of comment above a statement.

    Attributes:
        text: Its words on one line.
        first, last: Its lines.
        statement: The statement right below it.
        is_run_together: Whether a sentence of it begins where none has ended, on a line of its own.
    """

    text: str
    first: int
    last: int
    statement: ast.stmt
    is_run_together: bool


def comments_of(module: Module, function: Function) -> Iterator[Comment]:
    """Yield the comments of a function that stand right above one of its statements.

    What stands above an assertion for type checkers is about what comes behind that.
    """
    blocks = list(_blocks(module, function))
    if not blocks:
        return
    statements = statements_of(function, module.text)
    by_line = {reached.node.lineno: reached.node for reached in statements}
    for block in blocks:
        first, _ = block[0]
        last, _ = block[-1]
        lines = [words for _, words in block if words]
        statement = by_line.get(last + 1)
        if statement is not None and not _is_for_type_checkers(statement):
            neighbours = itertools.pairwise(lines)
            is_run_together = any(itertools.starmap(_begins_anew, neighbours))
            text = " ".join(lines)
            yield Comment(text, first, last, statement, is_run_together)


def _begins_anew(line: str, following: str) -> bool:
    """Check whether a line begins with a capital letter behind one that ends in no sign."""
    is_capitalized = following[:1].isupper() and following[1:2].islower()
    return line[-1].isalnum() and is_capitalized


def _is_for_type_checkers(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert(test=ast.Compare(ops=[ast.IsNot()])):
            return True
        case ast.Assert(test=ast.Call(func=ast.Name(id="isinstance"))):
            return True
        case _:
            return False


def first_line(statement: ast.stmt, module: Module) -> str:
    """Write a statement, or the test of one with a block, as it begins; empty for another one."""
    match statement:
        case ast.If(test=test):
            return _header("if", module.text.of(test))
        case ast.While(test=test):
            return _header("while", module.text.of(test))
        case ast.Try():
            return ""
        case _ if hasattr(statement, "body"):
            return ""
        case _:
            return module.text.of(statement)


def _blocks(module: Module, function: Function) -> Iterator[list[tuple[int, str]]]:
    """Yield comment lines that follow one another, each with its number."""
    block: list[tuple[int, str]] = []
    for line, text in [*_comment_lines(module, function), (0, "")]:
        if block and line != block[-1][0] + 1:
            yield block
            block = []
        block.append((line, text))


def _header(keyword: str, test: str) -> str:
    return f"{keyword} {test}" if test else ""


def _comment_lines(module: Module, function: Function) -> Iterator[tuple[int, str]]:
    first = function.lineno
    last = function.end_lineno or first
    own_lines = module.lines[first - 1 : last]
    lines = enumerate(own_lines, start=first)
    stripped = [(number, line.strip()) for number, line in lines]
    candidates = [(number, line) for number, line in stripped if line.startswith("#")]
    in_strings = _lines_in_strings(function) if candidates else set()
    for number, line in candidates:
        if number not in in_strings:
            words = line.lstrip("#").split()
            yield number, " ".join(words)


def _lines_in_strings(function: Function) -> set[int]:
    """Give the lines inside strings over several lines, where ``#`` begins no comment."""
    lines: set[int] = set()
    for node in walk(function):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            last = node.end_lineno or node.lineno
            lines.update(range(node.lineno + 1, last + 1))
    return lines
