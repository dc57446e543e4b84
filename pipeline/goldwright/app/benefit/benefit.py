"""Measuring what a tool does for an agent: tasks made, trials run or read, answers judged."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from threading import Lock, local
from typing import Final

from goldwright.app.benefit.benefit_agents import agent_name, opened_agent
from goldwright.app.benefit.benefit_tool import open_tool
from goldwright.app.environment import Environment
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup
from goldwright.atomic_files import locked_directory
from goldwright.benefit.attempts import Agent
from goldwright.benefit.findings import StratumFinding, sum_up
from goldwright.benefit.scoring import score_blind
from goldwright.benefit.surface import Handshake, ToolSurface
from goldwright.benefit.tasks import BackedFact, BenefitTask
from goldwright.benefit.trials import ArmTrial, ArmTrialRecord, ScoredTrial, open_pairs, plan_trials
from goldwright.canonical import digest
from goldwright.engine.progress import Progress
from goldwright.engine.shards import Shard
from goldwright.errors import InputError, RetrieverError, UnansweredError
from goldwright.evaluation.answers.answer_matching import judge_answer
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange.opening import open_dataset
from goldwright.journal.stage_file import StageFile
from goldwright.records import Record
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.text import counted

TRIALS_FILE: Final = "trials.jsonl"
SETTINGS_FILE: Final = "settings.jsonl"
# Below this share of native trials that reach an expected file, the control is no searcher.
COMPETENT_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class BenefitRequest:
    """What a user asks.

    Attributes:
        dataset: A golden dataset, or any list of questions with facts.
        repo: The codebase.
        tool: A retriever or MCP server.
        out: A directory for journal and results; what it holds is not tried again.
        rev: The commit; HEAD where there is none.
        seeds: Repetitions of each task and arm.
        seed: Settles orders and draws.
        workers: Pairs of trials under way at a time.
        seconds: How long the tool may take to start, and to answer.
        agent: The model that tries; None for the embedded agent.
        shard: The share of the tasks that this call tries; all of them without one.
    """

    dataset: str
    repo: Path
    tool: str
    out: Path
    rev: str | None = None
    seeds: int = 3
    seed: int = 0
    workers: int = 2
    seconds: float = 30.0
    agent: AnswerJudgeSetup | None = None
    shard: Shard | None = None


@dataclass(frozen=True, slots=True)
class BenefitResult:
    """What came of it.

    Attributes:
        agent: Who tried.
        commit: The commit of the codebase.
        dataset: The dataset, with its digest.
        handshake: What the tool said of itself; None where it did not start.
        fault: Why nothing was measured; empty where something was.
        native_reach: Share of native trials that read a line of an expected file.
        left_out: Queries without facts, which no answer can be judged by.
        trials: The journal, judged.
        made: Trials that this call made.
        unfinished: Trials that this call began and a provider kept from ending.
        findings: By stratum, then over all tasks.
    """

    agent: str
    commit: str
    dataset: str
    handshake: Handshake | None
    fault: str
    native_reach: float
    left_out: int
    trials: tuple[ScoredTrial, ...]
    made: int
    unfinished: int
    findings: tuple[StratumFinding, ...]

    @property
    def is_native_competent(self) -> bool:
        """Whether the arm without the tool is a searcher worth comparing with."""
        return self.native_reach >= COMPETENT_SHARE


class BenefitSettings(Record):
    """What the trials of a directory were made with.

    Attributes:
        digest: Of dataset, commit, tools and their schemas, agent, seeds and order together.
        secret: Chance's, from which the marks around material that a model is shown are drawn.
    """

    digest: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class BenefitTasks:
    """The tasks of a dataset, how many queries gave none, and the dataset's description."""

    tasks: tuple[BenefitTask, ...]
    left_out: int
    description: str


def read_tasks(request: BenefitRequest, environment: Environment) -> BenefitTasks:
    """Make a task of each query that has facts.

    Raises:
        InputError: The dataset cannot be read, or no query of it has facts.
    """
    dataset = open_dataset(request.dataset, environment.workspace.golden)
    queries_with_facts = [query for query in dataset.queries if query.must_mention_facts]
    tasks = tuple(map(_task_of, queries_with_facts))
    if not tasks:
        raise InputError(f"{request.dataset}: no query has must-mention facts to judge by")
    left_out = len(dataset.queries) - len(tasks)
    return BenefitTasks(tasks, left_out, dataset.description)


