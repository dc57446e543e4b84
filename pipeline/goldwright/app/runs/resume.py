"""Carrying a run on where it stopped, or doing one of its stages again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.runs.execution import execute_and_report
from goldwright.app.runs.record_retries import take_up_retries
from goldwright.app.runs.run_changes import (
    RunChange,
    changes_since_start,
    with_budget,
    with_changes,
)
from goldwright.app.runs.run_files import OpenRun, run_for_reading, run_for_writing
from goldwright.app.runs.run_preparation import RunPreparation, prepare_resume
from goldwright.app.runs.run_report import RunReport, report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.app.runs.set_aside import work_set_aside
from goldwright.app.runs.stored_trust_cards import read_run_card
from goldwright.app.runs.stronger_adversary import with_stronger_adversary
from goldwright.app.runs.trust_cards import renew_run_card
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.llm.budget import dollars
from goldwright.manifest import RedoneStage, RunManifest
from goldwright.stages.stage_graph import REPEATABLE_STAGES, files_from, roles_from, stage_named
from goldwright.text import counted, name_some
from goldwright.workspace import RunDirectory, supersede


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """What a user asks for when a run is carried on.

    Attributes:
        from_stage: The stage to do again; None carries on where the run stopped.
        accept_changes: Whether to redo the stages that changed plans, prompts or models bear on.
        budget_usd: A new ceiling in dollars, for all that the run spends.
        config: Settings in place of those that the run was started with.
        as_filled: Whether a finished run takes what its cells hold for what was planned.
    """

    from_stage: str | None = None
    accept_changes: bool = False
    budget_usd: float | None = None
    config: Path | None = None
    as_filled: bool = False


def resume_run(
    name: str, request: ResumeRequest, environment: Environment, progress: Progress
) -> RunReport:
    """Carry a run on where it stopped, or redo one stage and what rests on it.

    Raises:
        InputError: There is no such run or stage, or plan, prompts, models or program changed since
            it began.
        BusyError: Another process works on it.
        DamagedStateError: A file of it is not what was written.
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    _check_stage(request.from_stage)
    directory = environment.workspace.find_run(name, may_be_empty=True)
    # What the run rests on is settled first; opening it for work takes the lock once more.
    with directory.lock():
        if request.as_filled:
            _take_as_filled(directory)
        manifest = directory.manifest()
        preparation = _prepare(manifest, request, environment)
        if isinstance(preparation, RunPreparation):
            _take_up(directory, manifest, preparation, request)
    with run_for_writing(directory) as run:
        if isinstance(preparation, InputError):
            return _report_complete(run, preparation)
        for redone in run.manifest.redone[len(manifest.redone) :]:
            kept_in = directory.superseded_path(redone.number)
            progress.note(_redone_sentence(redone, kept_in))
        report = _carry_on(run, preparation, environment, progress)
    return with_stronger_adversary(report, directory, preparation, environment, progress)


def _take_as_filled(directory: RunDirectory) -> None:
    """Lower what a run was to hold to what it holds, cell by cell; no record is touched.

    Raises:
        InputError: The run is not finished, people have judged it, or no cell holds a record.
    """
    with run_for_reading(directory) as run:
        manifest = run.manifest
        if manifest.state != "complete":
            raise InputError(f"{manifest.run}: --as-filled: the run is not finished")
        # A sample that nobody has judged binds nobody: opening a review draws one.
        if run.review_events.verdicts:
            raise InputError(
                f"{manifest.run}: --as-filled: people have judged records already, by another "
                "plan; it works again once they have taken their verdicts back (u in the review)"
            )
        report = report_on(run)
    cells = report.plan.filled_cells()
    counts = {cell: report.filled(cell) for cell in cells}
    plan = report.plan.reduced_to(counts)
    # Without a file the plan of the manifest holds, so that the file may stay as it is.
    fields = {"plan": plan, "plan_digest": plan.content_digest(), "plan_path": ""}
    directory.save(manifest.model_copy(update=fields))


def _check_stage(name: str | None) -> None:
    names = [stage.name for stage in REPEATABLE_STAGES]
    if name is not None and name not in names:
        choices = ", ".join(names)
        # Where a role gives its name to no stage, people look for it by the role.
        stages = [stage.name for stage in REPEATABLE_STAGES if name == stage.role]
        hint = ""
        if stages:
            hint = f"; {name} works in {stages[0]}"
        raise InputError(f"--from {name}: no such stage; one of {choices}{hint}")


def _prepare(
    manifest: RunManifest, request: ResumeRequest, environment: Environment
) -> RunPreparation | InputError:
    """Prepare a run, or give the problem where the run may not need any preparation.

    A complete run usually has nothing left to do; then a key that is missing does not matter.
    """
    try:
        return prepare_resume(
            manifest, environment, config_path=request.config, budget_usd=request.budget_usd
        )
    except InputError as error:
        if manifest.state == "complete" and replace(request, as_filled=False) == ResumeRequest():
            return error
        raise


def _report_complete(run: OpenRun, problem: InputError) -> RunReport:
    """Report on a complete run; records to be tried again would have needed the preparation."""
    if run.review_state.retries():
        raise problem
    return report_on(run)


