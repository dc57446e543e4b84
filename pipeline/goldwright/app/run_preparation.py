"""Reading and validating all that a run rests on, before anything of it is written or paid."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.model_setup import ModelSetup, model_fields, set_up_models
from goldwright.config import LARGEST_BUDGET, OFFLINE, SMALLEST_BUDGET, Config, read_config
from goldwright.errors import InputError
from goldwright.llm.budget import MICRO
from goldwright.manifest import RunManifest
from goldwright.plan import Plan, read_plan
from goldwright.prompts import PromptLibrary
from goldwright.stages.catalog import ROLES, first_stage_of, stage_versions
from goldwright.workspace import find_plan, find_prompts


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a user asks for; ``budget_usd`` is in dollars, ``seed`` and ``budget_usd`` override the
    configuration's.
    """

    plan: str
    repo: Path
    rev: str | None = None
    config: Path | None = None
    seed: int | None = None
    budget_usd: float | None = None
    allow_dirty: bool = False
    canaries: int = 0


@dataclass(frozen=True, slots=True)
class RunPreparation:
    """Everything a run needs, read and validated; ``config_path`` is empty where there is no such
    file.
    """

    plan: Plan
    plan_path: Path
    config: Config
    config_path: str
    prompts: PromptLibrary
    model_setup: ModelSetup
    seed: int
    budget_micro_usd: int | None
    budget_is_by_flag: bool


def prepare_run(
    request: RunRequest, environment: Environment, *, wants_keys: bool = True
) -> RunPreparation:
    """Read and validate plan, configuration, prompts and flags of a new run.

    Raises:
        InputError: One of them is wrong.
    """
    flag = checked_budget(request.budget_usd)
    plan_path = find_plan(request.plan, environment.root)
    plan = read_plan(plan_path)
    if plan.is_return:
        raise InputError(f"{plan_path}: is_return: only a rebase makes such a run")
    config, base = read_config(request.config, root=environment.root)
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base))
    path = _config_path(request.config, environment.root)
    model_setup = set_up_models(config, environment.variables, source=path, wants_keys=wants_keys)
    seed = config.run.seed if request.seed is None else request.seed
    budget = flag if flag is not None else micro_usd(config.run.budget_usd)
    return RunPreparation(
        plan, plan_path, config, path, prompts, model_setup, seed, budget, flag is not None
    )


def prepare_resume(
    manifest: RunManifest,
    environment: Environment,
    *,
    config_path: Path | None = None,
    budget_usd: float | None = None,
) -> RunPreparation:
    """Read and validate what a run that is carried on rests on now.

    A ceiling of the command line stands until another one of the command line; otherwise the
    configuration's does.

    Raises:
        InputError: One of the files is wrong.
    """
    flag = checked_budget(budget_usd)
    if flag is None and manifest.budget_is_by_flag:
        flag = manifest.budget_micro_usd
    named = config_path or (Path(manifest.config_path) if manifest.config_path else None)
    if config_path is None and named is not None and not named.is_file():
        raise InputError(
            f"{named}: {manifest.run} was started with this configuration; name another with --config"
        )
    config, base = read_config(named, root=environment.root)
    plan_path = Path(manifest.plan_path)
    plan = read_plan(plan_path) if plan_path.is_file() else manifest.plan
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base))
    path = _config_path(named, environment.root)
    model_setup = set_up_models(config, environment.variables, source=path)
    budget = flag if flag is not None else micro_usd(config.run.budget_usd)
    seed = manifest.seed
    return RunPreparation(
        plan, plan_path, config, path, prompts, model_setup, seed, budget, flag is not None
    )


def changes(manifest: RunManifest, now: RunPreparation) -> Iterator[tuple[str, str]]:
    """Say what is no longer as it was when the run began: the first stage it bears on, and the
    fact.
    """
    if now.plan.content_digest() != manifest.plan_digest:
        yield "author", f"the plan changed ({now.plan_path.name})"
    yield from _changed_prompts(manifest, now)
    yield from _changed_cast(manifest, now.model_setup)
    if now.config.run.focus_area != manifest.focus_area:
        yield "author", "the focus area changed"
    for stage, version in stage_versions().items():
        if manifest.stage_versions.get(stage) != version:
            yield stage, f"the stage {stage} has another version than this goldwright"


def _changed_prompts(manifest: RunManifest, now: RunPreparation) -> Iterator[tuple[str, str]]:
    digests = now.prompts.digests()
    for name in sorted(digests.keys() | manifest.prompt_digests.keys()):
        if digests.get(name) != manifest.prompt_digests.get(name):
            # A prompt is named after its role, or begins with it: author_locate.
            role = name.partition("_")[0]
            stage = first_stage_of(role).name if role in ROLES else ROLES[0]
            yield stage, f"the prompt {name} changed"


def _changed_cast(manifest: RunManifest, model_setup: ModelSetup) -> Iterator[tuple[str, str]]:
    for role in ROLES:
        stage = first_stage_of(role).name
        before = manifest.models.get(role, OFFLINE)
        after = model_setup.models.get(role, OFFLINE)
        if before != after:
            yield stage, f"the model of the {role} changed from {before} to {after}"
        elif manifest.apis.get(role) != model_setup.apis.get(role):
            yield stage, f"the way of speaking to the {role} changed from {manifest.apis[role]}"


def with_changes(manifest: RunManifest, now: RunPreparation) -> RunManifest:
    """Give the manifest of a run whose changes are accepted."""
    return manifest.model_copy(
        update={
            "plan": now.plan,
            "plan_digest": now.plan.content_digest(),
            "prompt_digests": dict(now.prompts.digests()),
            "stage_versions": stage_versions(),
            "focus_area": now.config.run.focus_area,
            **model_fields(now.model_setup),
        }
    )


def with_budget(manifest: RunManifest, now: RunPreparation) -> RunManifest:
    """Give the manifest with the ceiling that holds from now on, and where it came from."""
    return manifest.model_copy(
        update={
            "budget_micro_usd": now.budget_micro_usd,
            "budget_is_by_flag": now.budget_is_by_flag,
            "config_path": now.config_path,
        }
    )


def micro_usd(usd: float | None) -> int | None:
    """Write dollars as whole micro-dollars, rounded down."""
    return None if usd is None else math.floor(usd * MICRO + 1e-6)


def checked_budget(usd: float | None) -> int | None:
    """Read a ceiling from the command line.

    Raises:
        InputError: It is no amount of money.
    """
    if usd is not None and not SMALLEST_BUDGET <= usd <= LARGEST_BUDGET:
        raise InputError(
            f"--budget-usd {usd}: wanted a number of dollars from {SMALLEST_BUDGET} to {LARGEST_BUDGET:.0f}"
        )
    return micro_usd(usd)


def _config_path(asked: Path | None, root: Path) -> str:
    path = asked if asked is not None else root / "goldwright.toml"
    return str(path.resolve()) if path.is_file() else ""
