"""What the callers of a function do with an error that leaves it."""

from collections.abc import Sequence

from goldwright.code_reading.error_classes import error_class
from goldwright.code_reading.error_routes import ErrorStep, error_step, escapes
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.records import FileRange


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
    module = code.module(path_of(subject))
    error = error_class(code.snapshot, module, error_name) if module is not None else None
    if error is None or not escapes(code.snapshot, subject, line, error):
        return ()
    return _steps_out_of(code, subject, error)


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
    module = code.module(path_of(subject))
    error = error_class(code.snapshot, module, error_name) if module is not None else None
    further: list[ErrorStep] = []
    for step in steps:
        if error is None or step.clause:
            continue
        above = _steps_out_of(code, step.caller, error)
        if not above:
            return ()
        further.extend(above)
    return tuple(further)


def _steps_out_of(code: CodeContext, callee: str, error: str) -> tuple[ErrorStep, ...]:
    steps: list[ErrorStep] = []
    for caller in code.closed_callers(callee) or ():
        step = error_step(code.snapshot, caller, callee, error)
        if step is None or step.raises_again:
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
    return Finding(
        CaughtFrom(name_of(step.caller), name_of(step.callee), error, step.clause),
        step.caller,
        FileRange(file=path_of(step.caller), start=step.first, end=step.last),
        clauses=(step.clause_first,) if step.clause else (),
        source=raised.lines,
    )


def caught_by_callers(
    code: CodeContext, raised: Finding, error_name: str
) -> tuple[Finding, ...] | None:
    """State of each direct caller whether it catches an error; None where that is unsure."""
    steps = steps_of_callers(code, raised.entity_id, raised.lines.start, error_name)
    return tuple(caught_from(step, raised) for step in steps) or None


def raised_on(code: CodeContext, subject: str, line: int) -> Finding | None:
    """Find what a function raises on a line, where its condition can be said."""
    raised = find_statements(code, subject, (Raises,))
    return next((finding for finding in raised if finding.lines.start == line), None)


def outlook(about_calls: Sequence[Statement]) -> str:
    """Say what becomes of an error that no caller catches; empty for another one."""
    fates = [statement for statement in about_calls if isinstance(statement, CaughtFrom)]
    if not fates or any(fate.clause for fate in fates):
        return ""
    callers = join_code([fate.caller for fate in fates])
    return f"So it is left to whoever calls {callers} to deal with the `{fates[0].error}`."
