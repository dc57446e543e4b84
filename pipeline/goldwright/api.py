"""Goldwright as a library: what ``import goldwright`` offers.

A dataset is curated, published and put to use in a few calls::

    import goldwright

    report = goldwright.run("phase1", "path/to/repository")
    draft = goldwright.export(report.name, version="1.0", draft=True)
    evaluation = goldwright.evaluate(draft.dataset, search, repo="path/to/repository")
    print(evaluation.report.mean("MRR"))

``search`` is a function of your own: it takes a query and gives entity ids, best first.

Each function calls the use case behind the command of its name. It returns a value, prints nothing
and leaves the process alone. Runs and versions are looked up in ``workspace``, the directory that
holds ``runs/``, ``golden/`` and ``goldwright.toml``; other relative paths start at the current
directory. Keys of model providers are taken from the environment variables.

What goes wrong for a known reason raises a ``GoldwrightError``: its text is one line that says what
is wrong and where, and its class says of which kind the problem is.

``run`` and ``resume``, and ``evaluate`` with a judge, start an event loop. Where one is running
already, as in a notebook, call them in a thread: ``await asyncio.to_thread(goldwright.run, …)``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from goldwright.app.environment import Environment, current_environment
from goldwright.app.eval_request import DEFAULT_TIMEOUT, EvalRequest
from goldwright.app.evaluate import Evaluation, evaluate_retriever
from goldwright.app.export import Export, ExportRequest, export_dataset
from goldwright.app.resume import ResumeRequest, resume_run
from goldwright.app.run import start_run
from goldwright.app.run_preparation import RunRequest
from goldwright.app.run_report import RunReport
from goldwright.app.verify import Verification, VerifyRequest, verify_dataset
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
from goldwright.evaluation.sufficiency import THRESHOLD
from goldwright.golden import datasets
from goldwright.golden.datasets import LoadedDataset
from goldwright.plan import Plan
from goldwright.records import GoldenLabel
from goldwright.retrieval.hit_order import Ties
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

StrPath = str | Path


def open_snapshot(
    repo: StrPath, *, rev: str | None = None, allow_dirty: bool = False, workspace: StrPath = "."
) -> Snapshot:
    """Pin a codebase to one state and index its entities.

    Nothing of the codebase is run. The index is cached, so a second call is fast.

    Args:
        repo: A git repository, pinned to a commit, or a plain directory, pinned by its content.
        rev: The commit of a git repository: a hash, a branch or a tag; HEAD by default.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory that you work in; nothing is looked up there.

    Returns:
        The files, entities and call graph of the codebase at that commit.

    Raises:
        InputError: The codebase cannot be read, has no such revision, or has uncommitted changes.
    """
    cache = _environment(workspace).cache
    return opening.open_snapshot(Path(repo), rev=rev, cache=cache, allow_dirty=allow_dirty)


def run(
    plan: StrPath,
    repo: StrPath,
    *,
    rev: str | None = None,
    config: StrPath | None = None,
    seed: int | None = None,
    budget_usd: float | None = None,
    canaries: int = 0,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> RunReport:
    """Start a batch run and carry it through every stage up to the human gate.

    Everything is written down as it happens, so a run that is cut off at any moment can be carried
    on by ``resume``. Without settings that name models, static analysis plays every role, which
    needs no key and costs nothing.

    Args:
        plan: How many records of which kind are wanted: the name of a plan that comes with the
            program (``phase1``, ``phase2``, ``smoke``), or the path of one of your own.
        repo: The codebase.
        rev: Its commit; HEAD by default.
        config: The settings; ``goldwright.toml`` of the workspace by default, if it is there.
        seed: Chooses among equally good queries; that of the settings by default.
        budget_usd: The most that the run may ever spend, in dollars; that of the settings by
            default, and no limit without one.
        canaries: How many falsified answers the Adversary is given, to learn what it catches.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory in which ``runs/`` is made.
        progress: Is called as the run goes on.

    Returns:
        The fate of every record. ``report.name`` names the run in later calls, and
        ``report.is_complete_enough`` tells whether people may review it.

    Raises:
        InputError: An argument, the plan, the settings or the codebase is wrong; nothing was
            written.
        BudgetError: The next call to a model could pass the ceiling; ``resume`` carries on with a
            higher one.
        ProviderError: A provider of models refuses or is out of reach; ``resume`` carries on.
    """
    request = RunRequest(
        plan=str(plan),
        repo=Path(repo),
        rev=rev,
        config=_optional_path(config),
        seed=seed,
        budget_usd=budget_usd,
        allow_dirty=allow_dirty,
        canaries=canaries,
    )
    return start_run(request, _environment(workspace), progress or SilentProgress(), _ignore_name)


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

    What is finished is not done again, and no call to a model is paid twice. A run that is complete
    and has nothing to do is only reported on.

    Args:
        run: The run by name or path, or ``latest``.
        from_stage: The stage to do again with all that rests on it: ``author``, ``oracle``,
            ``gate``, ``adversary`` or ``agreement``. The older files are kept aside.
        accept_changes: Do again what changed plans, prompts or models bear on; without it, such
            changes are refused.
        budget_usd: A new ceiling in dollars, for all that the run spends, earlier sittings
            included.
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
        config=_optional_path(config),
    )
    return resume_run(str(run), request, _environment(workspace), progress or SilentProgress())


def export(
    run: StrPath = "latest",
    *,
    version: str,
    draft: bool = False,
    base: str | None = None,
    out: StrPath | None = None,
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
        workspace: The directory that holds ``runs/``.
        progress: Is called as the export goes on.

    Returns:
        Where the dataset and its metadata are, and what the dataset cannot claim.

    Raises:
        QualityGateError: People have not blessed the batch, or it is not complete; the text names
            everything that is missing.
        InputError: There is no such run, the version is not a number, or another dataset has it
            already.
        DamagedStateError: A file of the run is not what was written.
    """
    request = ExportRequest(
        run=str(run), version=version, draft=draft, base=base, out=_optional_path(out)
    )
    return export_dataset(request, _environment(workspace), progress or SilentProgress())


