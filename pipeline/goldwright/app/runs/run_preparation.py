"""Reading and validating all that a run rests on, before anything is written or paid."""

from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.models.role_models import ModelSetup
from goldwright.app.models.spending_ceiling import ceiling_from_flag, micro_usd
from goldwright.app.runs.run_inputs import RunInputs, read_run_inputs
from goldwright.canaries.power import default_canary_count
from goldwright.config import Config
from goldwright.errors import InputError
from goldwright.manifest import RunManifest
from goldwright.plan import Plan, read_plan
from goldwright.prompts import PromptLibrary
from goldwright.workspace import find_plan


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a user asks of a new run.

    Attributes:
        plan: A plan by name or path.
        repo: The codebase.
        rev: Its commit; HEAD where there is none.
        config: The settings; ``goldwright.toml`` in the root where there is none.
        seed: Goes before the seed of the inputs.
        budget_usd: A ceiling in dollars; goes before that of the inputs.
        allow_dirty: Whether to pin the files of the work tree as they are.
        canaries: How many falsified answers the Adversary is given; None for as many as the plan
            and the stated power call for.
        adversary_power: The share of them that it has to catch, in 0..1; goes before that of the
            inputs.
        batch: Whether models whose roles can wait are asked in batches; goes before what the inputs
            say.
    """

    plan: str
    repo: Path
    rev: str | None = None
    config: Path | None = None
    seed: int | None = None
    budget_usd: float | None = None
    allow_dirty: bool = False
    canaries: int | None = None
    adversary_power: float | None = None
    batch: bool | None = None


@dataclass(frozen=True, slots=True)
class RunPreparation:
    """Everything a run needs, read and validated.

    Attributes:
        plan: The plan.
        plan_path: Its file.
        config: The inputs.
        config_path: Their file, empty where there is none.
        prompts: The prompts of the roles.
        model_setup: Which models play.
        seed: Chooses among equally good queries.
        budget_micro_usd: The ceiling in micro-dollars, None for no ceiling.
        budget_is_by_flag: Whether the ceiling came from the command line.
        adversary_power: The share of falsified answers that the Adversary of a new run has to
            catch, in 0..1.
        canaries: How many falsified answers it is given.
        batch: Whether models whose roles can wait are asked in batches.
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
    adversary_power: float
    canaries: int = 0
    batch: bool = False


def prepare_run(
    request: RunRequest, environment: Environment, *, needs_keys: bool = True
) -> RunPreparation:
    """Read and validate plan, inputs, prompts and flags of a new run.

    Raises:
        InputError: One of them is wrong.
    """
    ceiling = ceiling_from_flag(request.budget_usd)
    plan_path = find_plan(request.plan, environment.root)
    plan = read_plan(plan_path)
    if plan.is_return:
        raise InputError(f"{plan_path}: is_return: only rebase and adopt make such a run")
    inputs = read_run_inputs(request.config, environment, needs_keys=needs_keys)
    seed = request.seed
    if seed is None:
        seed = inputs.config.run.seed
    preparation = _preparation(plan, plan_path, inputs, seed=seed, ceiling_by_flag=ceiling)
    if request.adversary_power is not None:
        preparation = replace(preparation, adversary_power=request.adversary_power)
    preparation = replace(preparation, canaries=_canary_count(request, preparation))
    is_batched = request.batch
    if is_batched is None:
        is_batched = inputs.config.run.batch
    return _in_batches(preparation) if is_batched else preparation


def _canary_count(request: RunRequest, preparation: RunPreparation) -> int:
    """Choose the number of canaries of a new run.

    What the embedded Adversary catches is a property of the program and measured with it, so it is
    given none unless that is asked for.
    """
    if request.canaries is not None:
        return request.canaries
    if "adversary" not in preparation.model_setup.role_models:
        return 0
    return default_canary_count(preparation.plan.total, preparation.adversary_power)


def prepare_resume(
    manifest: RunManifest,
    environment: Environment,
    *,
    config_path: Path | None = None,
    budget_usd: float | None = None,
) -> RunPreparation:
    """Read and validate what an earlier run rests on now.

    Args:
        manifest: The run as it was started.
        environment: Holds the keys.
        config_path: Settings in place of those that the run was started with.
        budget_usd: A ceiling in dollars in place of the earlier one.

    Raises:
        InputError: One of the files is wrong.
    """
    ceiling = ceiling_from_flag(budget_usd)
    # A ceiling of the command line stands until another one of the command line (decision 7).
    if ceiling is None and manifest.budget_is_by_flag:
        ceiling = manifest.budget_micro_usd
    if config_path is None:
        config_path = _earlier_config(manifest)
    plan_path = Path(manifest.plan_path)
    # Where the file is gone, the manifest holds the whole plan.
    plan = manifest.plan
    if plan_path.is_file():
        plan = read_plan(plan_path)
    inputs = read_run_inputs(config_path, environment, needs_keys=True)
    preparation = _preparation(plan, plan_path, inputs, seed=manifest.seed, ceiling_by_flag=ceiling)
    model_setup = preparation.model_setup
    for weak in manifest.weak_adversaries:
        model_setup = model_setup.after(weak.reaction)
    preparation = replace(preparation, model_setup=model_setup)
    # What waits in batches can only be fetched as it was handed in.
    return _in_batches(preparation) if manifest.batch else preparation


def _in_batches(preparation: RunPreparation) -> RunPreparation:
    model_setup = preparation.model_setup.asked_in_batches()
    return replace(preparation, model_setup=model_setup, batch=True)


def _earlier_config(manifest: RunManifest) -> Path | None:
    if not manifest.config_path:
        return None
    path = Path(manifest.config_path)
    if not path.is_file():
        raise InputError(
            f"{path}: {manifest.run} was started with this configuration; "
            "name another with --config"
        )
    return path


def _preparation(
    plan: Plan,
    plan_path: Path,
    inputs: RunInputs,
    *,
    seed: int,
    ceiling_by_flag: int | None,
) -> RunPreparation:
    settings = inputs.config.run
    is_by_flag = ceiling_by_flag is not None
    ceiling = ceiling_by_flag
    if ceiling is None:
        ceiling = micro_usd(settings.budget_usd)
    return RunPreparation(
        plan=plan,
        plan_path=plan_path,
        config=inputs.config,
        config_path=inputs.config_path,
        prompts=inputs.prompts,
        model_setup=inputs.model_setup,
        seed=seed,
        budget_micro_usd=ceiling,
        budget_is_by_flag=is_by_flag,
        adversary_power=settings.adversary_power,
    )
