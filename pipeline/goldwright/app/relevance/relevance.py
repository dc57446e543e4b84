"""Proving which documents make tasks succeed: checks tried, pools made, trials run, findings."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from pydantic import ValidationError

from goldwright.app.environment import Environment
from goldwright.app.relevance.relevance_pools import PoolMaker, PoolSettings
from goldwright.app.relevance.relevance_solvers import (
    EXTRACTIVE,
    find_solver,
    opened_solver,
    solver_name,
)
from goldwright.app.relevance.relevance_trials import TrialLogs, TrialRun, TrialSettings
from goldwright.atomic_files import locked_directory
from goldwright.canonical import digest
from goldwright.engine.progress import Progress
from goldwright.engine.shards import Shard
from goldwright.errors import InputError
from goldwright.evaluation.answers.answer_matching import judge_answer
from goldwright.interchange.plain_yaml import plain_yaml
from goldwright.journal.stage_file import StageFile
from goldwright.records import Record
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import read_regular
from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.asked_sentences import asked_sentences, leave_sentences_out
from goldwright.relevance.control_trials import ControlRecord
from goldwright.relevance.findings import TaskFinding
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.qualification import Disqualification
from goldwright.relevance.simulation import RuleErrors, rule_errors
from goldwright.relevance.task_search import TrialRecord
from goldwright.relevance.tasks import PytestCheck, RelevanceTask, TaskRegistry, tests_path
from goldwright.relevance.validation import Validator
from goldwright.sandbox.detection import find_layer
from goldwright.sandbox.layers import NO_LAYER, Layer
from goldwright.snapshot import open_snapshot

TRIALS_FILE: Final = "trials.jsonl"
CONTROLS_FILE: Final = "controls.jsonl"
SETTINGS_FILE: Final = "settings.jsonl"


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
        concurrency: How many trials are under way at a time, of as many tasks.
        allows_no_sandbox: Whether answers may run without a sandbox where none works.
        fixed: A number of trials and a threshold, in place of the adaptive design.
        control_trials: Trials of each arm after the search; 0 for none.
        solver: ``offline``, or ``provider:model``.
        config: The settings that name providers; those of the root where there are none.
        budget_usd: A ceiling in dollars, in place of that of the settings.
        shard: The share of the tasks that this call tries; all of them without one.
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
    fixed: FixedRule | None = None
    control_trials: int = 3
    solver: str = EXTRACTIVE
    config: Path | None = None
    budget_usd: float | None = None
    shard: Shard | None = None

    @property
    def search_settings(self) -> DesignSettings | FixedRule:
        """What chooses the trials."""
        return self.fixed or self.design

    def share_of(self, registry: TaskRegistry) -> tuple[RelevanceTask, ...]:
        """The tasks that this call tries."""
        if self.shard is None:
            return registry.tasks
        return self.shard.share_of(registry.tasks)


@dataclass(frozen=True, slots=True)
class RelevanceResult:
    """What came of it.

    Attributes:
        findings: A finding a task, in the order of the registry.
        disqualified: Tasks whose checks cannot be relied on.
        solver: Who answered.
        sandbox: How answers were confined; "none" where nothing was.
        asked: Trials that this call made; others were in the log.
        usd: What all trials of the directory cost, in dollars.
        fixed: The fixed rule, where it decided.
        rule_errors: Its errors on made-up pools of as many documents as these have.
        tasks_with_gold: Ids of the tasks whose checks were seen to let a right answer pass.
    """

    findings: tuple[TaskFinding, ...]
    disqualified: tuple[Disqualification, ...]
    solver: str
    sandbox: str
    asked: int
    usd: float = 0.0
    fixed: FixedRule | None = None
    rule_errors: RuleErrors | None = None
    tasks_with_gold: frozenset[str] = frozenset()


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
        registry = TaskRegistry.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{path}: {problem}") from error
    for task in registry.tasks:
        _refuse_open_tests(task, path)
    return registry


def _refuse_open_tests(task: RelevanceTask, path: Path) -> None:
    """Refuse a task whose answers could read what is expected of them."""
    if not isinstance(task.check, PytestCheck):
        return
    tests = tests_path(task.check, path.parent)
    hidden = {path.resolve(), tests.resolve()}
    for name in task.readable:
        directory = (path.parent / name).resolve()
        for file in hidden:
            if file.is_relative_to(directory):
                raise InputError(
                    f"{path}: task {task.id!r}: readable {name!r} holds {file.name}, "
                    "which no answer may see"
                )


def prove_relevance(
    request: RelevanceRequest, environment: Environment, progress: Progress
) -> RelevanceResult:
    """Run the trials of every task, or those that its log still lacks, and sum them up.

    Raises:
        InputError: Registry, codebase or directory is wrong, or no sandbox works here.
        DamagedStateError: The log holds other trials than these tasks would have.
        BudgetError: The next call of a model could pass the ceiling.
        ProviderError: The model's provider is out of reach.
    """
    registry = read_registry(request.tasks)
    tasks = request.share_of(registry)
    layer = _find_layer(tasks, request)
    progress.phase("reading the codebase")
    snapshot = open_snapshot(request.repo, rev=request.rev, cache=environment.cache)
    # Of all tasks, whatever the share: every shard has the same documents.
    leave_sentences_out(snapshot, asked_sentences(registry.tasks))
    pools = PoolMaker(snapshot, request.pool, seed=request.seed)
    validator = Validator(request.tasks.parent, layer, _states_facts)
    setup = find_solver(request.solver, request.config, request.budget_usd, environment)
    solver_text = solver_name(setup)
    progress.phase("trying the checks of the tasks")
    with locked_directory(_made(request.out)):
        trials = StageFile.open(request.out / TRIALS_FILE, TrialRecord, writable=True)
        controls = StageFile.open(request.out / CONTROLS_FILE, ControlRecord, writable=True)
        logs = TrialLogs(trials, controls)
        _check_settings(request, registry, solver_text, snapshot.commit)
        settings = TrialSettings(
            request.search_settings, request.control_trials, request.seed, request.concurrency
        )

        async def play() -> tuple[Sequence[TaskFinding], Sequence[Disqualification], int]:
            async with opened_solver(setup, request.out, environment) as solver:
                run = TrialRun(settings, validator, solver, logs, progress)
                findings, disqualified = await run.play(tasks, pools)
                return findings, disqualified, run.asked

        findings, disqualified, trial_count = asyncio.run(play())
    errors_of_rule = _errors_of_rule(request.fixed, findings)
    tasks_with_gold = frozenset(task.id for task in tasks if task.gold is not None)
    return RelevanceResult(
        tuple(findings),
        tuple(disqualified),
        solver_text,
        layer.name,
        trial_count,
        logs.usd,
        request.fixed,
        errors_of_rule,
        tasks_with_gold,
    )


def _errors_of_rule(rule: FixedRule | None, findings: Sequence[TaskFinding]) -> RuleErrors | None:
    if rule is None or not findings:
        return None
    pool_sizes = [len(finding.documents) for finding in findings]
    return rule_errors(rule, round(median(pool_sizes)))


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{directory}: cannot be made: {error.strerror}") from error
    return directory


def _find_layer(tasks: Sequence[RelevanceTask], request: RelevanceRequest) -> Layer:
    """Find a sandbox where answers are code; where none are, nothing has to be confined."""
    if not any(isinstance(task.check, PytestCheck) for task in tasks):
        return NO_LAYER
    try:
        return find_layer()
    except InputError:
        if request.allows_no_sandbox:
            return NO_LAYER
        raise


def _check_settings(
    request: RelevanceRequest, registry: TaskRegistry, solver: str, commit: str
) -> None:
    """Keep what the trials are made with, or refuse to go on with other settings.

    Raises:
        InputError: The directory holds trials that were made with others.
    """
    registry_fields = registry.model_dump(mode="json")
    pool_fields = vars_of(request.pool)
    design_fields = vars_of(request.search_settings)
    settings = {
        "registry": registry_fields,
        "commit": commit,
        "pool": pool_fields,
        "design": design_fields,
        "control_trials": request.control_trials,
        "seed": request.seed,
        "solver": solver,
    }
    settings_record = SearchSettings(digest=digest(settings))
    kept_settings = StageFile.open(request.out / SETTINGS_FILE, SearchSettings, writable=True)
    if not kept_settings.records:
        kept_settings.append(settings_record)
    elif kept_settings.records[0] != settings_record:
        raise InputError(
            f"{request.out}: holds trials of other tasks, settings or code; name another directory"
        )


def vars_of(settings: PoolSettings | DesignSettings | FixedRule) -> Mapping[str, object]:
    """Return the fields of a dataclass of plain values."""
    return {name: getattr(settings, name) for name in settings.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class _TaskKey:
    must_mention_facts: tuple[str, ...]
    must_not_mention_facts: tuple[str, ...]


def _states_facts(answer: str, must: Sequence[str], must_not: Sequence[str]) -> bool:
    key = _TaskKey(tuple(must), tuple(must_not))
    judgement = judge_answer(key, answer)
    return judgement is not None and judgement.is_correct
