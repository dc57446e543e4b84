"""Arms on one dataset and its codebase: an index for each model, shared by all arms."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from goldwright.app.arms.arm_request import ArmRequest
from goldwright.app.arms.arm_run import ArmRun, run_arms
from goldwright.app.environment import Environment
from goldwright.app.models.model_reranker import SPEC as MODEL_RERANKER
from goldwright.app.models.model_reranker import ModelReranker
from goldwright.app.scoring.eval_setup import EvalSetup, set_up_evaluation
from goldwright.engine.clock import Clock
from goldwright.engine.progress import Progress
from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable, check_unchanged_rows
from goldwright.evaluation.bench import Bench, BenchedSystem
from goldwright.evaluation.system_comparison import FEWEST_SYSTEMS, compare_systems
from goldwright.retrieval.arms.catalog import (
    ARMS,
    WITHOUT_MODEL,
    ArmSettings,
    check_arms,
    weighted_hybrid_name,
)
from goldwright.retrieval.arms.hybrid import HybridArm
from goldwright.retrieval.arms.port import Arm
from goldwright.retrieval.codebase_index import CodebaseIndex
from goldwright.retrieval.embedders.catalog import open_embedder
from goldwright.retrieval.embedders.port import Embedder
from goldwright.retrieval.fusions.catalog import find_fusion
from goldwright.retrieval.rerankers.catalog import open_reranker
from goldwright.retrieval.rerankers.port import Reranker
from goldwright.snapshot import Snapshot
from goldwright.text import counted

# Settles the draws of the permutation tests, so that the same replies give the same table.
SEED = 0


@dataclass(frozen=True, slots=True)
class _Model:
    """A model that was opened, or why it was not.

    Attributes:
        embedder: The model; None where there is none.
        fault: What it lacks.
    """

    embedder: Embedder | None = None
    fault: GoldwrightError | None = None


def compare_arms(
    request: ArmRequest,
    environment: Environment,
    progress: Progress,
) -> ArmComparison:
    """Compare arms on one dataset.

    An arm whose model is missing, or that fails, costs itself alone.

    Args:
        request: What is compared.
        environment: The directory, the cache, the clock and the variables.
        progress: Says what is under way.

    Raises:
        InputError: The dataset, the codebase or a name is wrong, or no arm answered.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        HarnessError: What must be equal by construction is not.
    """
    setup = set_up_evaluation(request.evaluation, environment, progress)
    snapshot = setup.snapshot
    if snapshot is None:
        raise InputError("arms search a codebase: name it with --repo DIR")
    _check_level(request, setup)
    models = {spec: _open_model(spec, request, environment) for spec in request.embedders}
    fuse = find_fusion(request.fusion)
    open_reranker = partial(_open_reranker, request, environment)
    settings = ArmSettings(
        fuse=fuse,
        open_reranker=open_reranker,
        dense_weight=request.dense_weight,
        with_callers=request.with_callers,
    )
    tables = []
    for blank_docstrings in request.blankings:
        for model in models.values():
            round_ = _Round(request, setup, snapshot, settings, model, blank_docstrings)
            tables.append(round_.compare(environment, progress))
    unchanged = check_unchanged_rows(tables, sorted(WITHOUT_MODEL))
    return ArmComparison(request.level, tuple(tables), unchanged)


def make_bench(
    systems: Mapping[str, BenchedSystem],
    failures: Mapping[str, GoldwrightError],
    notes: tuple[str, ...],
) -> Bench:
    """Compare arms by the measure that stands first in their reports."""
    comparison = None
    if len(systems) >= FEWEST_SYSTEMS:
        reports = {name: system.report for name, system in systems.items()}
        first_report = next(iter(reports.values()))
        comparison = compare_systems(reports, first_report.measures[0], seed=SEED)
    return Bench(systems, failures, comparison, notes)


@dataclass(frozen=True, slots=True)
class _Round:
    """All arms with one model over one treatment of docstrings."""

    request: ArmRequest
    setup: EvalSetup
    snapshot: Snapshot
    settings: ArmSettings
    model: _Model
    blank_docstrings: bool

    def compare(self, environment: Environment, progress: Progress) -> ArmTable:
        """Build the index, ask the arms and compare them.

        Raises:
            InputError: No arm answered.
        """
        start = environment.clock.seconds()
        index = self._index(environment, progress)
        build_seconds = environment.clock.seconds() - start
        arms, failures = self._make_arms(index)
        counted_arms = counted(len(arms), "arm")
        counted_queries = counted(len(self.setup.queries), "query")
        progress.phase(f"asking {counted_arms} {counted_queries}")
        run = run_arms(
            arms,
            index,
            self.request,
            self.setup,
            environment.clock,
            blank_docstrings=self.blank_docstrings,
        )
        failures.update(run.failures)
        if not run.systems:
            raise next(iter(failures.values()))
        bench = self._bench(run, failures)
        name = self.model.embedder.name if self.model.embedder else ""
        document_count = len(index.documents)
        return ArmTable(name, self.blank_docstrings, document_count, build_seconds, bench)

    def _bench(self, run: ArmRun, failures: dict[str, GoldwrightError]) -> Bench:
        notes = tuple(self.setup.notes)
        if self.request.weight_grid:
            return Bench(run.systems, failures, None, notes)
        return make_bench(run.systems, failures, notes)

    def _index(self, environment: Environment, progress: Progress) -> CodebaseIndex:
        embedder = self.model.embedder
        if WITHOUT_MODEL.issuperset(self.request.arms):
            embedder = None
        progress.phase("building the index")
        return CodebaseIndex(
            self.snapshot,
            embedder,
            cache=environment.cache,
            blank_docstrings=self.blank_docstrings,
            report_progress=progress.phase,
        )

    def _make_arms(
        self, index: CodebaseIndex
    ) -> tuple[Mapping[str, Arm], dict[str, GoldwrightError]]:
        arms: dict[str, Arm] = {}
        failures: dict[str, GoldwrightError] = {}
        for name in check_arms(self.request.arms):
            if name not in WITHOUT_MODEL and self.model.fault is not None:
                failures[name] = self.model.fault
                continue
            try:
                arms[name] = ARMS[name](index, self.settings)
            except (InputError, RetrieverError) as error:
                failures[name] = error
        if self.model.embedder is not None:
            for weight in self.request.weight_grid:
                hybrid_name = weighted_hybrid_name(weight)
                arms[hybrid_name] = HybridArm(self.settings.fuse, dense_weight=weight)
        return arms, failures


def _open_model(spec: str, request: ArmRequest, environment: Environment) -> _Model:
    if WITHOUT_MODEL.issuperset(request.arms):
        return _Model()
    wait = partial(_wait, environment.clock)
    try:
        embedder = open_embedder(
            spec,
            root=environment.root,
            variables=environment.variables,
            wait=wait,
        )
    except (InputError, RetrieverError) as error:
        return _Model(fault=error)
    return _Model(embedder)


def _wait(clock: Clock, seconds: float) -> None:
    asyncio.run(clock.sleep(seconds))


def _open_reranker(request: ArmRequest, environment: Environment, index: CodebaseIndex) -> Reranker:
    if request.reranker == MODEL_RERANKER:
        return ModelReranker.from_settings(request.budget_usd, environment)
    return open_reranker(request.reranker, index.bm25, root=environment.root)


def _check_level(request: ArmRequest, setup: EvalSetup) -> None:
    if request.level == "symbol" and not all(query.entity_ids for query in setup.queries):
        raise InputError(
            "--level symbol: not every query of the dataset expects an entity; use --level file"
        )
