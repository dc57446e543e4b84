"""Proving which documents make tasks succeed: checks tried, pools made, trials run, findings."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from pydantic import ValidationError

from goldwright.app.environment import Environment
from goldwright.app.relevance_pools import PoolMaker, PoolSettings
from goldwright.atomic_files import locked_directory
from goldwright.canonical import digest
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QuarantineError
from goldwright.evaluation.answer_matching import judge_answer
from goldwright.interchange.plain_yaml import plain_yaml
from goldwright.journal.stage_file import StageFile
from goldwright.records import Record
from goldwright.records.strict_json import first_validation_problem
from goldwright.regular_files import read_regular
from goldwright.relevance.adaptive_design import DesignSettings, Trial
from goldwright.relevance.findings import OUTCOMES, TaskFinding, sum_up
from goldwright.relevance.pytest_validator import Validation
from goldwright.relevance.qualification import Disqualification, disqualify
from goldwright.relevance.solvers import ExtractiveSolver, Solver
from goldwright.relevance.task_search import TaskSearch, TrialRecord, records_by_task
from goldwright.relevance.tasks import PytestCheck, RelevanceTask, TaskRegistry
from goldwright.relevance.validation import Validator
from goldwright.sandbox.detection import find_layer
from goldwright.sandbox.layers import NO_LAYER, Layer
from goldwright.snapshot import open_snapshot

TRIALS_FILE: Final = "trials.jsonl"
SETTINGS_FILE: Final = "settings.jsonl"
# A solver or a test session that failed is tried once more: most such failures are of the moment.
_TRIES: Final = 2


@dataclass(frozen=True, slots=True)
class RelevanceRequest:
    """What a user asks.

    Attributes:
        tasks: The registry, YAML or JSON.
        repo: The codebase whose entities are the documents.
        out: A directory for the log of trials; what it holds already is not tried again.
        rev: The commit of the codebase; HEAD where there is none.
        pool: How pools are made.
        design: Error rates and budget of a task.
        seed: Chooses random documents, trials and places.
        concurrency: How many tasks have a trial under way at a time.
        allows_no_sandbox: Whether answers may run without a sandbox where none works.
    """

    tasks: Path
    repo: Path
    out: Path
    rev: str | None = None
    pool: PoolSettings = field(default_factory=PoolSettings)
    design: DesignSettings = field(default_factory=DesignSettings)
    seed: int = 0
    concurrency: int = 2
    allows_no_sandbox: bool = False


@dataclass(frozen=True, slots=True)
class RelevanceResult:
    """What came of it.

    Attributes:
        findings: A finding a task, in the order of the registry.
        disqualified: Tasks whose checks cannot be relied on.
        solver: Who answered.
        sandbox: How answers were confined; "none" where nothing was.
        asked: Trials that this call made; others were in the log.
    """

    findings: tuple[TaskFinding, ...]
    disqualified: tuple[Disqualification, ...]
    solver: str
    sandbox: str
    asked: int


class SearchSettings(Record):
    """What the trials of a directory were made with.

    Attributes:
        digest: Of registry, pools, design, seed and solver together.
    """

    digest: str


def read_registry(path: Path) -> TaskRegistry:
    """Read a registry of tasks.

    Raises:
        InputError: It cannot be read, or is none.
    """
    try:
        text = read_regular(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    fields = plain_yaml(text, source=str(path))
    try:
        return TaskRegistry.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error)}") from error


def prove_relevance(
    request: RelevanceRequest, environment: Environment, progress: Progress
) -> RelevanceResult:
    """Run the trials of every task, or those that its log still lacks, and sum them up.

    Raises:
        InputError: Registry, codebase or directory is wrong, or no sandbox works here.
        DamagedStateError: The log holds other trials than these tasks would have.
    """
    registry = read_registry(request.tasks)
    layer = _find_layer(registry, request)
    progress.phase("reading the codebase")
    snapshot = open_snapshot(request.repo, rev=request.rev, cache=environment.cache)
    pools = PoolMaker(snapshot, request.pool, seed=request.seed)
    validator = Validator(request.tasks.parent, layer, _states_facts)
    progress.phase("trying the checks of the tasks")
    solver: Solver = ExtractiveSolver()
    with locked_directory(_made(request.out)):
        trial_log = StageFile.open(request.out / TRIALS_FILE, TrialRecord, writable=True)
        _check_settings(request, registry, solver, snapshot.commit)
        run = _TrialRun(request, validator, solver, trial_log, progress)
        outcome = asyncio.run(run.play(registry, pools))
    return RelevanceResult(*outcome, solver.name, layer.name, run.asked)


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{directory}: cannot be made: {error.strerror}") from error
    return directory


def _find_layer(registry: TaskRegistry, request: RelevanceRequest) -> Layer:
    """Find a sandbox where answers are code; where none are, nothing has to be confined."""
    if not any(isinstance(task.check, PytestCheck) for task in registry.tasks):
        return NO_LAYER
    try:
        return find_layer()
    except InputError:
        if request.allows_no_sandbox:
            return NO_LAYER
        raise


def _check_settings(
    request: RelevanceRequest, registry: TaskRegistry, solver: Solver, commit: str
) -> None:
    """Keep what the trials are made with, or refuse to go on with other settings.

    Raises:
        InputError: The directory holds trials that were made with others.
    """
    settings = {
        "registry": registry.model_dump(mode="json"),
        "commit": commit,
        "pool": vars_of(request.pool),
        "design": vars_of(request.design),
        "seed": request.seed,
        "solver": solver.name,
    }
    settings_record = SearchSettings(digest=digest(settings))
    kept_settings = StageFile.open(request.out / SETTINGS_FILE, SearchSettings, writable=True)
    if not kept_settings.records:
        kept_settings.append(settings_record)
    elif kept_settings.records[0] != settings_record:
        raise InputError(
            f"{request.out}: holds trials of other tasks, settings or code; name another directory"
        )


def vars_of(settings: PoolSettings | DesignSettings) -> Mapping[str, object]:
    """Return the fields of a dataclass of plain values."""
    return {name: getattr(settings, name) for name in settings.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class _Key:
    must_mention_facts: tuple[str, ...]
    must_not_mention_facts: tuple[str, ...]


def _states_facts(answer: str, must: Sequence[str], must_not: Sequence[str]) -> bool:
    judgement = judge_answer(_Key(tuple(must), tuple(must_not)), answer)
    return judgement is not None and judgement.is_correct


class _TrialRun:
    """The tasks of one call, several at a time; the trials of a task one after the other."""

    def __init__(
        self,
        request: RelevanceRequest,
        validator: Validator,
        solver: Solver,
        trial_log: StageFile[TrialRecord],
        progress: Progress,
    ) -> None:
        self._request = request
        self._validator = validator
        self._solver = solver
        self._trial_log = trial_log
        self._progress = progress
        self._gate = asyncio.Semaphore(request.concurrency)
        self._earlier = records_by_task(trial_log.records)
        self.asked = 0
        self._finished = 0
        self._total = 0

    async def play(
        self, registry: TaskRegistry, pools: PoolMaker
    ) -> tuple[tuple[TaskFinding, ...], tuple[Disqualification, ...]]:
        self._total = len(registry.tasks)
        self._say_progress()
        played = await asyncio.gather(*(self._play(task, pools) for task in registry.tasks))
        findings = tuple(outcome for outcome in played if isinstance(outcome, TaskFinding))
        return findings, tuple(
            outcome for outcome in played if isinstance(outcome, Disqualification)
        )

    async def _play(self, task: RelevanceTask, pools: PoolMaker) -> TaskFinding | Disqualification:
        async with self._gate:
            # A task with trials in the log was tried by the process that made them.
            fault = None
            if task.id not in self._earlier:
                fault = await asyncio.to_thread(disqualify, task, self._validator.check)
            if fault is not None:
                self._finish()
                return fault
            seed = Random(f"{self._request.seed}:{task.id}").getrandbits(32)  # noqa: S311
            search = TaskSearch(task.id, pools.pool_of(task), self._request.design, seed)
            search.replay(self._earlier.get(task.id, []))
            while trial := search.next_trial():
                await self._try(task, search, trial)
            self._finish()
            return sum_up(search, task.query)

    async def _try(self, task: RelevanceTask, search: TaskSearch, trial: Trial) -> None:
        context = search.context(trial)
        reason = ""
        for _ in range(_TRIES):
            try:
                answer = await self._solver.solve(
                    task.question, context, seed=search.seed_of(trial)
                )
            except QuarantineError as error:
                reason = str(error)
                continue
            result = await asyncio.to_thread(self._validator.check, task, answer)
            reason = result.reason
            if result.validation is not Validation.NOT_VALIDATED:
                is_passed = result.validation is Validation.PASSED
                self._keep(search.record(trial, OUTCOMES[is_passed], reason))
                return
        self._keep(search.record(trial, "none", reason))

    def _finish(self) -> None:
        self._finished += 1
        self._say_progress()

    def _say_progress(self) -> None:
        self._progress.phase(
            f"{self._finished} of {self._total} tasks decided; {self.asked} trials made"
        )

    def _keep(self, record: TrialRecord) -> None:
        self._trial_log.append(record)
        self.asked += 1
