"""What a careless reader takes for the conditions of a statement: a boundary, a neighbour's."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, cast

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
    Finding,
    Statement,
)
from goldwright.path_conditions import ConditionKind, Path

_KINDS_ALIKE: Final = frozenset({"if", "unless", "except", "no_error"})
# Nobody remembers more conditions of something else than these.
MOST_MISTAKEN: Final = 2

_Misreadings = tuple[tuple[re.Pattern[str], str], ...]
_NAME: Final = r"(?:self\.)?[^\W\d]\w*"
_SIDE: Final = r"((?:(?! and | or )[^\"'(])+)"
# Tests with what they are misread as, so that the statement would hold more often than it does; the
# first that fits is taken.
_WIDER: Final = (
    (re.compile(r"all\((.+)\)"), r"any(\1)"),
    (re.compile(r"([^<>=]+) < ([^<>=]+)"), r"\1 <= \2"),
    # Who writes "> -1" means what is not negative, and nobody takes -1 for that.
    (re.compile(r"([^<>=]+) > ([^<>=-][^<>=]*)"), r"\1 >= \2"),
    # No length is below zero, and few numbers that are compared with it are; and what was split
    # has one part at least.
    (re.compile(r"(?!len\(.*\) == 1$)([^<>=!]+) == ([1-9]\d*)"), r"\1 <= \2"),
    (re.compile(rf"{_SIDE} and {_SIDE}"), r"\1 or \2"),
)
# The same for tests that must fail: they are misread as something that is rarer.
_NARROWER: Final = (
    (re.compile(r"isinstance\((.+), \((\w+), .+\)\)"), r"isinstance(\1, \2)"),
    (re.compile(r"any\((.+)\)"), r"all(\1)"),
    (re.compile(r"([^<>=]+) <= ([^<>=]+)"), r"\1 < \2"),
    (re.compile(r"([^<>=]+) >= ([^<>=]+)"), r"\1 > \2"),
    (re.compile(rf"{_SIDE} or {_SIDE}"), r"\1 and \2"),
)
# A tuple that is longer than a bound equals it never: "<=" would say the same as "<" of versions.
_OF_TUPLES: Final = re.compile(r"version_info|[<>]=? \(")
_TABLES: Final[Mapping[ConditionKind, _Misreadings]] = {"if": _WIDER, "unless": _NARROWER}
# Where nothing else offers itself, what few would confuse will do.
_OTHERS: Final = ((re.compile(r"([\w.]+)\.(?:startswith|endswith)\(([^(),]+)\)"), r"\2 in \1"),)
_SUBTLE: Final[Mapping[ConditionKind, _Misreadings]] = {"if": _OTHERS, "unless": _OTHERS}


def near_misses(code: CodeContext, finding: Finding) -> Iterator[Finding]:
    """Yield a statement under conditions that are nearly its own: false, and easily said."""
    # Whatever falls off its end returns None as well, under any condition.
    if getattr(finding.statement, "value", "") == "None":
        return
    for path in _misread_paths(finding, _TABLES):
        yield from _under(code, finding, path)
    for path in _misread_paths(finding, _SUBTLE):
        yield from _under(code, finding, path)


def under_others(
    code: CodeContext, finding: Finding, neighbours: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield a statement under the conditions of others of its kind in the same function."""
    own_path = finding.statement.conditions
    for neighbour in neighbours:
        path = neighbour.statement.conditions
        is_alike = type(neighbour.statement) is type(finding.statement)
        # A part of its own conditions is what a short answer may well say.
        if set(path) <= set(own_path):
            continue
        is_beside = neighbour.entity_id == finding.entity_id
        if is_alike and is_beside and _could_be_mistaken(path, own_path):
            for falsehood in _under(code, finding, path):
                yield replace(falsehood, also=(*falsehood.also, neighbour.lines))


def _could_be_mistaken(path: Path, other: Path) -> bool:
    """Find out whether a path is as short, and in no loop or case of its own."""
    kinds = {condition.kind for condition in other} | _KINDS_ALIKE
    is_short = len(path) <= max(len(other), MOST_MISTAKEN)
    return path != () and is_short and all(condition.kind in kinds for condition in path)


def _under(code: CodeContext, finding: Finding, path: Path) -> Iterator[Finding]:
    statement = finding.statement
    if not isinstance(statement, ConditionalStatement):
        return
    # Every kind of statement is a dataclass.
    falsehood: Statement = replace(cast("Any", statement), path=path)
    true_findings = find_statements(code, finding.entity_id, (type(statement),))
    if falsehood not in {true_finding.statement for true_finding in true_findings}:
        # Readers of records call hardly any misread condition tempting.
        yield replace(finding.refuting(falsehood), is_unlikely=True)


def _misread_paths(
    finding: Finding, tables: Mapping[ConditionKind, _Misreadings]
) -> Iterator[Path]:
    """Yield the path with one test misread, the test nearest to the end first."""
    path = finding.statement.conditions
    for place, condition in reversed(list(enumerate(path))):
        if condition.kind not in tables:
            continue
        misreadings = _misread(condition.code, tables[condition.kind])
        for wrong in islice(misreadings, 1):
            misread_condition = replace(condition, code=wrong)
            yield (*path[:place], misread_condition, *path[place + 1 :])


def _misread(test: str, misreadings: _Misreadings) -> Iterator[str]:
    for pattern, wrong in misreadings:
        if pattern.fullmatch(test) and not _OF_TUPLES.search(test):
            yield pattern.sub(wrong, test)
