"""A person's decisions on records that the gate failed or agreement queued."""

from goldwright.app.opening import OpenRun, run_for_writing
from goldwright.app.preparing import changes, prepare_again, with_money
from goldwright.app.reporting import RunReport, report_on
from goldwright.app.running import play_out, reopened_snapshot
from goldwright.app.surroundings import Surroundings
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.records import QueryCandidate, RejectedRecord
from goldwright.stages.fates import Fate, standings

RETRIABLE: tuple[Fate, ...] = ("failed_gate", "queued")
DROPPABLE: tuple[Fate, ...] = ("failed_gate", "queued", "pending", "reserve", "open")
LONGEST_WORD = 4000


def retry(name: str, query_id: str, *, hint: str, around: Surroundings, progress: Progress) -> tuple[str, RunReport]:
    """Try a record again with a person's hint: a new attempt that names its parent.

    Returns:
        The id of the new attempt and the run as it is then.

    Raises:
        InputError: There is no such record, or it is not one that waits for a decision.
    """
    with run_for_writing(around.workspace.find_run(name)) as run:
        _check_word("--hint", hint)
        parent = _candidate(run, query_id, RETRIABLE)
        ready = prepare_again(run.manifest, around)
        if changed := tuple(changes(run.manifest, ready)):
            what = "; ".join(text for _, text in changed)
            raise InputError(f"{run.directory.name}: {what}; carry it on first: goldwright resume --accept-changes")
        snapshot = reopened_snapshot(run.manifest, around, progress)
        run.save(with_money(run.manifest, ready))
        run.reopen()
        now = timestamp(around.clock)
        attempt = _next_attempt(parent, run)
        candidate = parent.model_copy(
            update={
                "query_id": attempt,
                "parent": query_id,
                "hint": hint,
                "created_at": now,
                "authored_by": parent.authored_by,
            }
        )
        run.books.candidates.add(candidate)
        run.books.rejected.add(_rejection(parent, "retried", f"tried again as {attempt}: {hint}", now))
        ended = play_out(run, snapshot, around, progress, ready)
        return attempt, report_on(run, failed=ended.failed, notes=ended.notes)


def drop(name: str, query_id: str, *, why: str, around: Surroundings) -> RunReport:
    """Take a record out for good; a reserve of its cell takes its place where there is one.

    Raises:
        InputError: There is no such record, or it is out already.
    """
    with run_for_writing(around.workspace.find_run(name)) as run:
        _check_word("--why", why)
        candidate = _candidate(run, query_id, DROPPABLE)
        was_complete = run.manifest.state == "complete"
        run.reopen()
        run.books.rejected.add(_rejection(candidate, "dropped", why, timestamp(around.clock)))
        if was_complete:
            run.seal()
        return report_on(run)


def _check_word(flag: str, text: str) -> None:
    if not text.strip():
        raise InputError(f"{flag}: wanted a few words, found nothing")
    if len(text) > LONGEST_WORD:
        raise InputError(f"{flag}: {len(text)} characters; the most is {LONGEST_WORD}")


def _candidate(run: OpenRun, query_id: str, wanted: tuple[Fate, ...]) -> QueryCandidate:
    candidate = run.books.candidates.done.get(query_id)
    if candidate is None:
        where = "was rejected by the screen" if query_id in run.books.rejected.done else "is no record of this run"
        raise InputError(f"{run.directory.name}: {query_id} {where}")
    fates = {one.query_id: one.fate for one in standings(run.manifest.plan, run.books)}
    if fates[query_id] not in wanted:
        raise InputError(
            f"{run.directory.name}: {query_id} is {fates[query_id]}; wanted one that is {' or '.join(wanted)}"
        )
    return candidate


def _next_attempt(parent: QueryCandidate, run: OpenRun) -> str:
    stem = parent.query_id.partition("-retry")[0]
    number = 1
    while f"{stem}-retry{number}" in run.books.candidates.done:
        number += 1
    return f"{stem}-retry{number}"


def _rejection(candidate: QueryCandidate, reason: str, message: str, now: str) -> RejectedRecord:
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
