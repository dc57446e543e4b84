"""Statements that stand in cited lines, with the conditions under which they are reached."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.records import FileRange
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.conditions import (
    CodeTest,
    ReachingCondition,
    conditions_at,
    plain_tests,
    whole_test,
)
from goldwright.trust_card.source.modules import BLOCK_NAMES, FunctionNode

# Files and ranges that the facts of a dataset cite, many of them several times.
_FILES_KEPT: Final = 64
_RANGES_KEPT: Final = 4096


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A statement of a function, and the conditions that surely hold where it is reached."""

    node: ast.stmt
    conditions: tuple[ReachingCondition, ...]

    @property
    def tests(self) -> frozenset[CodeTest]:
        """The tests of all conditions but handlers, one by one and as a whole."""
        tests: set[CodeTest] = set()
        for condition in self.conditions:
            if condition.node is not None and condition.kind != "handler":
                tests.update(plain_tests(condition.node, holds=condition.holds))
                tests.add(whole_test(condition.node, holds=condition.holds))
        return frozenset(tests)


class StatementIndex:
    """Finds the statements of functions in cited lines."""

    def __init__(self, code: CodeReading) -> None:
        self._code = code
        self._in_file = lru_cache(maxsize=_FILES_KEPT)(self._read_file)
        self._in_range = lru_cache(maxsize=_RANGES_KEPT)(self._read_range)

    def at(self, citations: Iterable[FileRange]) -> Iterator[CitedStatement]:
        """Yield the statements that begin, or whose head ends, in lines that are cited."""
        for citation in citations:
            yield from self._in_range(citation.file, citation.start, citation.end)

    def tests_at(self, citations: Iterable[FileRange]) -> frozenset[CodeTest]:
        """The tests on the paths to any statement in cited lines."""
        tests: set[CodeTest] = set()
        for statement in self.at(citations):
            tests.update(statement.tests)
        return frozenset(tests)

    def _read_range(self, path: str, first: int, last: int) -> Sequence[CitedStatement]:
        statements = []
        for node, function in self._in_file(path):
            if node.lineno > last or first > _last_line(node):
                continue
            conditions = conditions_at(function, node)
            if conditions is not None:
                statements.append(CitedStatement(node, conditions))
        return statements

    def _read_file(self, path: str) -> Sequence[tuple[ast.stmt, FunctionNode]]:
        """The statements of a file that stand in a function, each with the innermost one."""
        tree = self._code.parsed(path)
        if tree is None:
            return ()
        return list(_statements_of_functions(tree))


def _statements_of_functions(tree: ast.Module) -> Iterator[tuple[ast.stmt, FunctionNode]]:
    stack: list[tuple[ast.AST, FunctionNode | None]] = [(tree, None)]
    while stack:
        node, function = stack.pop()
        if isinstance(node, FunctionNode):
            function = node
        elif isinstance(node, ast.ClassDef):
            function = None
        elif isinstance(node, ast.stmt) and function is not None:
            yield node, function
        # Statements stand in blocks alone, never in an expression.
        for block_name in BLOCK_NAMES:
            block = getattr(node, block_name, ())
            stack.extend((inner, function) for inner in block)


def _last_line(statement: ast.stmt) -> int:
    """The last line of a statement, or of the head of a compound one."""
    if isinstance(statement, ast.Match):
        return statement.subject.end_lineno or statement.lineno
    block: list[ast.stmt] = getattr(statement, "body", [])
    if not block:
        return statement.end_lineno or statement.lineno
    return max(statement.lineno, block[0].lineno - 1)
