"""Starting a run and carrying one on."""

import asyncio
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright import __version__
from goldwright.app.opening import OpenRun, run_for_reading, run_for_writing
from goldwright.app.playing import offline_identities, play, stage_versions
from goldwright.app.reporting import RunReport, report_on
from goldwright.app.surroundings import Surroundings
from goldwright.config import Config, read_config
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.manifest import RunManifest
from goldwright.plan import Plan, read_plan
from goldwright.prompts import PromptLibrary
from goldwright.snapshot import Snapshot, open_pinned, open_snapshot
from goldwright.workspace import StageFileName, find_plan, find_prompts, supersede

FILES_FROM: Final[dict[str, tuple[StageFileName, ...]]] = {
    "author": (
        StageFileName.CANDIDATES,
        StageFileName.ORACLE_ANSWERS,
        StageFileName.ADVERSARY_REPORTS,
        StageFileName.VALIDATION_FAILURES,
        StageFileName.HUMAN_REVIEW_QUEUE,
        StageFileName.REJECTED,
        StageFileName.NARRATIVE_VERDICTS,
    ),
    "oracle": (
        StageFileName.ORACLE_ANSWERS,
        StageFileName.ADVERSARY_REPORTS,
        StageFileName.VALIDATION_FAILURES,
        StageFileName.HUMAN_REVIEW_QUEUE,
        StageFileName.NARRATIVE_VERDICTS,
    ),
    "gate": (
        StageFileName.ADVERSARY_REPORTS,
        StageFileName.VALIDATION_FAILURES,
        StageFileName.HUMAN_REVIEW_QUEUE,
        StageFileName.NARRATIVE_VERDICTS,
    ),
    "adversary": (
        StageFileName.ADVERSARY_REPORTS,
        StageFileName.HUMAN_REVIEW_QUEUE,
        StageFileName.NARRATIVE_VERDICTS,
    ),
    "agreement": (StageFileName.HUMAN_REVIEW_QUEUE, StageFileName.NARRATIVE_VERDICTS),
}
STAGES: Final = tuple(FILES_FROM)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a user asks for; ``budget_usd`` is in dollars, ``seed`` overrides the configuration's."""

    plan: str
    repo: Path
    rev: str | None = None
    config: Path | None = None
    seed: int | None = None
    budget_usd: float | None = None
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class Preparation:
    """Everything a run needs, read and validated before anything is written."""

    plan: Plan
    plan_path: Path
    config: Config
    prompts: PromptLibrary
    seed: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do: cells with their targets and emissions, calls by role, dollars."""

    plan: Plan
    snapshot_notes: tuple[str, ...]
    commit: str
    files: int
    calls: dict[str, int]
    usd: float


def start(request: RunRequest, around: Surroundings, progress: Progress, announce: Callable[[str], None]) -> RunReport:
    """Prepare a run, make its directory, tell its name and play it.

    Raises:
        InputError: Something that was handed over is wrong; then nothing was written.
    """
    ready = prepare(request, around)
    snapshot = _snapshot_for(request, ready, around, progress)
    directory = around.workspace.new_run(ready.plan.name, around.clock.now, around.chance)
    with directory.lock():
        directory.save(_manifest(directory.name, request, ready, snapshot, around))
    announce(directory.name)
    with run_for_writing(directory) as run:
        return _play(run, snapshot, around, progress, ready.config)


def estimate(request: RunRequest, around: Surroundings, progress: Progress) -> Estimate:
    """Say what a run would do and cost; nothing is written but the cache."""
    ready = prepare(request, around)
    snapshot = _snapshot_for(request, ready, around, progress)
    cells = tuple(ready.plan.filled_cells())
    emitted = sum(ready.plan.emission(ready.plan.target(cell)) for cell in cells)
    calls = {"author": len(cells), "oracle": emitted, "adversary": emitted, "judge": emitted}
    return Estimate(ready.plan, snapshot.notes, snapshot.commit, len(snapshot.python_files), calls, 0.0)


def carry_on(
    name: str,
    around: Surroundings,
    progress: Progress,
    *,
    from_stage: str | None = None,
    accept_changes: bool = False,
) -> RunReport:
    """Carry a run on where it stopped, or redo one stage and what hangs on it.

    Raises:
        InputError: There is no such run or stage, or plan, prompts or program changed since it began.
        BusyError: Another process works on it.
        DamagedStateError: A file of it is not what was written.
    """
    if from_stage is not None and from_stage not in FILES_FROM:
        raise InputError(f"--from {from_stage}: no such stage; one of {', '.join(STAGES)}")
    directory = around.workspace.find_run(name)
    with directory.lock():
        manifest = directory.manifest()
        config, base = read_config(None, root=around.root)
        changed = tuple(_changes(manifest, config, base))
        if changed and not accept_changes:
            what = "; ".join(text for _, text in changed)
            raise InputError(f"{manifest.run}: {what}; pass --accept-changes to redo it, or start a new run")
        manifest = _accepted(manifest, config, base) if changed else manifest
        stage = _earliest(from_stage, (stage for stage, _ in changed))
        if stage is not None:
            supersede(directory, manifest, from_stage=stage, files=FILES_FROM[stage])
    with run_for_writing(directory) as run:
        if run.manifest.state == "complete":
            return report_on(run)
        return _play(run, reopened_snapshot(run.manifest, around, progress), around, progress, config)


def status(name: str, around: Surroundings) -> RunReport:
    """Look at a run without touching it."""
    with run_for_reading(around.workspace.find_run(name)) as run:
        return report_on(run)


def prepare(request: RunRequest, around: Surroundings) -> Preparation:
    """Read and validate plan, configuration, prompts and flags.

    Raises:
        InputError: One of them is wrong.
    """
    budget = request.budget_usd
    if budget is not None and not (math.isfinite(budget) and budget > 0):
        raise InputError(f"--budget-usd {budget}: wanted a number of dollars above 0")
    plan_path = find_plan(request.plan, around.root)
    plan = read_plan(plan_path)
    config, base = read_config(request.config, root=around.root)
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base))
    seed = config.run.seed if request.seed is None else request.seed
    return Preparation(plan, plan_path, config, prompts, seed)


def reopened_snapshot(manifest: RunManifest, around: Surroundings, progress: Progress) -> Snapshot:
    """Open the codebase of a run at the commit it is pinned to.

    Raises:
        InputError: The mirror is gone and the codebase no longer has that commit.
    """
    progress.phase("opening the snapshot")
    mirror = Path(manifest.mirror)
    if mirror.is_dir():
        return open_pinned(mirror, manifest.commit, cache=around.cache, origin=manifest.origin)
    rev = manifest.commit if manifest.origin == "git" else None
    snapshot = open_snapshot(Path(manifest.repo), rev=rev, cache=around.cache)
    if snapshot.commit != manifest.commit:
        raise InputError(f"{manifest.repo}: no longer what {manifest.run} is pinned to ({manifest.commit[:12]})")
    return snapshot


def _snapshot_for(request: RunRequest, ready: Preparation, around: Surroundings, progress: Progress) -> Snapshot:
    progress.phase("reading the codebase")
    snapshot = open_snapshot(
        request.repo,
        rev=request.rev,
        cache=around.cache,
        allow_dirty=request.allow_dirty,
        workers=ready.config.run.workers,
    )
    if not snapshot.python_files:
        raise InputError(f"{request.repo}: holds no Python file at {snapshot.commit[:12]}; Goldwright reads Python")
    return snapshot


def _manifest(
    name: str, request: RunRequest, ready: Preparation, snapshot: Snapshot, around: Surroundings
) -> RunManifest:
    return RunManifest(
        run=name,
        goldwright_version=__version__,
        created_at=timestamp(around.clock),
        plan=ready.plan,
        plan_path=str(ready.plan_path.resolve()),
        plan_digest=ready.plan.content_digest(),
        repo=str(request.repo.resolve()),
        mirror=str(snapshot.mirror),
        origin="git" if snapshot.origin == "git" else "directory",
        commit=snapshot.commit,
        tree=snapshot.tree,
        seed=ready.seed,
        roles=offline_identities(),
        prompt_digests=dict(ready.prompts.digests()),
        stage_versions=stage_versions(),
        config_digest=ready.config.content_digest(),
    )


def _play(run: OpenRun, snapshot: Snapshot, around: Surroundings, progress: Progress, config: Config) -> RunReport:
    work = play(run, snapshot, clock=around.clock, progress=progress, focus_area=config.run.focus_area)
    failed = asyncio.run(work)
    return report_on(run, failed=failed, notes=snapshot.notes)


def _changes(manifest: RunManifest, config: Config, base: Path) -> Iterator[tuple[str, str]]:
    """What is no longer as it was when the run began: the first stage it bears on, and the fact."""
    plan_path = Path(manifest.plan_path)
    if plan_path.is_file() and read_plan(plan_path).content_digest() != manifest.plan_digest:
        yield "author", f"the plan changed ({plan_path.name})"
    now = PromptLibrary.load(find_prompts(config.paths.prompts, base)).digests()
    for name in sorted(now.keys() | manifest.prompt_digests.keys()):
        if now.get(name) != manifest.prompt_digests.get(name):
            yield _stage_of_prompt(name), f"the prompt {name} changed"
    for stage, version in stage_versions().items():
        if manifest.stage_versions.get(stage) != version:
            yield stage, f"the stage {stage} has another version than this goldwright"


def _stage_of_prompt(name: str) -> str:
    role = name.partition("_")[0]
    return "agreement" if role == "judge" else role if role in FILES_FROM else "author"


def _accepted(manifest: RunManifest, config: Config, base: Path) -> RunManifest:
    plan_path = Path(manifest.plan_path)
    plan = read_plan(plan_path) if plan_path.is_file() else manifest.plan
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base))
    update = {
        "plan": plan,
        "plan_digest": plan.content_digest(),
        "prompt_digests": dict(prompts.digests()),
        "stage_versions": stage_versions(),
    }
    return manifest.model_copy(update=update)


def _earliest(asked: str | None, changed: Iterator[str]) -> str | None:
    stages = [stage for stage in (asked, *changed) if stage is not None]
    return min(stages, key=STAGES.index, default=None)
