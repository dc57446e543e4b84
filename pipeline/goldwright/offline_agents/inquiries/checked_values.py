"""Where the values come from that a check looks at, and what leads to a statement behind it."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.modules import Function
from goldwright.code_reading.state_changes import changed_names
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.inquiries.tried_calls import tried_calls
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding
from goldwright.path_conditions import TESTS, names_in, split_last_test

# Who is told of more assignments of one name does not know where its value comes from.
MOST_ASSIGNMENTS: Final = 2
MOST_VALUES: Final = 3
_EMPTY: Final = frozenset({"[]", "{}", "()", '""', "''", "set()", "list()", "dict()", "None"})


def checked_values(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find where each value comes from that the last test before a statement looks at.

    Returns:
        What was assigned above, or which parameter it is, the first name of the test first; empty
        where that cannot be said of every name of the function's own in the test.
    """
    opened = code.function(finding.entity_id)
    _, tests = split_last_test(finding.statement.conditions)
    if opened is None or not tests or tests[0].kind not in TESTS:
        return ()
    own_names = _own_names(opened[1])
    values: list[Finding] = []
    for name in names_in(tests):
        if name not in own_names and not name.startswith("self."):
            continue
        origin = _origin(code, finding, name)
        if not 1 <= len(origin) <= MOST_ASSIGNMENTS:
            return ()
        values.extend(origin)
    return tuple(values) if len(values) <= MOST_VALUES else ()


def depends_on_no_more(code: CodeContext, finding: Finding, values: Sequence[Finding]) -> bool:
    """Find out whether values are all that the tests on the way to a statement look at."""
    opened = code.function(finding.entity_id)
    if opened is None:
        return False
    conditions = finding.statement.conditions
    tests = tuple(test for test in conditions if test.kind in TESTS)
    own_names = _own_names(opened[1])
    names = {name for name in names_in(tests) if name.partition(".")[0] in own_names}
    told: set[str] = set()
    for value in values:
        match value.statement:
            case Assigned(targets=targets):
                told.update(targets)
            case ParameterDefault(parameter=parameter):
                told.add(parameter)
            case _:
                continue
    return names <= told


def causes_of(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find what leads to a statement: where the tested values come from, or which step failed.

    Parameters are left out: who asks for a cause is not helped by a signature.
    """
    values = checked_values(code, finding)
    assignments = [value for value in values if _is_worked_out(value)]
    return tuple(assignments) or tried_calls(code, finding)


def plain_causes_of(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find what leads to a statement, but for what is put in the place of a missing value.

    Told behind the test, that would be read as if it came after it.
    """
    causes = causes_of(code, finding)
    return tuple(cause for cause in causes if not _is_substitute(cause))


def _is_worked_out(value: Finding) -> bool:
    """Find out whether a name is given more than its own value in another type."""
    statement = value.statement
    return isinstance(statement, Assigned) and not _is_conversion(statement)


def _is_substitute(cause: Finding) -> bool:
    """Find out whether something is put in the place of a missing value."""
    statement = cause.statement
    return isinstance(statement, Assigned) and statement.changes_its_tests


def _is_conversion(statement: Assigned) -> bool:
    """Find out whether a name only gets its own value in another type."""
    conversion = rf"[\w.]+\({re.escape(statement.target)}\)"
    return re.fullmatch(conversion, statement.value) is not None


def _own_names(function: Function) -> frozenset[str]:
    names: set[str] = set()
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            names.add(argument.arg)
    for node in own_nodes(function.body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return frozenset(names) - {"self", "cls"}


def _origin(code: CodeContext, finding: Finding, name: str) -> list[Finding]:
    """Find what a name was given above a statement; the parameter, where nothing was."""
    opened = code.function(finding.entity_id)
    assigned: list[Finding] = []
    parameters: list[Finding] = []
    for candidate in find_statements(code, finding.entity_id, (Assigned, ParameterDefault)):
        match candidate.statement:
            case Assigned(target=target, value=value) if target == name:
                # What starts empty is filled by other statements, and those decide.
                if candidate.lines.end < finding.lines.start and value not in _EMPTY:
                    assigned.append(candidate)
            case ParameterDefault(parameter=parameter) if parameter == name:
                parameters.append(candidate)
            case _:
                continue
    kinds = {condition.kind for condition in finding.statement.conditions}
    in_loop = not kinds.isdisjoint({"for", "while"})
    # The turn before may have given it another value further down.
    end = None if in_loop else finding.lines.start
    bindings: list[ast.expr] = []
    if opened is not None:
        bindings.extend(_given(opened[1], name, end))
    # A loop, a ``with`` or a longer value has no statement of its own, and what a function inside
    # gives the name is not told; nor is what fills an object after it was made.
    are_all_assigned = len(bindings) == len(assigned)
    is_told = are_all_assigned and not _is_given_inside(code, finding, name)
    if is_told and assigned and opened is not None:
        is_told = not _is_filled(opened[1], name, end)
    return (assigned or parameters) if is_told else []


def _is_filled(function: Function, name: str, end: int | None) -> bool:
    """Find out whether a function may change the object behind a name, above a line or anywhere."""
    for node in own_nodes(function.body):
        is_above = end is None or getattr(node, "lineno", end) < end
        if is_above and name in changed_names(node):
            return True
    return False


def _is_given_inside(code: CodeContext, finding: Finding, name: str) -> bool:
    """Find out whether a function that is defined inside gives a name of the outer one a value."""
    opened = code.function(finding.entity_id)
    if opened is None:
        return False
    for node in ast.walk(opened[1]):
        if isinstance(node, ast.Nonlocal) and name in node.names:
            return True
    return False


def _given(function: Function, name: str, end: int | None) -> Iterator[ast.expr]:
    """Yield where a function gives a name a value, above a line or anywhere."""
    for node in own_nodes(function.body):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if ast.unparse(node) == name and (end is None or node.lineno < end):
            yield node
