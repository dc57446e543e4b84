"""What belongs to a check: where its values come from, what happens when it passes."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.log_calls import LEVELS
from goldwright.code_reading.modules import Function
from goldwright.code_reading.state_changes import changed_names
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.effects import EFFECTS
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.prose_predicates import predicate_of
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Condition, ConditionKind, Path

# Who is told of more assignments of one name does not know where its value comes from.
MOST_ASSIGNMENTS: Final = 2
MOST_VALUES: Final = 3
MOST_TRIED: Final = 2
# Longer ways are no longer taken in at one look.
MOST_EASY_CONDITIONS: Final = 5
LONGEST_EASY_WAY: Final = 150

_NEGATION: Final = re.compile(r"(?<!is )\bnot\b(?! in\b)")
_STRING: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_NAME: Final = re.compile(r"(?<![\w.])(?:self\.)?[^\W\d]\w*")
_EMPTY: Final = frozenset({"[]", "{}", "()", '""', "''", "set()", "list()", "dict()", "None"})
_TESTS: Final[frozenset[ConditionKind]] = frozenset({"if", "unless"})


def is_easily_said(path: Path) -> bool:
    """Find out whether people understand conditions at once: few, short, and not turned twice."""
    is_turned_twice = any(
        condition.kind == "unless" and _NEGATION.search(condition.code) for condition in path
    )
    loops = {condition.code for condition in path if condition.kind == "while"}
    # What a loop goes on for and what fails in it is the same at two moments: nobody sees that.
    if any(condition.kind == "unless" and condition.code in loops for condition in path):
        return False
    length = sum(len(condition.code) + len(condition.detail) for condition in path)
    return len(path) <= MOST_EASY_CONDITIONS and length <= LONGEST_EASY_WAY and not is_turned_twice


def checked_values(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find where each value comes from that the last test before a statement looks at.

    Returns:
        What was assigned above, or which parameter it is, the first name of the test first; empty
        where that cannot be said of every name of the function's own in the test.
    """
    opened = code.function(finding.entity_id)
    _, tests = _split(finding.statement.conditions)
    if opened is None or not tests or tests[0].kind not in _TESTS:
        return ()
    tested = _STRING.sub(" ", " ".join(test.code for test in tests))
    own_names = _own_names(opened[1])
    values: list[Finding] = []
    for name in dict.fromkeys(_NAME.findall(tested)):
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
    path = finding.statement.conditions
    tested = _STRING.sub(" ", " ".join(test.code for test in path if test.kind in _TESTS))
    names = {
        name for name in _NAME.findall(tested) if name.partition(".")[0] in _own_names(opened[1])
    }
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
    assignments = [
        value
        for value in values
        if isinstance(value.statement, Assigned) and not _is_conversion(value.statement)
    ]
    return tuple(assignments) or tried_calls(code, finding)