def _carry_on(
    run: OpenRun, preparation: RunPreparation, environment: Environment, progress: Progress
) -> RunReport:
    # Before the state is looked at: records to try again open a complete run.
    for attempt in take_up_retries(run, timestamp(environment.clock)):
        progress.note(f"{attempt}: tried again, as asked in review")
    for item in work_set_aside(run):
        progress.note(f"{item}: was set aside, and is tried again")
        # The files grow beyond their seals, so the manifest has to allow that first.
        run.reopen()
    if run.manifest.state == "complete":
        return _with_trust_card(run, environment, progress)
    if preparation.model_setup.role_models:
        progress.note(_spending_sentence(run))
    standing = _standing_sentence(run)
    if standing:
        progress.note(standing)
    snapshot = reopen_snapshot(run.manifest, environment, progress)
    return execute_and_report(
        run,
        snapshot,
        preparation=preparation,
        environment=environment,
        progress=progress,
    )


def _with_trust_card(run: OpenRun, environment: Environment, progress: Progress) -> RunReport:
    """Report on a complete run; where it was stopped before its card was written, that is done."""
    report = report_on(run)
    if not report.selected or read_run_card(run.directory) is not None:
        return report
    progress.phase("measuring the trust card")
    snapshot = reopen_snapshot(run.manifest, environment, progress)
    return replace(report, trust_card=renew_run_card(run, report.record_fates, snapshot))


def _standing_sentence(run: OpenRun) -> str:
    """Say what stands already; empty where nothing does."""
    counts = []
    for stage in REPEATABLE_STAGES:
        count = run.stage_files.count(stage.counted)
        # The gate writes down only what fails, which says nothing of how far it is.
        if count and stage.counted in stage.writes:
            counts.append(f"{stage.progress} {count}")
    if not counts:
        return ""
    standing = "; ".join(counts)
    return f"stands already: {standing}; it is counted once more below, and not made again"


def _redone_sentence(redone: RedoneStage, kept_in: Path) -> str:
    # A stage that nothing was set aside in has written no such file.
    paths = [kept_in / file for file in redone.files]
    kept_count = sum(path.is_file() for path in paths)
    return (
        f"done again: {redone.from_stage}, and all that rests on it; "
        f"{counted(kept_count, 'older file')} kept in superseded/{redone.number:02d}"
    )


def _take_up(
    directory: RunDirectory,
    manifest: RunManifest,
    preparation: RunPreparation,
    request: ResumeRequest,
) -> None:
    """Write down what the run rests on from now on, and move away what is done again."""
    changes = changes_since_start(manifest, preparation)
    stage = _earliest_stage(request.from_stage, changes)
    if stage == "author" and manifest.plan.is_return:
        origin = "were adopted" if manifest.plan.name == "adopt" else "came back from a rebase"
        raise InputError(
            f"{manifest.run}: its records {origin}, so there is nothing to author again"
        )
    # Changes after a stage that is redone anyway want consent too: the user may not know of them.
    if stage is not None and not request.accept_changes:
        reasons = _what_wants_consent(directory, changes, stage)
        if reasons:
            joint_reasons = "; ".join(reasons)
            raise InputError(
                f"{manifest.run}: {joint_reasons}; pass --accept-changes to redo it, "
                "or start a new run"
            )
    # From here on nothing is refused any more; one save writes all of it.
    updated = manifest
    if changes:
        updated = with_changes(updated, preparation)
    updated = with_budget(updated, preparation)
    if stage is not None:
        supersede(directory, updated, from_stage=stage, files=files_from(stage))
    elif updated != manifest:
        directory.save(updated)


def _earliest_stage(from_stage: str | None, changes: Sequence[RunChange]) -> str | None:
    """Give the first stage that has to be done again, None where nothing has to."""
    affected = {change.stage for change in changes}
    for stage in REPEATABLE_STAGES:
        if stage.name == from_stage or stage.name in affected:
            return stage.name
    return None


def _what_wants_consent(
    directory: RunDirectory, changes: Sequence[RunChange], stage: str
) -> list[str]:
    """Say what changed and what people would lose by doing a stage again; nothing where nothing."""
    reasons = [change.sentence for change in changes]
    if changes:
        reasons.append(_redoing_sentence(directory, stage))
    with run_for_reading(directory) as run:
        verdicts = tuple(run.review_events.verdicts.values())
    if verdicts:
        names = name_some(sorted({verdict.reviewer for verdict in verdicts}))
        counted_verdicts = counted(len(verdicts), "verdict")
        reasons.append(
            f"{counted_verdicts} by {names} would be set aside with the records "
            "that they judge, and another sample drawn"
        )
    return reasons


def _redoing_sentence(directory: RunDirectory, stage: str) -> str:
    """Say how many records would be replaced, and what they cost the first time."""
    with run_for_reading(directory) as run:
        count = run.stage_files.count(stage_named(stage).counted)
        spend_by_role = run.call_journal.spent_by_role()
    cost = 0
    for role in roles_from(stage):
        if role in spend_by_role:
            cost += spend_by_role[role].micro_usd
    records = counted(count, "record")
    sentence = f"{records} of the stage {stage} and all that rests on them would be done again"
    if not cost:
        return sentence
    return f"{sentence}, for about {dollars(cost)}"


def _spending_sentence(run: OpenRun) -> str:
    spent = dollars(run.call_journal.total.micro_usd)
    ceiling = run.manifest.budget_micro_usd
    if ceiling is None:
        return f"{spent} spent so far; there is no ceiling (--budget-usd)"
    return f"{spent} spent so far; the ceiling is {dollars(ceiling)}"
