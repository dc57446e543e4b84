"""Starting a run and carrying one on."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.cost_estimate import Estimate, estimate_run
from goldwright.app.environment import Environment
from goldwright.app.execution import ExecutionResult, execute
from goldwright.app.record_retries import take_up_retries
from goldwright.app.run_files import OpenRun, run_for_reading, run_for_writing
from goldwright.app.run_manifest import new_manifest
from goldwright.app.run_preparation import (
    RunPreparation,
    RunRequest,
    changes,
    micro_usd,
    prepare_resume,
    prepare_run,
    with_budget,
    with_changes,
)
from goldwright.app.run_report import RunReport, report_on
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.llm.budget import dollars
from goldwright.manifest import RunManifest
from goldwright.snapshot import Snapshot, open_pinned, open_snapshot
from goldwright.snapshot.languages import LANGUAGES
from goldwright.stages.catalog import (
    REPEATABLE_STAGES,
    files_from,
    roles_from,
    stage_named,
)
from goldwright.workspace import RunDirectory, supersede


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a run would rest on and cost; nothing was written for it but the cache."""

    estimate: Estimate
    commit: str
    files: int
    notes: tuple[str, ...]


def start_run(
    request: RunRequest,
    environment: Environment,
    progress: Progress,
    announce: Callable[[str], None],
) -> RunReport:
    """Prepare a run, make its directory, tell its name and play it.

    Raises:
        InputError: Something that was handed over is wrong; then nothing was written.
        BudgetError: The next call could pass the ceiling; the run can be carried on with a higher
            one.
        ProviderError: A provider refuses or is out of reach; the run can be carried on.
    """
    ready = prepare_run(request, environment)
    snapshot = _snapshot_for(request, ready, environment, progress)
    directory = environment.workspace.new_run(
        ready.plan.name, environment.clock.now, environment.chance
    )
    with directory.lock():
        directory.save(_manifest(directory.name, request, ready, snapshot, environment))
    announce(directory.name)
    expected = estimate_run(ready, canaries=request.canaries)
    if expected.is_live:
        progress.note(_expectation(expected))
    with run_for_writing(directory) as run:
        return execute_and_report(run, snapshot, environment, progress, ready)


def dry_run(request: RunRequest, environment: Environment, progress: Progress) -> DryRun:
    """Say what a run would do and cost; nothing is written but the cache, and nothing is asked of a
    provider.
    """
    ready = prepare_run(request, environment, wants_keys=False)
    snapshot = _snapshot_for(request, ready, environment, progress)
    expected = estimate_run(ready, canaries=request.canaries)
    return DryRun(expected, snapshot.commit, len(snapshot.source_files), snapshot.notes)


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """What a user asks for when a run is carried on; ``budget_usd`` is in dollars, for all that the
    run spends.
    """

    from_stage: str | None = None
    accept_changes: bool = False
    budget_usd: float | None = None
    config: Path | None = None


