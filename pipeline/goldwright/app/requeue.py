"""After a breach: the whole batch again, by agents that are told what people found."""

from collections.abc import Callable, Iterator

from goldwright.app.batch_drift import measure_drift
from goldwright.app.environment import Environment
from goldwright.app.run import execute_and_report, reopened_snapshot
from goldwright.app.run_files import OpenRun, run_for_reading, run_for_writing
from goldwright.app.run_manifest import next_round
from goldwright.app.run_preparation import prepare_resume, with_budget, with_changes
from goldwright.app.run_report import RunReport, report_on
from goldwright.engine.progress import Progress
from goldwright.errors import GoldwrightError, InputError
from goldwright.golden.batch_drift import shift_sentences
from goldwright.review.review_state import REJECTING_VERDICTS
from goldwright.workspace import RunDirectory, earlier_reviews

MOST_LESSONS = 40


def requeue_run(
    name: str,
    against: str | None,
    environment: Environment,
    progress: Progress,
    announce: Callable[[str], None],
) -> RunReport:
    """Start a run that replaces one that is no good, at the same commit and with the same plan.

    That is one whose sample breached a ceiling, or one that differs significantly from the dataset
    ``against``.

    The agents are told what people found, entities of faulty records are left alone, and the sample
    will be a fresh one whose bounds are paid for by the looks before it.

    Raises:
        InputError: No ceiling is breached and nothing differs, another run replaces it already, or
            what it rests on cannot be read any more.
    """
    drifted = (
        tuple(shift_sentences(measure_drift((name,), against, environment, progress).drift))
        if against
        else ()
    )
    with run_for_reading(environment.workspace.find_run(name)) as run:
        report = report_on(run)
        if report.check.outcome != "breached" and not drifted:
            raise InputError(f"{report.name}: breaches no ceiling, so there is nothing to requeue")
        lessons = tuple(dict.fromkeys((*drifted, *report.check.failure_modes)))[:MOST_LESSONS]
        spent = tuple(sorted({*run.manifest.spent_targets, *_faulty_targets(run)}))
        looks = run.manifest.round + earlier_reviews(run.directory)
        before = run.manifest
    _check_not_done(before.run, environment)
    ready = prepare_resume(before, environment)
    snapshot = reopened_snapshot(before, environment, progress)
    directory = environment.workspace.new_run(
        ready.plan.name, environment.clock.now, environment.chance
    )
    manifest = with_budget(
        with_changes(next_round(before, directory.name, environment), ready), ready
    )
    again = {
        "round": looks + 1,
        "requeued_from": before.run,
        "lessons": lessons,
        "spent_targets": spent,
    }
    with directory.lock():
        directory.save(manifest.model_copy(update=again))
    announce(directory.name)
    with run_for_writing(directory) as fresh:
        return execute_and_report(fresh, snapshot, environment, progress, ready)


def _check_not_done(name: str, environment: Environment) -> None:
    """Refuse a second replacement: whoever may draw until a sample pleases has confirmed nothing."""
    for other in environment.workspace.all_runs():
        if _replaces(other) == name:
            raise InputError(
                f"{name}: {other.name} replaces it already; review that one, or resume it"
            )


def _replaces(run: RunDirectory) -> str | None:
    """Name the run that a run replaces; one that cannot be read replaces none."""
    try:
        return run.manifest().requeued_from
    except GoldwrightError:
        return None


def _faulty_targets(run: OpenRun) -> Iterator[str]:
    canaries = run.review_events.canaries
    for (query_id, _), given in run.review_events.verdicts.items():
        if given.verdict in REJECTING_VERDICTS and query_id not in canaries:
            yield from run.stage_files.candidates.done[query_id].target_entity_ids