def plain_causes_of(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find what leads to a statement, but for what is put in the place of a missing value.

    Told behind the test, that would be read as if it came after it.
    """
    causes = causes_of(code, finding)
    return tuple(
        cause
        for cause in causes
        if not (isinstance(cause.statement, Assigned) and cause.statement.changes_its_tests)
    )


def _is_conversion(statement: Assigned) -> bool:
    """Find out whether a name only gets its own value in another type."""
    return re.fullmatch(rf"[\w.]+\({re.escape(statement.target)}\)", statement.value) is not None


def when_it_passes(code: CodeContext, finding: Finding) -> Finding | None:
    """Find what a function does where the last test before an error comes out the other way.

    What it returns then says most; else it is the first thing that it does with what was tested.
    That a value is kept in a name, or noted in the log, says nothing of what happens: that is no
    answer.
    """
    effects = [
        effect
        for effect in find_statements(code, finding.entity_id, EFFECTS)
        if not _says_little(effect.statement)
        and _is_other_way(effect.statement.conditions, finding.statement.conditions)
        and is_easily_said(effect.statement.conditions)
        and (isinstance(effect.statement, Returned) or _speaks_of(effect, finding))
    ]
    effects.sort(
        key=lambda effect: (not isinstance(effect.statement, Returned), effect.lines.start)
    )
    return effects[0] if effects else None


def _says_little(statement: Statement) -> bool:
    """Find out whether a statement is only the next line, and no effect that anybody asks for."""
    is_note = isinstance(statement, Logs) and statement.level == "debug"
    return is_note or isinstance(statement, Assigned)


def tried_calls(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find the steps whose failure leads to a statement in an ``except`` clause.

    Returns:
        All that the ``try`` holds, where that is little, or else its calls; nothing where these
        are many, or where the same is called outside of the ``try`` as well.
    """
    path = finding.statement.conditions
    clause = path[-1] if path and path[-1].kind == "except" else None
    if clause is None:
        return ()
    for attempt in find_statements(code, finding.entity_id, (Tries,)):
        if clause.first in attempt.clauses:
            return (attempt,)
    found_calls = find_statements(code, finding.entity_id, (CallHandling,))
    # A message in the log is nothing that fails.
    calls = [call for call in found_calls if _callee(call) not in LEVELS]
    tried = [call for call in calls if clause.first in call.clauses]
    names = {call.statement: None for call in tried}
    apart = [call for call in calls if call not in tried]
    called_apart = {_callee(call) for call in apart}
    if len(names) > MOST_TRIED or any(_callee(call) in called_apart for call in tried):
        return ()
    return tuple(tried)


def _speaks_of(effect: Finding, checked: Finding) -> bool:
    """Find out whether an effect deals with a name of the test, or of what was tried."""
    _, tests = _split(checked.statement.conditions)
    if tests[0].kind not in _TESTS:
        return True
    names = {name for test in tests for name in _NAME.findall(_STRING.sub(" ", test.code))}
    deed = predicate_of(effect.statement)
    return not names.isdisjoint(_NAME.findall(_STRING.sub(" ", deed)))


def other_errors(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find the other errors that a function raises; empty where not all of them can be said."""
    opened = code.function(finding.entity_id)
    if opened is None:
        return ()
    raised = list(find_statements(code, finding.entity_id, (Raises,)))
    raises = [node for node in own_nodes(opened[1].body) if isinstance(node, ast.Raise)]
    if len(raised) < len(raises):
        return ()
    return tuple(error for error in raised if error.statement != finding.statement)


def _callee(call: Finding) -> str:
    statement = call.statement
    return statement.callee if isinstance(statement, CallHandling) else ""


def _split(path: Path) -> tuple[Path, Path]:
    """Split conditions into those before and those of the last test or ``except`` clause.

    One test in the source may be several conditions.
    """
    if not path or path[-1].kind not in {*_TESTS, "except"}:
        return path, ()
    last = path[-1]
    place = len(path) - 1
    while place and _is_of_one(path[place - 1], last):
        place -= 1
    return path[:place], path[place:]


def _is_of_one(condition: Condition, neighbour: Condition) -> bool:
    is_same_place = (condition.first, condition.last) == (neighbour.first, neighbour.last)
    return condition.kind in _TESTS and neighbour.kind in _TESTS and is_same_place


def _is_other_way(path: Path, failing_path: Path) -> bool:
    """Find out whether a path is another one up to a test, and goes on the other way there."""
    before, tests = _split(failing_path)
    if not tests or len(path) != len(before) + 1 or path[:-1] != before:
        return False
    is_same_place = (path[-1].first, path[-1].last) == (tests[0].first, tests[0].last)
    return is_same_place and path[-1] not in tests


def _own_names(function: Function) -> frozenset[str]:
    arguments = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    nodes = own_nodes(function.body)
    stored = [
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return frozenset((*arguments, *stored)) - {"self", "cls"}


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
    in_loop = any(condition.kind in {"for", "while"} for condition in finding.statement.conditions)
    # The turn before may have given it another value further down.
    end = None if in_loop else finding.lines.start
    bindings = list(_given(opened[1], name, end)) if opened is not None else []
    # A loop, a ``with`` or a longer value has no statement of its own, and what a function inside
    # gives the name is not told; nor is what fills an object after it was made.
    is_told = len(bindings) == len(assigned) and not _is_given_inside(code, finding, name)
    is_told = is_told and not (assigned and opened and _is_filled(opened[1], name, end))
    return (assigned or parameters) if is_told else []


def _is_filled(function: Function, name: str, end: int | None) -> bool:
    """Find out whether a function may change the object behind a name, above a line or anywhere."""
    return any(
        name in changed_names(node)
        for node in own_nodes(function.body)
        if end is None or getattr(node, "lineno", end) < end
    )


def _is_given_inside(code: CodeContext, finding: Finding, name: str) -> bool:
    """Find out whether a function that is defined inside gives a name of the outer one a value."""
    opened = code.function(finding.entity_id)
    return opened is not None and any(
        isinstance(node, ast.Nonlocal) and name in node.names for node in ast.walk(opened[1])
    )


def _given(function: Function, name: str, end: int | None) -> Iterator[ast.expr]:
    """Yield where a function gives a name a value, above a line or anywhere."""
    for node in own_nodes(function.body):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if ast.unparse(node) == name and (end is None or node.lineno < end):
            yield node
