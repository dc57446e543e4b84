"""After a breach: the whole batch again, by agents that are told what people found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from goldwright.app.datasets.batch_drift import measure_drift
from goldwright.app.datasets.blessing_ledger import note_requeue
from goldwright.app.environment import Environment
from goldwright.app.runs.execution import execute_and_report
from goldwright.app.runs.replaced_runs import replacement_of
from goldwright.app.runs.run_changes import with_budget, with_changes
from goldwright.app.runs.run_files import OpenRun, run_for_reading, run_for_writing
from goldwright.app.runs.run_manifest import replacement_manifest
from goldwright.app.runs.run_preparation import RunPreparation, prepare_resume
from goldwright.app.runs.run_report import RunReport, report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.app.runs.stronger_adversary import with_stronger_adversary
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.batch_drift import shift_sentences
from goldwright.journal import ReviewLog
from goldwright.manifest import RunManifest
from goldwright.records import ClosingEvent
from goldwright.review.findings import lessons_of
from goldwright.review.review_state import REJECTING_VERDICTS
from goldwright.review.spot_check import SpotCheck
from goldwright.workspace import StageFileName, earlier_reviews


def requeue_run(
    name: str,
    against: str | None,
    environment: Environment,
    progress: Progress,
    announce: Callable[[str], None],
) -> RunReport:
    """Start a run that replaces one that failed, at the same commit and with the same plan.

    The agents are told what people found, and entities of faulty records are left alone. People
    will draw another sample, whose bounds pay for the looks before it.

    Args:
        name: The run to replace: its sample breached a ceiling, or it differs from ``against``.
        against: A golden dataset that the batch is compared with first.
        environment: Where runs and datasets are.
        progress: Learns how far things are.
        announce: Is called with the name of the new run, before it is played.

    Raises:
        InputError: No ceiling is breached and nothing differs, another run replaces it already, or
            what it rests on cannot be read any more.
    """
    shifts = _shift_sentences(name, against, environment, progress)
    findings = _read_findings(name, shifts, environment)
    replaced = findings.manifest
    _refuse_second_replacement(replaced.run, environment)
    preparation = prepare_resume(replaced, environment)
    snapshot = reopen_snapshot(replaced, environment, progress)
    directory = environment.new_run_directory(preparation.plan.name)
    manifest = _manifest(directory.name, findings, preparation, environment)
    directory.begin(manifest)
    _close(findings, directory.name, environment)
    announce(directory.name)
    for note in _limits_of_lessons(findings, manifest):
        progress.note(note)
    with run_for_writing(directory) as run:
        report = execute_and_report(
            run,
            snapshot,
            preparation=preparation,
            environment=environment,
            progress=progress,
        )
    return with_stronger_adversary(report, directory, preparation, environment, progress)


@dataclass(frozen=True, slots=True)
class _ReplacedRunFindings:
    """What a failed run hands on to its replacement.

    Attributes:
        manifest: Its manifest.
        lessons: What is wrong with it, a sentence each.
        spent_targets: Entities that no query of the replacement may be about.
        looks: How many samples people have drawn so far.
        breaches: Why it failed, a phrase each.
    """

    manifest: RunManifest
    lessons: tuple[str, ...]
    spent_targets: tuple[str, ...]
    looks: int
    breaches: tuple[str, ...]


def _shift_sentences(
    name: str, against: str | None, environment: Environment, progress: Progress
) -> list[str]:
    if not against:
        return []
    report = measure_drift((name,), against, environment, progress)
    return list(shift_sentences(report.drift))


def _breaches(check: SpotCheck) -> Iterator[str]:
    yield from (ceiling.name for ceiling in check.breaches)
    yield from check.unproven


def _read_findings(name: str, shifts: list[str], environment: Environment) -> _ReplacedRunFindings:
    with run_for_reading(environment.workspace.find_run(name)) as run:
        report = report_on(run)
        # People may give a batch up before all verdicts are there.
        if report.check.outcome not in ("at_risk", "breached", "unproven") and not shifts:
            raise InputError(f"{report.name}: breaches no ceiling, so there is nothing to requeue")
        manifest = run.manifest
        targets = {*manifest.spent_targets, *_faulty_targets(run)}
        # A review that a redone stage has put away was a look at the batch too.
        looks_by_manifest = manifest.round + earlier_reviews(run.directory)
        looks = max(looks_by_manifest, report.check.round)
        return _ReplacedRunFindings(
            manifest=manifest,
            lessons=lessons_of(report.check.findings, shifts),
            spent_targets=tuple(sorted(targets)),
            looks=looks,
            breaches=(*shifts, *_breaches(report.check)),
        )


def _faulty_targets(run: OpenRun) -> Iterator[str]:
    """Give the entities of records that people judged to be faulty."""
    canaries = run.review_events.canaries
    for (query_id, _), event in run.review_events.verdicts.items():
        # The candidate behind a canary is sound; its answer was falsified.
        if event.verdict in REJECTING_VERDICTS and query_id not in canaries:
            yield from run.stage_files.candidates.done[query_id].target_entity_ids


def _refuse_second_replacement(name: str, environment: Environment) -> None:
    """Refuse to replace a run twice: drawing samples until one passes would confirm nothing."""
    replacement = replacement_of(name, environment)
    if replacement is not None:
        raise InputError(
            f"{name}: {replacement} replaces it already; review that one, or resume it"
        )


def _limits_of_lessons(findings: _ReplacedRunFindings, manifest: RunManifest) -> Iterator[str]:
    """Say what agents that read no lessons do otherwise in spite of them."""
    offline = [role for role in manifest.roles if role not in manifest.models]
    if not offline or not findings.lessons:
        return
    offline_roles = ", ".join(offline)
    count = len(findings.spent_targets)
    yield (
        f"played by static analysis, which cannot learn from words: {offline_roles}; "
        f"another seed and other targets than the {count} of faulty records are all that changes, "
        "so the same kind of fault may come back"
    )


def _close(findings: _ReplacedRunFindings, replaced_by: str, environment: Environment) -> None:
    """Let nobody say anything more of a run, and write down why."""
    directory = environment.workspace.find_run(findings.manifest.run)

    def make_event(number: int) -> ClosingEvent:
        return ClosingEvent(
            number=number,
            key=f"closing-{replaced_by}"[:100],
            reviewer="goldwright requeue",
            reviewed_at=timestamp(environment.clock),
            replaced_by=replaced_by,
        )

    path = directory.stage_path(StageFileName.HUMAN_REVIEWS)
    with ReviewLog(path) as reviews, reviews.turn() as write:
        write(make_event)
    note_requeue(directory, findings.breaches, replaced_by, environment)


def _manifest(
    name: str,
    findings: _ReplacedRunFindings,
    preparation: RunPreparation,
    environment: Environment,
) -> RunManifest:
    # With the plan, prompts and models of now: there is no earlier result that they could spoil.
    manifest = replacement_manifest(findings.manifest, name, environment)
    manifest = with_changes(manifest, preparation)
    manifest = with_budget(manifest, preparation)
    next_round = findings.looks + 1
    return manifest.model_copy(
        update={
            "round": next_round,
            "requeued_from": findings.manifest.run,
            "lessons": findings.lessons,
            "spent_targets": findings.spent_targets,
        }
    )
