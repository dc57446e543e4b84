"""Goldwright as a library: what ``import goldwright`` offers.

Every function does what the command of its name does, returns a value and prints nothing. Paths of
runs and versions are looked up below ``workspace``, the directory that holds ``runs/``,
``golden/`` and ``goldwright.toml``. Errors are those of ``goldwright.errors``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from goldwright.app import evaluate as evaluating
from goldwright.app import export as exporting
from goldwright.app import run as running
from goldwright.app import verify as verifying
from goldwright.app.environment import Environment, current_environment
from goldwright.app.evaluate import EvalRequest, Evaluation
from goldwright.app.export import Export, ExportRequest
from goldwright.app.run import ResumeRequest
from goldwright.app.run_preparation import RunRequest
from goldwright.app.run_report import RunReport
from goldwright.app.verify import Verification, VerifyRequest
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.errors import (
    BudgetError,
    BusyError,
    DamagedStateError,
    GoldwrightError,
    InputError,
    ProviderError,
    QualityGateError,
    RetrieverError,
)
from goldwright.evaluation.gates import Gate, GateResult
from goldwright.evaluation.report import EvaluationReport, QueryScore
from goldwright.evaluation.strata import MeanWithInterval, Stratum
from goldwright.golden import datasets
from goldwright.golden.datasets import LoadedDataset
from goldwright.plan import Plan
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot, opening

__all__ = [
    "BudgetError",
    "BusyError",
    "DamagedStateError",
    "Evaluation",
    "EvaluationReport",
    "Export",
    "Gate",
    "GateResult",
    "GoldenLabel",
    "GoldwrightError",
    "InputError",
    "LoadedDataset",
    "MeanWithInterval",
    "Plan",
    "Progress",
    "ProviderError",
    "QualityGateError",
    "QueryScore",
    "RetrieverError",
    "RunReport",
    "Snapshot",
    "Stratum",
    "Verification",
    "evaluate",
    "export",
    "load_dataset",
    "open_snapshot",
    "resume",
    "run",
    "verify",
]

AnyPath = str | Path


def open_snapshot(
    repo: AnyPath, *, rev: str | None = None, allow_dirty: bool = False, workspace: AnyPath = "."
) -> Snapshot:
    """Pin a codebase and index it.

    Args:
        repo: A git repository, or a plain directory, which is pinned by its content.
        rev: The commit; HEAD when there is none.
        allow_dirty: Pin the files of the work tree as they are.
        workspace: Where Goldwright works.

    Raises:
        InputError: The codebase or the revision is not what it should be.
    """
    cache = _environment(workspace).cache
    return opening.open_snapshot(Path(repo), rev=rev, cache=cache, allow_dirty=allow_dirty)


def run(
    plan: str,
    repo: AnyPath,
    *,
    rev: str | None = None,
    config: AnyPath | None = None,
    seed: int | None = None,
    budget_usd: float | None = None,
    canaries: int = 0,
    allow_dirty: bool = False,
    workspace: AnyPath = ".",
    progress: Progress | None = None,
) -> RunReport:
    """Start a batch run and carry it through every stage up to the human gate.

    Args:
        plan: A plan by name or path, as in ``phase1``.
        repo: The codebase.
        rev: The commit; HEAD when there is none.
        config: The settings; ``goldwright.toml`` of the workspace when there is none.
        seed: Which of the equally good queries are chosen; that of the settings when there is none.
        budget_usd: A ceiling in dollars.
        canaries: How many falsified answers the Adversary is given.
        allow_dirty: Pin the files of the work tree as they are.
        workspace: Where ``runs/`` is.
        progress: Is told how far the run is.

    Returns:
        The funnel of the run; ``is_complete_enough`` tells whether people may review it.

    Raises:
        InputError: Something that was handed over is wrong; nothing was written.
        BudgetError: The next call could pass the ceiling; ``resume`` carries on with a higher one.
        ProviderError: A provider refuses or is out of reach; ``resume`` carries on.
    """
    request = RunRequest(
        plan=plan,
        repo=Path(repo),
        rev=rev,
        config=_path(config),
        seed=seed,
        budget_usd=budget_usd,
        allow_dirty=allow_dirty,
        canaries=canaries,
    )
    watcher = progress or SilentProgress()
    return running.start_run(request, _environment(workspace), watcher, lambda _name: None)


def resume(
    name: str = "latest",
    *,
    from_stage: str | None = None,
    accept_changes: bool = False,
    budget_usd: float | None = None,
    config: AnyPath | None = None,
    workspace: AnyPath = ".",
    progress: Progress | None = None,
) -> RunReport:
    """Carry a run on where it stopped, or redo one stage and what stands on it.

    Args:
        name: A run by name or path, or ``latest``.
        from_stage: The stage to redo: author, oracle, gate, adversary or agreement.
        accept_changes: Redo what changed plans, prompts or models make stale.
        budget_usd: A new ceiling in dollars, for all that the run spends.
        config: Other settings than those the run was started with.
        workspace: Where ``runs/`` is.
        progress: Is told how far the run is.

    Raises:
        InputError: There is no such run or stage, or what it rests on has changed.
        BusyError: Another process works on it.
        DamagedStateError: A file of it is not what was written.
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    request = ResumeRequest(from_stage, accept_changes, budget_usd, _path(config))
    watcher = progress or SilentProgress()
    return running.resume_run(name, request, _environment(workspace), watcher)


