"""Putting an answer through every check."""

from goldwright.records import AnswerDraft, CheckFailure, Evidence, Intent
from goldwright.snapshot.codebase import SourceTree
from goldwright.stages.gate.check_protocol import GateCase
from goldwright.stages.gate.checks import CHECKS


def run_gate(
    answer: AnswerDraft,
    snapshot: SourceTree,
    shown_lines: tuple[Evidence, ...] | None = None,
    *,
    intent: Intent | None = None,
) -> tuple[CheckFailure, ...]:
    """Report every failure of an answer, in the order of the checks and of the answer's own claims.

    Args:
        answer: What the Oracle wrote.
        snapshot: The codebase it wrote about.
        shown_lines: The lines that tools showed the Oracle; None where that was not recorded, as
            for an answer of a foreign dataset.
        intent: The reason of the question; None where it is not known.
    """
    case = GateCase(answer, snapshot, shown_lines, intent)
    failures = []
    for check in CHECKS:
        for finding in check.inspect(case):
            failure = CheckFailure(check=check.code, claim=finding.claim, message=finding.message)
            failures.append(failure)
    return tuple(failures)
