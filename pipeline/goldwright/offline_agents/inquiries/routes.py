"""What the callers of a function do with an error that leaves it."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from goldwright.code_reading.argument_values import rules_out
from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.error_classes import error_class
from goldwright.code_reading.error_routes import (
    ErrorStep,
    calls_of,
    error_step,
    escapes,
    is_guarded,
)
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.handles import Handles, outcome_in_words
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.stored import Stored
from goldwright.path_conditions import Path
from goldwright.records import FileRange

# Nothing that stands in a clause says these.
_PLAIN_OUTCOMES: Final = frozenset({"ignored", "skipped", "left"})
# What leaves the clause comes first, and what only happens in it last.
_OUTCOMES: Final = (Raises, Returned, Handles, Logs, Assigned, Stored, Runs)
# A call stack that somebody still follows in their head, and the functions of an answer.
MOST_LEVELS_UP: Final = 4
MOST_STEPS_UP: Final = 6
# A function with more ways to it than these is called from everywhere, and so is some clause.
MOST_LOOKED_AT_ABOVE: Final = 40


def error_named(code: CodeContext, subject: str, error_name: str) -> str | None:
    """Resolve the name of an error, as it is written in a function; None where unsure."""
    module = code.module(path_of(subject))
    if module is None:
        return None
    return error_class(code.snapshot, module, error_name)


def where_raised(statement: Raises, entity_id: str) -> str:
    """Say in a sentence which function raises an error, and under which conditions."""
    place = f"`{statement.function}` in `{path_of(entity_id)}`"
    conditions = describe_conditions(statement.path)
    return (
        f"The error comes from {place}, which raises `{statement.error}` (“{statement.message}”) "
        f"{conditions}."
    )


def steps_of_callers(
    code: CodeContext, subject: str, line: int, error_name: str
) -> tuple[ErrorStep, ...]:
    """Find out what each direct caller does with an error; nothing where one of them is unsure.

    Args:
        code: The codebase.
        subject: The function that raises it.
        line: Where it does.
        error_name: Its class, as written there.
    """
    error = error_named(code, subject, error_name)
    if error is None or not escapes(code.snapshot, subject, line, error):
        return ()
    steps = steps_out_of(code, subject, error)
    raised = raised_on(code, subject, line)
    # Whoever is said to let an error through, or to catch it, can run into it.
    if raised is None or any(never_meets(code, step, raised) for step in steps):
        return ()
    return steps


def never_meets(code: CodeContext, step: ErrorStep, raised: Finding) -> bool:
    """Find out whether no call of a caller leads to an error, for what it is given."""
    called = code.function(step.callee)
    calling = code.function(step.caller)
    calls = calls_of(code.snapshot, step.caller, step.callee)
    if called is None or calling is None or not calls:
        return False
    path = raised.statement.conditions
    for call in calls:
        path_of_call = _path_of(call, *calling)
        if not rules_out(call, called[1], path, path_of_call):
            return False
    return True


def _path_of(call: ast.Call, module: Module, function: Function) -> Path:
    """Give the conditions under which a call is made, as far as they are clear."""
    statements = statements_of(function, module.text)
    around = [reached for reached in statements if _is_around(reached.node, call)]
    # The innermost one comes last.
    return around[-1].path or () if around else ()


def _is_around(node: ast.stmt, call: ast.Call) -> bool:
    """Find out whether a call begins on a line of a statement."""
    last_line = node.end_lineno or node.lineno
    return node.lineno <= call.lineno <= last_line


def leaves_function(code: CodeContext, subject: str, line: int, error_name: str) -> bool:
    """Find out whether an error that a function raises on a line surely comes out of it.

    Args:
        code: The codebase.
        subject: The function that raises it.
        line: Where it does.
        error_name: Its class, as written there; one of a library may be unknown.
    """
    error = error_named(code, subject, error_name)
    if error is None:
        return not is_guarded(code.snapshot, subject, line)
    return escapes(code.snapshot, subject, line, error)


def steps_one_call_further(
    code: CodeContext, steps: Sequence[ErrorStep], subject: str, error_name: str
) -> tuple[ErrorStep, ...]:
    """Find out what the callers of those do that let an error pass; nothing where one is unsure.

    Args:
        code: The codebase.
        steps: What the direct callers do.
        subject: The function that raises it.
        error_name: Its class, as written there.
    """
    error = error_named(code, subject, error_name)
    further: list[ErrorStep] = []
    for step in steps:
        if error is None or step.clause:
            continue
        above = steps_out_of(code, step.caller, error)
        if not above:
            return ()
        further.extend(above)
    return tuple(further)


def ways_up(code: CodeContext, subject: str, line: int, error_name: str) -> tuple[ErrorStep, ...]:
    """Follow an error through all the callers, up to the clauses that take it.

    Args:
        code: The codebase.
        subject: The function that raises it.
        line: Where it does.
        error_name: Its class, as written there.

    Returns:
        The steps, those of the direct callers first; nothing where one of them is unsure, where
        there are too many, or where the error may come up where nobody calls any more.
    """
    level = steps_of_callers(code, subject, line, error_name)
    steps = dict.fromkeys(level)
    for _ in range(MOST_LEVELS_UP):
        if len(steps) > MOST_STEPS_UP or all(step.clause for step in level):
            break
        level = steps_one_call_further(code, level, subject, error_name)
        if not level:
            return ()
        steps.update(dict.fromkeys(level))
    is_ended = all(step.clause for step in level)
    callers = {step.caller for step in steps}
    # A function that both catches it and lets it through, by the way it comes, is no sentence.
    is_plain = len(callers) == len(steps)
    is_short = len(steps) <= MOST_STEPS_UP
    return tuple(steps) if is_ended and is_plain and is_short else ()


def may_be_caught_above(
    code: CodeContext, steps: Sequence[ErrorStep], subject: str, error_name: str
) -> bool:
    """Find out whether anybody further up may catch an error that some callers let through.

    Who is told that the direct callers do not catch it would think that nothing does. Where not all
    callers are known, one of the others may.
    """
    error = error_named(code, subject, error_name)
    if error is None:
        return True
    frontier = [step.caller for step in steps if not step.clause]
    seen = {subject, *frontier}
    while frontier and len(seen) <= MOST_LOOKED_AT_ABOVE:
        callee = frontier.pop()
        callers = code.closed_callers(callee)
        if callers is None:
            return True
        for caller in callers:
            step = error_step(code.snapshot, caller, callee, error)
            if step is None or step.clause:
                return True
            if caller not in seen:
                seen.add(caller)
                frontier.append(caller)
    return bool(frontier)


def steps_out_of(code: CodeContext, callee: str, error: str) -> tuple[ErrorStep, ...]:
    """Give what each caller of a function does with an error; none where that is unsure of one."""
    steps: list[ErrorStep] = []
    for caller in code.closed_callers(callee) or ():
        step = error_step(code.snapshot, caller, callee, error)
        # What a function inside of another one does about it is a matter of the other one.
        outer = caller.rpartition(".")[0]
        is_inside = code.function(outer) is not None
        if step is None or step.raises_again or is_inside:
            return ()
        steps.append(step)
    return tuple(steps)


def caught_from(step: ErrorStep, raised: Finding) -> Finding:
    """State where an error goes: into a clause of the caller, or through it.

    Args:
        step: What the caller does.
        raised: The statement that raises the error.
    """
    assert isinstance(raised.statement, Raises)  # noqa: S101  # that is what errors come from
    error = raised.statement.error
    statement = CaughtFrom(name_of(step.caller), name_of(step.callee), error, step.clause)
    call_lines = FileRange(file=path_of(step.caller), start=step.first, end=step.last)
    return Finding(
        statement,
        step.caller,
        call_lines,
        clauses=(step.clause_first,) if step.clause else (),
        elsewhere=(raised.lines,),
    )


def handling_of(
    code: CodeContext, steps: Sequence[ErrorStep], raised: Finding
) -> tuple[Finding, ...]:
    """State where an error goes from each caller, and behind each that catches it what comes of it.

    Nothing where a clause lets another error out of which nothing can be said: who hears that it is
    caught would think that all is well.

    Args:
        code: The codebase.
        steps: What the callers do.
        raised: The statement that raises the error.
    """
    handling: list[Finding] = []
    for step in steps:
        handling.append(caught_from(step, raised))
        outcomes: list[Finding] = []
        if step.clause:
            outcomes.extend(islice(outcomes_inside(code, step), 1))
        if raises_untold(code, step, outcomes):
            return ()
        handling.extend(outcomes)
    return tuple(handling)


def outcomes_inside(code: CodeContext, step: ErrorStep) -> Iterator[Finding]:
    """Find what comes of an error inside the clause that takes it.

    What leaves comes first, and what only prepares something else comes last.
    """
    outcomes: list[Finding] = []
    for finding in find_statements(code, step.caller, _OUTCOMES):
        statement = finding.statement
        if not step.clause_first <= finding.lines.start <= step.clause_last:
            continue
        # The other outcomes of a clause are said by the statement that stands in it.
        if not isinstance(statement, Handles) or statement.outcome in _PLAIN_OUTCOMES:
            outcomes.append(finding)
    yield from sorted(outcomes, key=lambda outcome: _is_preparation(outcome, outcomes))


def done_in_clause(  # noqa: PLR0911  # one arm a kind
    outcome: Finding,
) -> str:
    """Say what a clause does with an error that it catches, as the rest of a sentence."""
    match outcome.statement:
        case Raises(error=error):
            return f"raises `{error}` instead"
        case Logs(level=level):
            return f"writes a message to the log as `{level}`"
        case Assigned(target=target, value=value):
            return f"goes on with `{target}` set to `{value}`"
        case Runs(call=call):
            return f"runs `{call}`"
        case Deed():
            return outcome.statement.predicate()
        case Handles(outcome="skipped" | "left" as taken):
            return outcome_in_words(taken)
        case _:
            return "does nothing about it"


def _is_preparation(finding: Finding, outcomes: Sequence[Finding]) -> bool:
    """Find out whether a value is kept for something else that comes of the error."""
    if not isinstance(finding.statement, Assigned):
        return False
    names = "|".join(map(re.escape, finding.statement.targets))
    any_name = re.compile(rf"(?<![\w.])(?:{names})(?!\w)")
    other_outcomes = (outcome for outcome in outcomes if outcome is not finding)
    return any(any_name.search(outcome.statement.sentence()) for outcome in other_outcomes)


def raises_untold(code: CodeContext, step: ErrorStep, outcomes: Sequence[Finding]) -> bool:
    """Find out whether an error leaves the clause that takes it, and nothing of that is told.

    Who hears that it is caught would think that it comes to an end there.
    """
    opened = code.function(step.caller)
    if not step.clause or opened is None:
        return False
    if any(isinstance(told.statement, Raises | Handles) for told in outcomes):
        return False
    for node in own_nodes(opened[1].body):
        if isinstance(node, ast.Raise) and step.clause_first <= node.lineno <= step.clause_last:
            return True
    return False


def raised_on(code: CodeContext, subject: str, line: int) -> Finding | None:
    """Find what a function raises on a line, where its condition can be said."""
    raised = find_statements(code, subject, (Raises,))
    for finding in raised:
        if finding.lines.start == line:
            return finding
    return None