def _task_of(query: DatasetQuery) -> BenefitTask:
    citations = query.label.fact_citations if query.label else ()
    facts: list[BackedFact] = []
    for number, statement in enumerate(query.must_mention_facts, start=1):
        claim_id = f"fact-{number}"
        cited = tuple(lines for lines in citations if lines.claim_id == claim_id)
        facts.append(BackedFact(statement, cited or query.expected_line_ranges))
    cited_files = [lines.file for fact in facts for lines in fact.lines]
    stratum = " ".join(query.strata.values()) or "no stratum"
    return BenefitTask(
        task_id=query.query_id,
        question=query.query_text,
        stratum=stratum,
        must=tuple(facts),
        must_not=query.must_not_mention_facts,
        files=tuple(dict.fromkeys(cited_files)),
    )


def measure_benefit(
    request: BenefitRequest, environment: Environment, progress: Progress
) -> BenefitResult:
    """Run the trials that the journal still lacks, judge all, and sum them up.

    Raises:
        InputError: Dataset, codebase, tool or directory is wrong.
        DamagedStateError: The journal is no longer what was written.
    """
    tasks = read_tasks(request, environment)
    progress.phase("reading the codebase")
    snapshot = open_snapshot(request.repo, rev=request.rev, cache=environment.cache)
    _make(request.out)
    with locked_directory(request.out):
        try:
            with open_tool(request.tool, snapshot, environment, seconds=request.seconds) as surface:
                secret = _check_settings(
                    request, tasks, snapshot.commit, surface.handshake, environment
                )
                with opened_agent(request.agent, request.out, secret, environment) as agent:
                    run = _PairedTrials(
                        request, environment, progress, tasks.tasks, snapshot, surface, agent
                    )
                    records = run.play()
        except RetrieverError as error:
            return _not_measured(request, tasks, snapshot, str(error))
    return _judged(request, tasks, snapshot, surface.handshake, records, run)


def _judged(
    request: BenefitRequest,
    tasks: BenefitTasks,
    snapshot: Snapshot,
    handshake: Handshake,
    records: Sequence[ArmTrialRecord],
    run: "_PairedTrials",
) -> BenefitResult:
    by_id = {task.task_id: task for task in tasks.tasks}
    scored = score_blind(records, by_id, _is_right, seed=request.seed)
    strata = {task.task_id: task.stratum for task in tasks.tasks}
    uptake = sum(record.tool_uptake for record in records)
    native = [record.reached for record in records if record.arm == "native"]
    findings = sum_up(scored, strata, seed=request.seed)
    fault = "" if uptake else "the tool answered no call"
    native_reach = fmean(native) if native else 0.0
    agent = agent_name(request.agent)
    return BenefitResult(
        agent=agent,
        commit=snapshot.commit,
        dataset=tasks.description,
        handshake=handshake,
        fault=fault,
        native_reach=native_reach,
        left_out=tasks.left_out,
        trials=scored,
        made=run.made,
        unfinished=run.unfinished,
        findings=findings,
    )


def _not_measured(
    request: BenefitRequest, tasks: BenefitTasks, snapshot: Snapshot, reason: str
) -> BenefitResult:
    return BenefitResult(
        agent=agent_name(request.agent),
        commit=snapshot.commit,
        dataset=tasks.description,
        handshake=None,
        fault=reason,
        native_reach=0.0,
        left_out=tasks.left_out,
        trials=(),
        made=0,
        unfinished=0,
        findings=(),
    )


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{directory}: cannot be made: {error.strerror}") from error


def _is_right(task: BenefitTask, answer: str) -> bool:
    statements = tuple(fact.statement for fact in task.must)
    key = _CachedAnswerKey(statements, task.must_not)
    judgement = judge_answer(key, answer)
    return judgement is not None and judgement.is_correct


@dataclass(frozen=True, slots=True)
class _CachedAnswerKey:
    must_mention_facts: tuple[str, ...]
    must_not_mention_facts: tuple[str, ...]


