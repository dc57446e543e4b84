"""A person's decisions on single records: try one again, or take one out."""

from dataclasses import dataclass
from typing import Final

from goldwright.app.datasets.blessing_ledger import note_resumed
from goldwright.app.environment import Environment
from goldwright.app.runs.execution import execute_run
from goldwright.app.runs.record_retries import rejection, try_again
from goldwright.app.runs.run_changes import changes_since_start, with_budget
from goldwright.app.runs.run_files import OpenRun, run_for_writing
from goldwright.app.runs.run_preparation import RunPreparation, prepare_resume
from goldwright.app.runs.run_report import RunReport, report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.records import QueryCandidate
from goldwright.review.queues import stop_reasons
from goldwright.review.review_rules import RETRY_OF_ADOPTED
from goldwright.stages.fates import Fate, record_fates

# The stopped records; one that passed would be tried again only for another result.
RETRIABLE: Final[tuple[Fate, ...]] = ("failed_gate", "queued")
DROPPABLE: Final[tuple[Fate, ...]] = ("failed_gate", "queued", "pending", "reserve", "open")

# Characters of a hint or a reason; a hint becomes part of the Oracle's prompt.
MAX_TEXT_LENGTH: Final = 4000


@dataclass(frozen=True, slots=True)
class RetriedRecord:
    """A new attempt at a record.

    Attributes:
        attempt: The id of the new attempt.
        fate: Where the new attempt stands now.
        why: Why it stopped, a reason each; empty where it did not.
        report: The run as it is now.
    """

    attempt: str
    fate: Fate
    why: tuple[str, ...]
    report: RunReport


def retry_record(
    run_name: str, query_id: str, *, hint: str, environment: Environment, progress: Progress
) -> RetriedRecord:
    """Try a record again with a person's hint: a new attempt that names its parent.

    Raises:
        InputError: There is no such record, or it does not wait for a decision.
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    with run_for_writing(environment.workspace.find_run(run_name)) as run:
        _check_text("--hint", hint)
        parent = _find_candidate(run, query_id, RETRIABLE)
        if run.manifest.plan.is_adopted:
            raise InputError(f"{run.directory.name}: {query_id} {RETRY_OF_ADOPTED}")
        preparation = prepare_resume(run.manifest, environment)
        _refuse_changes(run, preparation)
        snapshot = reopen_snapshot(run.manifest, environment, progress)
        # Nothing is written before this line, so whatever is refused leaves the run as it was.
        run.save(with_budget(run.manifest, preparation))
        run.reopen()
        created_at = timestamp(environment.clock)
        attempt = try_again(run, parent, hint, created_at)
        result = execute_run(
            run, snapshot, preparation=preparation, environment=environment, progress=progress
        )
        report = report_on(run, failed=result.failed, notes=result.notes)
        why = stop_reasons(run.review_state, attempt)
    return RetriedRecord(attempt, report.fate_of(attempt), why, report)


def drop_record(run_name: str, query_id: str, *, why: str, environment: Environment) -> RunReport:
    """Take a record out for good; a reserve of its cell takes its place where there is one.

    Raises:
        InputError: There is no such record, or it is out already.
    """
    with run_for_writing(environment.workspace.find_run(run_name)) as run:
        _check_text("--why", why)
        candidate = _find_candidate(run, query_id, DROPPABLE)
        was_complete = run.manifest.state == "complete"
        run.reopen()
        created_at = timestamp(environment.clock)
        record = rejection(candidate, "dropped", why, created_at)
        run.stage_files.rejected.add(record)
        # A run that was open stays open: its other cases are not done.
        if was_complete:
            run.seal()
            note_resumed(run.directory, environment)
        notes: tuple[str, ...] = ()
        if query_id in run.review_state.events.sampled:
            sampled = f"{query_id} is in the sample that people judge"
            check = f"goldwright spot-check {run.directory.name}"
            notes = (f"{sampled}, and counts as a major finding there: {check}",)
        return report_on(run, notes=notes)


def _check_text(flag: str, text: str) -> None:
    if not text.strip():
        raise InputError(f"{flag}: wanted a few words, found nothing")
    length = len(text)
    if length > MAX_TEXT_LENGTH:
        raise InputError(f"{flag}: {length} characters; the most is {MAX_TEXT_LENGTH}")


def _find_candidate(run: OpenRun, query_id: str, allowed_fates: tuple[Fate, ...]) -> QueryCandidate:
    run_name = run.directory.name
    candidate = run.stage_files.candidates.done.get(query_id)
    if candidate is None:
        reason = _reason_for_absence(run, query_id)
        raise InputError(f"{run_name}: {query_id} {reason}")
    fate = _current_fate(run, query_id)
    if fate not in allowed_fates:
        choices = " or ".join(allowed_fates)
        hint = "" if "pending" in allowed_fates else " (goldwright drop takes any record out)"
        for attempt, stored_candidate in run.stage_files.candidates.done.items():
            if stored_candidate.parent == query_id:
                hint = f"; {attempt} stands in its place"
        reason = f"is {fate}; wanted one that is {choices}{hint}"
        raise InputError(f"{run_name}: {query_id} {reason}")
    return candidate


def _reason_for_absence(run: OpenRun, query_id: str) -> str:
    if query_id in run.stage_files.rejected.done:
        return "was rejected by the screen"
    return "is no record of this run"


def _current_fate(run: OpenRun, query_id: str) -> Fate:
    rulings = run.review_state.rulings
    records = record_fates(run.manifest.plan, run.stage_files, rulings)
    # Every candidate has exactly one fate, so there is one.
    return next(record.fate for record in records if record.query_id == query_id)


def _refuse_changes(run: OpenRun, preparation: RunPreparation) -> None:
    """Refuse to play one record by other rules than the rest of its batch."""
    changes = changes_since_start(run.manifest, preparation)
    if changes:
        run_name = run.directory.name
        sentences = "; ".join(change.sentence for change in changes)
        raise InputError(
            f"{run_name}: {sentences}; carry it on first: goldwright resume --accept-changes"
        )
