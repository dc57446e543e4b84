"""The screen as an Author can ask it: what would be refused of its drafts, before they are in."""

from collections.abc import Sequence

from goldwright.agents.roles import CandidateCheck, Findings, Shown
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, CheckFailure, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase, screen

WHOLE_DRAFT = "candidate"
"""The claim of a finding: the screen refuses candidates as a whole."""


def screen_before_handing_in(
    cell: Cell,
    count: int,
    snapshot: Snapshot,
    *,
    accepted: Sequence[QueryCandidate],
    spent_targets: frozenset[str],
) -> CandidateCheck:
    """Make the check of the drafts of one Author.

    It knows of the candidates that its Author is told of and of no newer ones, so that a
    conversation that is played again from the call journal takes the same course.

    Args:
        cell: The cell that the Author writes for.
        count: How many candidates it is asked for.
        snapshot: The codebase.
        accepted: The candidates that the Author is told of.
        spent_targets: The entities about which nothing more is to be asked.
    """

    def check(drafts: tuple[CandidateDraft, ...], shown_ranges: Shown) -> tuple[Findings, ...]:
        passed = AcceptedCandidates(list(accepted), spent_targets)
        findings: list[Findings] = []
        room = count
        for number, draft in enumerate(drafts, start=1):
            case = ScreeningCase(draft, cell, room, snapshot, passed, shown_ranges)
            refusal = screen(case)
            if refusal is None:
                # Later drafts are held against it too.
                candidate = _as_candidate(f"candidate-{number}", cell, draft)
                passed.add(candidate)
                room -= 1
                findings.append(())
                continue
            failure = CheckFailure(check=refusal.reason, claim=WHOLE_DRAFT, message=refusal.message)
            findings.append((failure,))
        return tuple(findings)

    return check


def _as_candidate(name: str, cell: Cell, draft: CandidateDraft) -> QueryCandidate:
    fields = {
        "query_id": name,
        "task_type": cell.task_type,
        "difficulty": cell.difficulty,
        "authored_by": "",
        "created_at": "",
        **dict(draft),
    }
    return QueryCandidate.model_validate(fields)