def _check_settings(
    request: BenefitRequest,
    tasks: BenefitTasks,
    commit: str,
    handshake: Handshake,
    environment: Environment,
) -> str:
    """Keep what the trials are made with, or refuse to go on with anything else.

    Returns:
        The secret of the directory.
    """
    subject = [tasks.description, commit, request.tool, handshake.tools_sha256]
    agent = agent_name(request.agent)
    made_with = [*subject, agent, request.seeds, request.seed]
    secret = f"{environment.chance.getrandbits(128):032x}"
    settings = BenefitSettings(digest=digest(made_with), secret=secret)
    file = StageFile.open(request.out / SETTINGS_FILE, BenefitSettings, writable=True)
    if not file.records:
        file.append(settings)
        return secret
    if file.records[0].digest != settings.digest:
        raise InputError(
            f"{request.out}: holds trials of other tasks, tools or settings; name another directory"
        )
    return file.records[0].secret


class _PairedTrials:
    """The trials of one call: pairs side by side, the two of a pair one after the other."""

    def __init__(
        self,
        request: BenefitRequest,
        environment: Environment,
        progress: Progress,
        tasks: Iterable[BenefitTask],
        snapshot: Snapshot,
        surface: ToolSurface,
        agent: Agent,
    ) -> None:
        self._request = request
        self._agent = agent
        self._clock = environment.clock
        self._progress = progress
        self._tasks: Mapping[str, BenefitTask] = {task.task_id: task for task in tasks}
        # A snapshot reads through one process of git, so each thread opens its own.
        self._of_thread = local()
        self._commit = snapshot.commit
        self._cache = environment.cache
        self._surface = surface
        self._lock = Lock()
        trials_file = request.out / TRIALS_FILE
        self._journal = StageFile.open(trials_file, ArmTrialRecord, writable=True)
        self.made = 0
        self.unfinished = 0

    def play(self) -> Sequence[ArmTrialRecord]:
        # Planned for all tasks, so that a share of them meets the same orders of arms.
        task_ids = list(self._tasks)
        planned = plan_trials(task_ids, self._request.seeds, seed=self._request.seed)
        shard = self._request.shard
        if shard is not None:
            share = set(shard.share_of(task_ids))
            planned = tuple(trial for trial in planned if trial.task_id in share)
        pairs = open_pairs(planned, self._journal.records)
        planned_trials = counted(len(planned), "trial")
        open_count = sum(map(len, pairs))
        self._progress.phase(f"{planned_trials}, {open_count} still to be made")
        with ThreadPoolExecutor(self._request.workers) as pool:
            for _ in pool.map(self._play_pair, pairs):
                pass
        return self._journal.records

    def _play_pair(self, trials: Sequence[ArmTrial]) -> None:
        for trial in trials:
            try:
                record = self._try(trial)
            except UnansweredError as error:
                # A provider's failure is no failure of the arm: the trial stays to be made.
                self.unfinished += 1
                self._progress.note(str(error))
                continue
            with self._lock:
                self._journal.append(record)
                self.made += 1

    def _snapshot(self) -> Snapshot:
        if not hasattr(self._of_thread, "snapshot"):
            request = self._request
            opened = open_snapshot(request.repo, rev=request.rev, cache=self._cache)
            if opened.commit != self._commit:
                raise InputError(f"{request.repo}: changed while it was searched")
            self._of_thread.snapshot = opened
        snapshot: Snapshot = self._of_thread.snapshot
        return snapshot

    def _try(self, trial: ArmTrial) -> ArmTrialRecord:
        surface = self._surface if trial.arm == "with_tool" else None
        started = self._clock.seconds()
        task = self._tasks[trial.task_id]
        outcome = self._agent.attempt(trial, task, surface, self._snapshot)
        if surface is not None and outcome.tool_errors and not surface.tool.is_alive():
            # What an agent does without its tool says nothing of the tool: the trial is to be made
            # again, with a server that is there.
            name = surface.handshake.name
            trials_made = counted(len(self._journal.records), "trial")
            raise RetrieverError(f"{name}: died after {trials_made}; the same command goes on")
        seconds = self._clock.seconds() - started
        return ArmTrialRecord(
            task_id=trial.task_id,
            seed=trial.seed,
            arm=trial.arm,
            answer=outcome.answer,
            total_tokens=outcome.total_tokens,
            schema_tokens=outcome.schema_tokens,
            result_tokens=outcome.result_tokens,
            usd=outcome.usd,
            tool_calls=outcome.tool_calls,
            tool_uptake=outcome.tool_uptake,
            tool_errors=outcome.tool_errors,
            turns=outcome.turns,
            wall_clock_s=seconds,
            reached=outcome.reached,
        )