def load_dataset(dataset: AnyPath | None = None, *, workspace: AnyPath = ".") -> LoadedDataset:
    """Find a dataset, read it and check it against its metadata.

    Args:
        dataset: A path or a version such as ``1.0``; the newest blessed one when there is none.
        workspace: Where ``golden/`` is.

    Raises:
        InputError: There is none, it is no dataset, or it holds no record.
        QualityGateError: It is not the file that its metadata name.
    """
    name = None if dataset is None else str(dataset)
    return datasets.load_dataset(name, _environment(workspace).workspace.golden)


def evaluate(
    dataset: AnyPath,
    retriever: str | Callable[..., object],
    *,
    repo: AnyPath,
    rev: str | None = None,
    measures: Sequence[str] = (),
    gates: Sequence[str | Gate] = (),
    depth: int | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    workspace: AnyPath = ".",
    progress: Progress | None = None,
) -> Evaluation:
    """Ask a retriever every query of a dataset and score what it gives.

    Args:
        dataset: A path, a version such as ``1.0``, or ``latest``.
        retriever: A callable that takes a query (and a ``limit``, if it likes) and gives ids, or a
            specification such as ``bm25`` or ``http://…``.
        repo: The codebase that the dataset is about.
        rev: Its commit; HEAD when there is none.
        measures: Names such as ``nDCG@10``; a usual set when there are none.
        gates: Floors, as in ``"locate: MRR >= 0.6"``.
        depth: How many results are asked for; 100 when there is none.
        allow_drift: Score although cited files have changed.
        allow_dirty: Pin the files of the work tree as they are.
        workspace: Where ``golden/`` is.
        progress: Is told how far the evaluation is.

    Returns:
        The report, query by query, and what follows from it.

    Raises:
        InputError: The dataset, the codebase, a measure or a reply is wrong; the text names it.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    request = EvalRequest(
        dataset=str(dataset),
        repo=Path(repo),
        retriever=retriever,
        rev=rev,
        measures=tuple(measures),
        gates=tuple(gate if isinstance(gate, Gate) else Gate.read(gate) for gate in gates),
        depth=depth,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
    )
    return evaluating.evaluate(request, _environment(workspace), progress or SilentProgress())


def verify(
    dataset: AnyPath,
    repo: AnyPath,
    *,
    rev: str | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    workspace: AnyPath = ".",
) -> Verification:
    """Check a dataset, ours or another's, against a codebase.

    Args:
        dataset: A path, a version such as ``1.0``, or ``latest``.
        repo: The codebase.
        rev: Its commit; HEAD when there is none.
        allow_drift: Leave changed files out of the findings.
        allow_dirty: Pin the files of the work tree as they are.
        workspace: Where ``golden/`` is.

    Raises:
        InputError: The dataset, its metadata or the codebase cannot be read.
        QualityGateError: It is not the dataset that its metadata name.
    """
    request = VerifyRequest(
        dataset=str(dataset),
        repo=Path(repo),
        rev=rev,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
    )
    return verifying.verify(request, _environment(workspace))


def export(
    name: str = "latest",
    *,
    version: str,
    draft: bool = False,
    base: str | None = None,
    out: AnyPath | None = None,
    workspace: AnyPath = ".",
    progress: Progress | None = None,
) -> Export:
    """Write the dataset of a run and its metadata, each once.

    Args:
        name: A run by name or path, or ``latest``.
        version: The number of the version, as in ``1.0``.
        draft: Write what the agents agreed on, without people's word.
        base: A version that the run is added to.
        out: Where to; ``golden/`` of the workspace when there is none.
        workspace: Where ``runs/`` is.
        progress: Is told how far the export is.

    Raises:
        QualityGateError: People have not blessed the batch, or it is not complete.
        InputError: The version is none, or another dataset stands there under this name.
    """
    request = ExportRequest(name, version, draft, base, _path(out))
    return exporting.export(request, _environment(workspace), progress or SilentProgress())


def _environment(workspace: AnyPath) -> Environment:
    return replace(current_environment(), root=Path(workspace).resolve())


def _path(path: AnyPath | None) -> Path | None:
    return None if path is None else Path(path)
