"""A person's decisions on records that the gate failed or agreement queued."""

from goldwright.app.environment import Environment
from goldwright.app.record_retries import rejection, try_again
from goldwright.app.run import execute_run, reopened_snapshot
from goldwright.app.run_files import OpenRun, run_for_writing
from goldwright.app.run_preparation import changes, prepare_resume, with_budget
from goldwright.app.run_report import RunReport, report_on
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.records import QueryCandidate
from goldwright.stages.fates import Fate, record_fates

RETRIABLE: tuple[Fate, ...] = ("failed_gate", "queued")
DROPPABLE: tuple[Fate, ...] = ("failed_gate", "queued", "pending", "reserve", "open")
LONGEST_WORD = 4000


def retry_record(
    name: str, query_id: str, *, hint: str, environment: Environment, progress: Progress
) -> tuple[str, RunReport]:
    """Try a record again with a person's hint: a new attempt that names its parent.

    Returns:
        The id of the new attempt and the run as it is then.

    Raises:
        InputError: There is no such record, or it is not one that waits for a decision.
    """
    with run_for_writing(environment.workspace.find_run(name)) as run:
        _check_word("--hint", hint)
        parent = _candidate(run, query_id, RETRIABLE)
        ready = prepare_resume(run.manifest, environment)
        if changed := tuple(changes(run.manifest, ready)):
            what = "; ".join(text for _, text in changed)
            raise InputError(
                f"{run.directory.name}: {what}; carry it on first: goldwright resume --accept-changes"
            )
        snapshot = reopened_snapshot(run.manifest, environment, progress)
        run.save(with_budget(run.manifest, ready))
        run.reopen()
        attempt = try_again(run, parent, hint, timestamp(environment.clock))
        ended = execute_run(run, snapshot, environment, progress, ready)
        return attempt, report_on(run, failed=ended.failed, notes=ended.notes)


def drop_record(name: str, query_id: str, *, why: str, environment: Environment) -> RunReport:
    """Take a record out for good; a reserve of its cell takes its place where there is one.

    Raises:
        InputError: There is no such record, or it is out already.
    """
    with run_for_writing(environment.workspace.find_run(name)) as run:
        _check_word("--why", why)
        candidate = _candidate(run, query_id, DROPPABLE)
        was_complete = run.manifest.state == "complete"
        run.reopen()
        run.stage_files.rejected.add(
            rejection(candidate, "dropped", why, timestamp(environment.clock))
        )
        if was_complete:
            run.seal()
        return report_on(run)


def _check_word(flag: str, text: str) -> None:
    if not text.strip():
        raise InputError(f"{flag}: wanted a few words, found nothing")
    if len(text) > LONGEST_WORD:
        raise InputError(f"{flag}: {len(text)} characters; the most is {LONGEST_WORD}")


def _candidate(run: OpenRun, query_id: str, wanted: tuple[Fate, ...]) -> QueryCandidate:
    candidate = run.stage_files.candidates.done.get(query_id)
    if candidate is None:
        where = (
            "was rejected by the screen"
            if query_id in run.stage_files.rejected.done
            else "is no record of this run"
        )
        raise InputError(f"{run.directory.name}: {query_id} {where}")
    found = record_fates(run.manifest.plan, run.stage_files, run.review_state.rulings)
    fates = {one.query_id: one.fate for one in found}
    if fates[query_id] not in wanted:
        raise InputError(
            f"{run.directory.name}: {query_id} is {fates[query_id]}; wanted one that is {' or '.join(wanted)}"
        )
    return candidate