def load_dataset(dataset: StrPath | None = None, *, workspace: StrPath = ".") -> LoadedDataset:
    """Read a dataset and check it against its metadata.

    Args:
        dataset: A path, or a version such as ``1.0``; the newest blessed version by default.
        workspace: The directory that holds ``golden/``.

    Returns:
        The records as ``labels``, and the metadata, where there are any.

    Raises:
        InputError: There is no such file or version, or it is not a dataset, or is empty.
        QualityGateError: The file is not the one that its metadata describe.
    """
    name = None if dataset is None else str(dataset)
    return datasets.load_dataset(name, _environment(workspace).workspace.golden)


def evaluate(
    dataset: StrPath,
    retriever: str | Callable[..., object],
    *,
    repo: StrPath,
    rev: str | None = None,
    measures: Sequence[str] = (),
    gates: Sequence[str | Gate] = (),
    depth: int | None = None,
    ties: Ties | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    missing_as_zero: bool = False,
    threshold: float = THRESHOLD,
    target: float | None = None,
    judge: bool = False,
    config: StrPath | None = None,
    budget_usd: float | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Evaluation:
    """Ask a retriever every query of a dataset, and score what it gives.

    Every query is asked once, in the order of the dataset. The first one that fails ends the
    evaluation: a failure never becomes a zero.

    Args:
        dataset: A path, a version such as ``1.0``, or ``latest``.
        retriever: A callable, or a specification such as ``bm25``, ``cmd:COMMAND`` or
            ``http://…``. A callable takes the query and, if it likes, a ``limit``; it gives ids of
            entities (``path.py::Class.method``) or files, best first, pairs of an id and a score,
            or the fuller reply that the README describes. It may be a coroutine function.
        repo: The codebase that the dataset is about.
        rev: Its commit; HEAD by default.
        measures: Names such as ``nDCG@10`` or ``file.MRR``; a usual set by default.
        gates: What the retriever has to reach, as in ``"locate: MRR >= 0.6"``.
        depth: How many results are asked for; 100 by default.
        ties: How equal scores are told apart: by ``id``, the default, or as ``trec`` does.
        timeout: Seconds that one query may take; it does not bind ``bm25`` and its like.
        missing_as_zero: Count a query that a TREC run does not hold as not found.
        threshold: The sufficiency score from which on the retriever answers by itself, in 0..1.
        target: The share of right answers for which a threshold is sought; ``threshold`` by
            default.
        judge: Have the model that plays the judge in the settings say which answers are correct;
            without it they are matched literally.
        config: The settings; ``goldwright.toml`` of the workspace by default, if it is there.
        budget_usd: The most that the judge may spend, in dollars.
        allow_drift: Score although files that the dataset cites have changed; the report says so.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory that holds ``golden/``.
        progress: Is called as the evaluation goes on.

    Returns:
        The report, query by query, with means by stratum and the outcome of each gate.

    Raises:
        InputError: The dataset, the codebase, a measure, a gate or a reply is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed. A gate
            that is missed raises nothing; see ``Evaluation.passes``.
        RetrieverError: The retriever failed on a query, or did not answer in time.
        BudgetError: The judge reached its ceiling.
        ProviderError: The judge's provider refuses or is out of reach.
    """
    request = EvalRequest(
        dataset=str(dataset),
        repo=Path(repo),
        retriever=retriever,
        rev=rev,
        measures=tuple(measures),
        gates=tuple(_as_gate(gate) for gate in gates),
        judge=judge,
        config=_optional_path(config),
        budget_usd=budget_usd,
        threshold=threshold,
        target=target,
        depth=depth,
        timeout=timeout,
        ties=ties,
        missing_as_zero=missing_as_zero,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
    )
    return evaluate_retriever(request, _environment(workspace), progress or SilentProgress())


def verify(
    dataset: StrPath,
    repo: StrPath,
    *,
    rev: str | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    card: bool = False,
    workspace: StrPath = ".",
) -> Verification:
    """Check a dataset, of Goldwright or of others, or the records of a run, against a codebase.

    Args:
        dataset: A path, a version such as ``1.0``, ``latest``, or the name or path of a run.
        repo: The codebase.
        rev: Its commit; HEAD by default.
        allow_drift: Leave files that changed since out of the findings.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        card: Compute the trust card: figures about the records that need no person.
        workspace: The directory that holds ``golden/`` and ``runs/``.

    Returns:
        The records that fail the gate, the files that changed, the defects of an audit, and the
        trust card as ``card``, if it is asked for; ``is_sound`` tells whether anything is wrong.

    Raises:
        InputError: The dataset, its metadata, the run or the codebase cannot be read, or a trust
            card is asked for of a dataset in another format.
        QualityGateError: The file is not the one that its metadata describe.
    """
    request = VerifyRequest(
        dataset=str(dataset),
        repo=Path(repo),
        rev=rev,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
        card=card,
    )
    return verify_dataset(request, _environment(workspace))


def _environment(workspace: StrPath) -> Environment:
    return replace(current_environment(), root=Path(workspace).resolve())


def _optional_path(path: StrPath | None) -> Path | None:
    return None if path is None else Path(path)


def _as_gate(gate: str | Gate) -> Gate:
    return gate if isinstance(gate, Gate) else Gate.read(gate)


def _ignore_name(_name: str) -> None:
    """Stand in for a caller that wants no name: the report holds it."""
