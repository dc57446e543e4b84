"""What a careless reader takes for the conditions of a statement: a boundary, a neighbour's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
    Finding,
    Statement,
)
from goldwright.path_conditions import Path

_NAME: Final = r"(?:self\.)?[^\W\d]\w*"
# Each test with what it is misread as; the first that fits is taken.
_MISREADINGS: Final = (
    (re.compile(rf"({_NAME}) is None"), r"not \1"),
    (re.compile(rf"({_NAME}) is not None"), r"\1"),
    (re.compile(rf"({_NAME})"), r"\1 is not None"),
    (re.compile(r"isinstance\((.+), \((\w+), .+\)\)"), r"isinstance(\1, \2)"),
    (re.compile(r"any\((.+)\)"), r"all(\1)"),
    (re.compile(r"all\((.+)\)"), r"any(\1)"),
    (re.compile(r"([^<>=]+) < ([^<>=]+)"), r"\1 <= \2"),
    (re.compile(r"([^<>=]+) > ([^<>=]+)"), r"\1 >= \2"),
    (re.compile(r"([^<>=]+) <= ([^<>=]+)"), r"\1 < \2"),
    (re.compile(r"([^<>=]+) >= ([^<>=]+)"), r"\1 > \2"),
    (re.compile(r"((?:(?! and | or )[^\"'(])+) and ((?:(?! and | or )[^\"'(])+)"), r"\1 or \2"),
    (re.compile(r"((?:(?! and | or )[^\"'(])+) or ((?:(?! and | or )[^\"'(])+)"), r"\1 and \2"),
)


def near_misses(code: CodeContext, finding: Finding) -> Iterator[Finding]:
    """Yield a statement under conditions that are nearly its own: false, and easily said."""
    for path in _misread_paths(finding.statement.conditions):
        yield from _under(code, finding, path)


def under_others(
    code: CodeContext, finding: Finding, others: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield a statement under the conditions of others of its kind in the same function."""
    for other in others:
        is_alike = type(other.statement) is type(finding.statement)
        if is_alike and other.entity_id == finding.entity_id and other.statement.conditions:
            for falsehood in _under(code, finding, other.statement.conditions):
                yield replace(falsehood, also=(*falsehood.also, other.lines))


def _under(code: CodeContext, finding: Finding, path: Path) -> Iterator[Finding]:
    statement = finding.statement
    if not isinstance(statement, ConditionalStatement):
        return
    # Every kind of statement is a dataclass.
    falsehood: Statement = replace(cast("Any", statement), path=path)
    found = find_statements(code, finding.entity_id, (type(statement),))
    if falsehood not in {other.statement for other in found}:
        # It is no condition turned round, of which a record holds one at most.
        yield replace(finding.refuting(falsehood), turns_condition=False)


def _misread_paths(path: Path) -> Iterator[Path]:
    """Yield the path with one test misread, the test nearest to the end first."""
    for place in reversed(range(len(path))):
        condition = path[place]
        misread = _misread(condition.code) if condition.kind in {"if", "unless"} else ""
        if misread:
            yield (*path[:place], replace(condition, code=misread), *path[place + 1 :])


def _misread(test: str) -> str:
    for pattern, wrong in _MISREADINGS:
        if pattern.fullmatch(test):
            return pattern.sub(wrong, test)
    return ""