def resume_run(
    name: str, request: ResumeRequest, environment: Environment, progress: Progress
) -> RunReport:
    """Carry a run on where it stopped, or redo one stage and what hangs on it.

    Raises:
        InputError: There is no such run or stage, or plan, prompts, models or program changed since
            it began.
        BusyError: Another process works on it.
        DamagedStateError: A file of it is not what was written.
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    names = [stage.name for stage in REPEATABLE_STAGES]
    if request.from_stage is not None and request.from_stage not in names:
        raise InputError(f"--from {request.from_stage}: no such stage; one of {', '.join(names)}")
    directory = environment.workspace.find_run(name)
    with directory.lock():
        manifest = directory.manifest()
        ready = _ready_to_carry_on(manifest, request, environment)
        if isinstance(ready, RunPreparation):
            manifest = _taken_up(directory, manifest, ready, request)
    with run_for_writing(directory) as run:
        if not isinstance(ready, RunPreparation):
            if run.review_state.retries():
                raise ready
            return report_on(run)
        for attempt in take_up_retries(run, timestamp(environment.clock)):
            progress.note(f"{attempt}: tried again, as asked in review")
        if run.manifest.state == "complete":
            return report_on(run)
        _tell_money(ready, run, progress)
        return execute_and_report(
            run,
            reopened_snapshot(run.manifest, environment, progress),
            environment,
            progress,
            ready,
        )


def _ready_to_carry_on(
    manifest: RunManifest, request: ResumeRequest, environment: Environment
) -> RunPreparation | InputError:
    """Prepare a run, or give what is wrong where it is complete, for then it may have nothing left
    to do.
    """
    try:
        return prepare_resume(
            manifest, environment, config_path=request.config, budget_usd=request.budget_usd
        )
    except InputError as error:
        if manifest.state == "complete" and request == ResumeRequest():
            return error
        raise


def _taken_up(
    directory: RunDirectory, manifest: RunManifest, ready: RunPreparation, request: ResumeRequest
) -> RunManifest:
    """Write down what a run is carried on with, and move away what is done again."""
    changed = tuple(changes(manifest, ready))
    stage = _earliest(request.from_stage, (stage for stage, _ in changed))
    if stage == "author" and manifest.plan.is_return:
        raise InputError(
            f"{manifest.run}: its records came back from a rebase, so there is nothing to author anew"
        )
    if changed and stage is not None and not request.accept_changes:
        what = "; ".join(text for _, text in changed)
        again = _to_be_redone(directory, stage)
        raise InputError(
            f"{manifest.run}: {what}; {again}; pass --accept-changes to redo it, or start a new run"
        )
    fresh = with_changes(manifest, ready) if changed else manifest
    fresh = with_budget(fresh, ready)
    if stage is not None:
        supersede(directory, fresh, from_stage=stage, files=files_from(stage))
    elif fresh != manifest:
        directory.save(fresh)
    return fresh


def _tell_money(ready: RunPreparation, run: OpenRun, progress: Progress) -> None:
    if ready.model_setup.role_models:
        ceiling = run.manifest.budget_micro_usd
        limit = (
            "there is no ceiling (--budget-usd)"
            if ceiling is None
            else f"the ceiling is {dollars(ceiling)}"
        )
        progress.note(f"{dollars(run.call_journal.total.micro_usd)} spent so far; {limit}")


def run_status(name: str, environment: Environment) -> RunReport:
    """Look at a run without touching it."""
    with run_for_reading(environment.workspace.find_run(name)) as run:
        return report_on(run)


def reopened_snapshot(
    manifest: RunManifest, environment: Environment, progress: Progress
) -> Snapshot:
    """Open the codebase of a run at the commit it is pinned to.

    Raises:
        InputError: The mirror is gone and the codebase no longer has that commit.
    """
    progress.phase("opening the snapshot")
    mirror = Path(manifest.mirror)
    if mirror.is_dir():
        return open_pinned(mirror, manifest.commit, cache=environment.cache, origin=manifest.origin)
    rev = manifest.commit if manifest.origin == "git" else None
    snapshot = open_snapshot(Path(manifest.repo), rev=rev, cache=environment.cache)
    if snapshot.commit != manifest.commit:
        raise InputError(
            f"{manifest.repo}: no longer what {manifest.run} is pinned to ({manifest.commit[:12]})"
        )
    return snapshot


def execute_and_report(
    run: OpenRun,
    snapshot: Snapshot,
    environment: Environment,
    progress: Progress,
    ready: RunPreparation,
) -> RunReport:
    """Play an open run to its end and sum it up."""
    ended = execute_run(run, snapshot, environment, progress, ready)
    return report_on(run, failed=ended.failed, notes=(*snapshot.notes, *ended.notes))


def _snapshot_for(
    request: RunRequest, ready: RunPreparation, environment: Environment, progress: Progress
) -> Snapshot:
    progress.phase("reading the codebase")
    snapshot = open_snapshot(
        request.repo,
        rev=request.rev,
        cache=environment.cache,
        allow_dirty=request.allow_dirty,
        workers=ready.config.run.workers,
    )
    if not snapshot.source_files:
        titles = " or ".join(language.title for language in LANGUAGES)
        raise InputError(
            f"{request.repo}: holds no {titles} file at {snapshot.commit[:12]}; "
            f"Goldwright reads {titles}"
        )
    return snapshot


def _manifest(
    name: str,
    request: RunRequest,
    ready: RunPreparation,
    snapshot: Snapshot,
    environment: Environment,
) -> RunManifest:
    manifest = new_manifest(
        name,
        plan=ready.plan,
        config=ready.config,
        prompts=ready.prompts,
        model_setup=ready.model_setup,
        repo=request.repo,
        snapshot=snapshot,
        seed=ready.seed,
        environment=environment,
    )
    return manifest.model_copy(
        update={
            "plan_path": str(ready.plan_path.resolve()),
            "budget_micro_usd": ready.budget_micro_usd,
            "budget_is_by_flag": ready.budget_is_by_flag,
            "canaries": request.canaries,
            "config_path": ready.config_path,
        }
    )


def execute_run(
    run: OpenRun,
    snapshot: Snapshot,
    environment: Environment,
    progress: Progress,
    ready: RunPreparation,
) -> ExecutionResult:
    """Play an open run to its end, whatever that is."""
    work = execute(
        run,
        snapshot,
        ready.model_setup,
        ready.prompts,
        item_ceiling=micro_usd(ready.config.run.item_budget_usd),
        clock=environment.clock,
        progress=progress,
        focus_area=ready.config.run.focus_area,
    )
    return asyncio.run(work)


def _expectation(expected: Estimate) -> str:
    text = f"expected to cost about {dollars(expected.micro_usd)} in {expected.requests} requests, before top-ups"
    ceiling = expected.ceiling_micro_usd
    if ceiling is None:
        return f"{text}; there is no ceiling (--budget-usd)"
    reach = "which is more than" if expected.micro_usd > ceiling else "with"
    return f"{text}, {reach} the ceiling of {dollars(ceiling)}"


def _to_be_redone(directory: RunDirectory, name: str) -> str:
    """Say how many records a redoing would replace, and what they cost the first time."""
    with run_for_reading(directory) as run:
        count = run.stage_files.count(stage_named(name).counted)
        spent = run.call_journal.spent_by_role()
        cost = sum(spent[role].micro_usd for role in roles_from(name) if role in spent)
    items = f"{count} records of the stage {name} and all that hangs on them would be done again"
    return f"{items}, for about {dollars(cost)}" if cost else items


def _earliest(asked: str | None, changed: Iterator[str]) -> str | None:
    affected = {asked, *changed}
    return next((stage.name for stage in REPEATABLE_STAGES if stage.name in affected), None)
