"""The steps whose failure leads into an ``except`` clause."""

from typing import Final

from goldwright.code_reading.log_calls import LEVELS
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.tries import Tries

MOST_TRIED: Final = 2


def tried_calls(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find the steps whose failure leads to a statement in an ``except`` clause.

    Returns:
        All that the ``try`` holds, where that is little, or else its calls; nothing where these
        are many, or where the same is called outside of the ``try`` as well.
    """
    path = finding.statement.conditions
    clause = path[-1] if path else None
    if clause is None or clause.kind != "except":
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


def _callee(call: Finding) -> str:
    statement = call.statement
    return statement.callee if isinstance(statement, CallHandling) else ""
