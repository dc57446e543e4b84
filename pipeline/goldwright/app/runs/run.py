"""Starting a run, saying beforehand what one would cost."""

from collections.abc import Callable
from dataclasses import dataclass

from goldwright.app.environment import Environment
from goldwright.app.models.cost_estimate import Estimate, estimate_run
from goldwright.app.runs.execution import execute_and_report
from goldwright.app.runs.run_files import run_for_writing
from goldwright.app.runs.run_manifest import new_manifest
from goldwright.app.runs.run_preparation import RunPreparation, RunRequest, prepare_run
from goldwright.app.runs.run_report import RunReport
from goldwright.app.runs.run_snapshot import open_for_new_run
from goldwright.app.runs.spent_targets import spent_targets
from goldwright.app.runs.stronger_adversary import with_stronger_adversary
from goldwright.engine.progress import Progress
from goldwright.llm.budget import dollars
from goldwright.manifest import RunManifest
from goldwright.snapshot import Snapshot
from goldwright.text import counted


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a run would rest on and cost.

    Attributes:
        estimate: Pieces of work, requests, tokens and money by role.
        commit: The commit that the run would be pinned to.
        file_count: How many source files it has.
        notes: What opening the codebase brought to light.
    """

    estimate: Estimate
    commit: str
    file_count: int
    notes: tuple[str, ...]


def start_run(
    request: RunRequest,
    environment: Environment,
    progress: Progress,
    announce: Callable[[str], None],
) -> RunReport:
    """Prepare a run, make its directory, announce its name and play it.

    Raises:
        InputError: Something in the request is wrong; then nothing was written.
        BudgetError: The next call could pass the ceiling; the run can be carried on with a higher
            one.
        ProviderError: A provider refuses or is out of reach; the run can be carried on.
    """
    # Everything that can be refused is refused before the run has a directory.
    preparation = prepare_run(request, environment)
    snapshot = open_for_new_run(request, preparation, environment=environment, progress=progress)
    directory = environment.new_run_directory(preparation.plan.name)
    manifest = _manifest(directory.name, request, preparation, snapshot, environment)
    spent = spent_targets(preparation.plan, snapshot, environment)
    if spent is not None:
        manifest = manifest.model_copy(update={"spent_targets": spent.targets})
        progress.note(spent.sentence)
    directory.begin(manifest)
    # Before the first piece of work: whoever stops the run needs its name to carry it on.
    announce(directory.name)
    estimate = _estimate(request, preparation, environment)
    if estimate.is_live:
        progress.note(_cost_sentence(estimate))
    with run_for_writing(directory) as run:
        report = execute_and_report(
            run,
            snapshot,
            preparation=preparation,
            environment=environment,
            progress=progress,
        )
    return with_stronger_adversary(report, directory, preparation, environment, progress)


def cost_without_ceiling(request: RunRequest, environment: Environment) -> str:
    """Say what a run is expected to cost whose models have no ceiling; empty for any other run.

    Raises:
        InputError: Something in the request is wrong.
    """
    preparation = prepare_run(request, environment)
    estimate = _estimate(request, preparation, environment)
    if estimate.ceiling_micro_usd is not None or not estimate.high_micro_usd:
        return ""
    return _cost_sentence(estimate)


def dry_run(request: RunRequest, environment: Environment, progress: Progress) -> DryRun:
    """Say what a run would do and cost.

    Nothing is written but the cache, no provider is asked, and no key is needed.

    Raises:
        InputError: Something in the request is wrong.
    """
    preparation = prepare_run(request, environment, needs_keys=False)
    snapshot = open_for_new_run(request, preparation, environment=environment, progress=progress)
    estimate = _estimate(request, preparation, environment)
    file_count = len(snapshot.source_files)
    return DryRun(estimate, snapshot.commit, file_count, snapshot.notes)


def _manifest(
    name: str,
    request: RunRequest,
    preparation: RunPreparation,
    snapshot: Snapshot,
    environment: Environment,
) -> RunManifest:
    manifest = new_manifest(
        name,
        plan=preparation.plan,
        config=preparation.config,
        prompts=preparation.prompts,
        model_setup=preparation.model_setup,
        repo=request.repo,
        snapshot=snapshot,
        seed=preparation.seed,
        environment=environment,
    )
    return manifest.model_copy(
        update={
            "plan_path": str(preparation.plan_path.resolve()),
            "budget_micro_usd": preparation.budget_micro_usd,
            "budget_is_by_flag": preparation.budget_is_by_flag,
            "canaries": preparation.canaries,
            "adversary_power": preparation.adversary_power,
            "batch": preparation.batch,
            "config_path": preparation.config_path,
        }
    )


def _estimate(
    request: RunRequest, preparation: RunPreparation, environment: Environment
) -> Estimate:
    earlier_runs = environment.workspace.newest_runs()
    return estimate_run(preparation, request.repo, earlier_runs=earlier_runs)


def _cost_sentence(estimate: Estimate) -> str:
    cost = dollars(estimate.micro_usd)
    low = dollars(estimate.low_micro_usd)
    high = dollars(estimate.high_micro_usd)
    requests = counted(estimate.requests, "request")
    text = f"expected to cost about {cost} ({low} to {high}) in {requests}"
    if estimate.ceiling_micro_usd is None:
        return f"{text}; there is no ceiling (--budget-usd)"
    return f"{text}; {ceiling_verdict(estimate)}"


def ceiling_verdict(estimate: Estimate) -> str:
    """Say whether a run is likely to stay below its ceiling; empty where there is none.

    A note and no refusal: the estimate is rough, and a run that stops can be carried on.
    """
    if estimate.ceiling_micro_usd is None:
        return ""
    ceiling = f"the ceiling of {dollars(estimate.ceiling_micro_usd)}"
    if estimate.micro_usd > estimate.ceiling_micro_usd:
        return f"likely more than {ceiling}"
    if estimate.high_micro_usd > estimate.ceiling_micro_usd:
        return f"it may reach {ceiling}"
    return f"below {ceiling}"
