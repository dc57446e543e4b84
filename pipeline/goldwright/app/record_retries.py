"""Trying a record again: a new attempt that names its parent and carries a person's hint."""

from goldwright.app.run_files import OpenRun
from goldwright.records import QueryCandidate, RejectedRecord


def try_again(run: OpenRun, parent: QueryCandidate, hint: str, now: str) -> str:
    """Write a new attempt at a record and put the old one away; gives the id of the new one."""
    attempt = _next_attempt(parent, run)
    fields = {"query_id": attempt, "parent": parent.query_id, "hint": hint, "created_at": now}
    run.stage_files.candidates.add(parent.model_copy(update=fields))
    run.stage_files.rejected.add(
        rejection(parent, "retried", f"tried again as {attempt}: {hint}", now)
    )
    return attempt


def take_up_retries(run: OpenRun, now: str) -> tuple[str, ...]:
    """Write the attempts that people asked for in review; gives their ids."""
    wanted = run.review_state.retries()
    if wanted:
        run.reopen()
    candidates = run.stage_files.candidates.done
    return tuple(
        try_again(run, candidates[query_id], hint, now) for query_id, hint in sorted(wanted.items())
    )


def rejection(candidate: QueryCandidate, reason: str, message: str, now: str) -> RejectedRecord:
    """Make the record of a person's putting a candidate away."""
    return RejectedRecord(
        query_id=candidate.query_id,
        task_type=candidate.task_type,
        difficulty=candidate.difficulty,
        stage="person",
        reason=reason,
        message=message,
        query_text=candidate.query_text,
        target_entity_ids=candidate.target_entity_ids,
        created_at=now,
    )


def _next_attempt(parent: QueryCandidate, run: OpenRun) -> str:
    stem = parent.query_id.partition("-retry")[0]
    number = 1
    while f"{stem}-retry{number}" in run.stage_files.candidates.done:
        number += 1
    return f"{stem}-retry{number}"
