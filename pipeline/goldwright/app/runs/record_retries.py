"""Trying a record again: a new attempt that names its parent and carries a person's hint."""

from goldwright.app.runs.run_files import OpenRun
from goldwright.records import QueryCandidate, RejectedRecord


def try_again(run: OpenRun, parent: QueryCandidate, hint: str, created_at: str) -> str:
    """Write a new attempt at a record and reject the old one; gives the id of the new one.

    Args:
        run: The run, open for writing.
        parent: The attempt so far.
        hint: What a person advises.
        created_at: The time, as records write it.
    """
    attempt = _next_attempt(parent.query_id, run)
    fields = {
        "query_id": attempt,
        "parent": parent.query_id,
        "hint": hint,
        "created_at": created_at,
    }
    # The new attempt first: a run killed between the two lines keeps the record.
    run.stage_files.candidates.add(parent.model_copy(update=fields))
    message = f"tried again as {attempt}: {hint}"
    record = rejection(parent, "retried", message, created_at)
    run.stage_files.rejected.add(record)
    return attempt


def take_up_retries(run: OpenRun, created_at: str) -> tuple[str, ...]:
    """Write the attempts that people asked for in review; gives their ids."""
    retries = run.review_state.retries()
    if not retries:
        return ()
    # The files grow beyond their seals, so the manifest has to allow that first.
    run.reopen()
    candidates = run.stage_files.candidates.done
    attempts = []
    for query_id, hint in sorted(retries.items()):
        attempt = try_again(run, candidates[query_id], hint, created_at)
        attempts.append(attempt)
    return tuple(attempts)


def rejection(
    candidate: QueryCandidate, reason: str, message: str, created_at: str
) -> RejectedRecord:
    """Make the record that says why a person put a candidate away."""
    return RejectedRecord(
        query_id=candidate.query_id,
        task_type=candidate.task_type,
        difficulty=candidate.difficulty,
        stage="person",
        reason=reason,
        message=message,
        query_text=candidate.query_text,
        target_entity_ids=candidate.target_entity_ids,
        created_at=created_at,
    )


def _next_attempt(query_id: str, run: OpenRun) -> str:
    """Number the attempts at a query through, so that a retry of a retry ends in ``-retry2``."""
    stem = query_id.partition("-retry")[0]
    number = 1
    while f"{stem}-retry{number}" in run.stage_files.candidates.done:
        number += 1
    return f"{stem}-retry{number}"
