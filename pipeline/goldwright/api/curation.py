"""Curating a dataset: runs, and the versions that come of them."""

from pathlib import Path

from goldwright.api.arguments import StrPath, environment_in, optional_path
from goldwright.app.datasets.export import Export, ExportRequest, export_dataset
from goldwright.app.runs.resume import ResumeRequest, resume_run
from goldwright.app.runs.run import start_run
from goldwright.app.runs.run_preparation import RunRequest
from goldwright.app.runs.run_report import RunReport
from goldwright.engine.progress import Progress, SilentProgress


def run(
    plan: StrPath,
    repo: StrPath,
    *,
    rev: str | None = None,
    config: StrPath | None = None,
    seed: int | None = None,
    budget_usd: float | None = None,
    canaries: int | None = None,
    adversary_power: float | None = None,
    batch: bool | None = None,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> RunReport:
    """Start a batch run and carry it through every stage up to the human gate.

    Everything is written down as it happens, so ``resume`` can carry on a run that was cut off at
    any moment. What is not stated here is taken from the settings. Where these name no models,
    static analysis plays every role, which needs no key and costs nothing.

    Args:
        plan: How many records of which kind are wanted: the name of a plan that comes with the
            program (``phase1``, ``phase2``, ``smoke``), or the path of one of your own.
        repo: The codebase.
        rev: Its commit; HEAD by default.
        config: The settings; ``goldwright.toml`` of the workspace by default, if there is one.
        seed: Chooses among equally good queries.
        budget_usd: The most that the run may ever spend, in dollars; no limit without one.
        canaries: How many falsified answers the Adversary is given, to learn what it catches; by
            default none for static analysis; for a model, as many as plan and power call for.
        adversary_power: The share of them that it has to catch, in 0..1.
        batch: Ask Adversary, completeness and judge in batches: half the price, up to a day a turn.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory in which ``runs/`` is made.
        progress: Is called as the run goes on.

    Returns:
        The fate of every record, and the ``name`` of the run for later calls. People may review it
        where it ``is_complete_enough``; ``passes`` says that no Adversary is known to be weak, too.

    Raises:
        InputError: Arguments, plan, settings or codebase are wrong; nothing was written.
        BudgetError: The next call to a model could pass the ceiling; ``resume`` takes a higher one.
        ProviderError: A provider of models refuses or is out of reach; ``resume`` carries on.
    """
    request = RunRequest(
        plan=str(plan),
        repo=Path(repo),
        rev=rev,
        config=optional_path(config),
        seed=seed,
        budget_usd=budget_usd,
        allow_dirty=allow_dirty,
        canaries=canaries,
        adversary_power=adversary_power,
        batch=batch,
    )
    environment = environment_in(workspace)
    return start_run(request, environment, progress or SilentProgress(), _ignore_name)


def resume(
    run: StrPath = "latest",
    *,
    from_stage: str | None = None,
    accept_changes: bool = False,
    budget_usd: float | None = None,
    config: StrPath | None = None,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> RunReport:
    """Carry a run on where it stopped, or do one of its stages again.

    What is finished is not done again, and no call to a model is paid twice. A complete run is only
    reported on.

    Args:
        run: The run by name or path, or ``latest``.
        from_stage: The stage to do again with all that rests on it: ``author``, ``oracle``,
            ``gate``, ``adversary`` or ``agreement``. The older files are kept aside.
        accept_changes: Do again what changed plans, prompts or models bear on; without it, such
            changes are refused.
        budget_usd: A new ceiling in dollars, for all that the run ever spends.
        config: Settings in place of those that the run was started with.
        workspace: The directory that holds ``runs/``.
        progress: Is called as the run goes on.

    Returns:
        The fate of every record, as ``run`` gives it.

    Raises:
        InputError: There is no such run or stage, or what it rests on has changed; the text says
            what would be done again.
        BusyError: Another process works on the run.
        DamagedStateError: A file of the run is not what was written.
        BudgetError: The next call to a model could pass the ceiling.
        ProviderError: A provider of models refuses or is out of reach.
    """
    request = ResumeRequest(
        from_stage=from_stage,
        accept_changes=accept_changes,
        budget_usd=budget_usd,
        config=optional_path(config),
    )
    environment = environment_in(workspace)
    return resume_run(str(run), request, environment, progress or SilentProgress())


def export(
    run: StrPath = "latest",
    *,
    version: str,
    draft: bool = False,
    base: str | None = None,
    out: StrPath | None = None,
    replace: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Export:
    """Publish the dataset of a run with its metadata, as a version that is never overwritten.

    The same run gives the same bytes, so to export it again changes nothing.

    Args:
        run: The run by name or path, or ``latest``.
        version: The number of the version, as in ``1.0``.
        draft: Write what the agents agreed on, marked as not confirmed by people.
        base: A blessed version of the same commit that the batch is added to.
        out: The directory to write to; ``golden/`` of the workspace by default.
        replace: Let the draft replace that of another run.
        workspace: The directory that holds ``runs/``.
        progress: Is called as the export goes on.

    Returns:
        Where the dataset and its metadata are, and what the dataset cannot claim.

    Raises:
        QualityGateError: People have not blessed the batch, or it is not complete; the text names
            everything that is missing.
        InputError: There is no such run, the version is not a number, or another dataset has it
            already, the draft of another run among them.
        DamagedStateError: A file of the run is not what was written.
    """
    directory = optional_path(out)
    request = ExportRequest(
        run=str(run), version=version, draft=draft, base=base, out=directory, replace=replace
    )
    environment = environment_in(workspace)
    return export_dataset(request, environment, progress or SilentProgress())


def _ignore_name(_name: str) -> None:
    """Stand in for a caller that wants no name: the report holds it."""
