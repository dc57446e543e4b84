"""Statements that stand in cited lines, with the conditions under which they are reached."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldwright.records import FileRange
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.conditions import (
    CodeTest,
    PathCondition,
    conditions_at,
    plain_tests,
)
from goldwright.trust_card.source.modules import DefinitionNode


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A statement of a function, and the conditions that surely hold where it is reached."""

    node: ast.stmt
    conditions: tuple[PathCondition, ...]

    @property
    def tests(self) -> frozenset[CodeTest]:
        """The tests of all conditions but handlers, as they come out on the path."""
        tests: set[CodeTest] = set()
        for condition in self.conditions:
            if condition.node is not None and condition.kind != "handler":
                tests.update(plain_tests(condition.node, holds=condition.holds))
        return frozenset(tests)


def cited_statements(citations: Sequence[FileRange], code: CodeReading) -> Iterator[CitedStatement]:
    """Yield the statements of functions in cited lines."""
    for citation in citations:
        for statement in _statements_in(citation, code):
            function = code.function_at(citation.file, statement.lineno)
            if function is None:
                continue
            conditions = conditions_at(function, statement)
            if conditions is not None:
                yield CitedStatement(statement, conditions)


def tests_at(citations: Sequence[FileRange], code: CodeReading) -> frozenset[CodeTest]:
    """The tests on the paths to any statement in cited lines."""
    tests: set[CodeTest] = set()
    for statement in cited_statements(citations, code):
        tests.update(statement.tests)
    return frozenset(tests)


def _statements_in(citation: FileRange, code: CodeReading) -> Iterator[ast.stmt]:
    """Yield the statements that share a line with a citation; of compound ones the head counts."""
    tree = code.parsed(citation.file)
    if tree is None:
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or isinstance(node, DefinitionNode):
            continue
        if node.lineno <= citation.end and citation.start <= _last_line(node):
            yield node


def _last_line(statement: ast.stmt) -> int:
    if isinstance(statement, ast.Match):
        return statement.subject.end_lineno or statement.lineno
    block: list[ast.stmt] = getattr(statement, "body", [])
    if not block:
        return statement.end_lineno or statement.lineno
    return max(statement.lineno, block[0].lineno - 1)
