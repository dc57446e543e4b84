"""Playing the trials of tasks, several tasks at a time, each trial written down before the next."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from goldwright.app.relevance.relevance_pools import PoolMaker
from goldwright.engine.progress import Progress
from goldwright.engine.task_groups import task_group
from goldwright.journal.stage_file import StageFile
from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.control_trials import (
    ControlArm,
    ControlRecord,
    control_arms,
    render_arm,
    seed_of_control,
)
from goldwright.relevance.findings import OUTCOMES, TaskFinding, relevant_ids, sum_up
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.pytest_validator import Validation, ValidationResult
from goldwright.relevance.qualification import Disqualification, disqualify
from goldwright.relevance.solvers import Solver, UnsolvedError
from goldwright.relevance.task_search import Outcome, TaskSearch, TrialRecord, records_by_task
from goldwright.relevance.tasks import RelevanceTask
from goldwright.relevance.validation import Validator
from goldwright.text import counted

# A solver or a test session that failed is tried once more: most such failures are of the moment.
_TRIES = 2

# So many tasks take turns for each trial that may be under way: where one task after another came
# to its end, the last long one would keep all others waiting. Each holds some megabytes.
_TASKS_IN_TURN = 4


@dataclass(frozen=True, slots=True)
class TrialSettings:
    """How the trials of a call are made.

    Attributes:
        design: Error rates and budget, or the rule of a fixed number of trials.
        control_trials: Trials of each arm after the search; 0 for none.
        seed: Chooses trials and places.
        concurrency: How many trials are under way at a time, of as many tasks.
    """

    design: DesignSettings | FixedRule
    control_trials: int
    seed: int
    concurrency: int


@dataclass(frozen=True, slots=True)
class TrialLogs:
    """Where trials are written down.

    Attributes:
        search: Those of the searches.
        controls: Those after them.
    """

    search: StageFile[TrialRecord]
    controls: StageFile[ControlRecord]

    @property
    def usd(self) -> float:
        """What all of them cost, in dollars."""
        spent_on_search = sum(record.usd for record in self.search.records)
        spent_on_controls = sum(record.usd for record in self.controls.records)
        return spent_on_search + spent_on_controls


@dataclass(frozen=True, slots=True)
class _SolverAttempt:
    outcome: Outcome
    reason: str
    total_tokens: int
    usd: float


class TrialRun:
    """The tasks of one call, several at a time; the trials of a task one after the other.

    Attributes:
        asked: How many trials this call made.
    """

    def __init__(
        self,
        settings: TrialSettings,
        validator: Validator,
        solver: Solver,
        logs: TrialLogs,
        progress: Progress,
    ) -> None:
        """Take what the logs hold already."""
        self._settings = settings
        self._validator = validator
        self._solver = solver
        self._logs = logs
        self._progress = progress
        self._turns = asyncio.Semaphore(settings.concurrency * _TASKS_IN_TURN)
        self._trials_under_way = asyncio.Semaphore(settings.concurrency)
        self._earlier = records_by_task(logs.search.records)
        self._verdicts: dict[tuple[str, str], ValidationResult] = {}
        self.asked = 0
        self._finished = 0
        self._total = 0

    async def play(
        self, tasks: Sequence[RelevanceTask], pools: PoolMaker
    ) -> tuple[tuple[TaskFinding, ...], tuple[Disqualification, ...]]:
        """Make the trials that are not in the logs yet, and sum all of them up.

        Raises:
            BudgetError: The next call could pass the ceiling.
            ProviderError: The solver's provider is out of reach.
            DamagedStateError: The logs hold other trials than these tasks would have.
        """
        self._total = len(tasks)
        self._say_progress()
        async with task_group() as group:
            coroutines = [self._play(task, pools) for task in tasks]
            plays = [group.create_task(coroutine) for coroutine in coroutines]
        outcomes = [play.result() for play in plays]
        findings = tuple(outcome for outcome in outcomes if isinstance(outcome, TaskFinding))
        disqualified = tuple(
            outcome for outcome in outcomes if isinstance(outcome, Disqualification)
        )
        return findings, disqualified

    async def _play(self, task: RelevanceTask, pools: PoolMaker) -> TaskFinding | Disqualification:
        async with self._turns:
            # A task with trials in the log was tried by the process that made them.
            fault = None
            if task.id not in self._earlier:
                async with self._trials_under_way:
                    fault = await asyncio.to_thread(disqualify, task, self._validator.check)
            if fault is not None:
                self._finish()
                return fault
            seed_text = f"{self._settings.seed}:{task.id}"
            seed = Random(seed_text).getrandbits(32)  # noqa: S311
            pool = pools.pool_of(task)
            search = TaskSearch(task.id, pool, self._settings.design, seed)
            search.replay(self._earlier.get(task.id, []))
            while trial := search.next_trial():
                context = search.context(trial)
                seed_of_trial = search.seed_of(trial)
                attempt = await self._try(task, context, seed_of_trial)
                record = search.record(
                    trial,
                    attempt.outcome,
                    attempt.reason,
                    total_tokens=attempt.total_tokens,
                    usd=attempt.usd,
                )
                self._logs.search.append(record)
                self._count_trial()
            controls = await self._play_controls(task, search)
            self._finish()
            return sum_up(search, task, controls)

    async def _play_controls(
        self, task: RelevanceTask, search: TaskSearch
    ) -> Sequence[ControlRecord]:
        """Try what the relevant documents are worth one by one, and against shams."""
        joint = search.design.joint_finding()
        ids = [document.document_id for document in search.pool]
        relevant = relevant_ids(search)
        relevant_names = frozenset(relevant)
        # A set of documents that are not called relevant would be judged by trials it never earned.
        sets = [[ids[number] for number in numbers] for numbers in joint.sufficient_sets]
        relevant_sets = [names for names in sets if relevant_names.issuperset(names)]
        arms = control_arms(relevant, relevant_sets)
        earlier = [log for log in self._logs.controls.records if log.task_id == task.id]
        logged = {(record.arm, record.number): record for record in earlier}
        records = []
        for place, arm in enumerate(arms):
            for number in range(1, self._settings.control_trials + 1):
                record = logged.get((arm, number))
                if record is None:
                    seed = seed_of_control(search.seed, place, number)
                    record = await self._try_arm(task, search, arm, number, seed)
                records.append(record)
        return records

    async def _try_arm(
        self, task: RelevanceTask, search: TaskSearch, arm: ControlArm, number: int, seed: int
    ) -> ControlRecord:
        context = render_arm(search.pool, arm, seed=seed)
        attempt = await self._try(task, context, seed)
        record = ControlRecord(
            task_id=task.id,
            included=arm.included,
            altered=arm.altered,
            alteration=arm.alteration,
            number=number,
            outcome=attempt.outcome,
            reason=attempt.reason,
            total_tokens=attempt.total_tokens,
            usd=attempt.usd,
        )
        self._logs.controls.append(record)
        self._count_trial()
        return record

    async def _try(self, task: RelevanceTask, context: str, seed: int) -> _SolverAttempt:
        async with self._trials_under_way:
            return await self._attempt(task, context, seed)

    async def _attempt(self, task: RelevanceTask, context: str, seed: int) -> _SolverAttempt:
        reason = ""
        total_tokens, usd = 0, 0.0
        for _ in range(_TRIES):
            try:
                solution = await self._solver.solve(task.question, context, seed=seed)
            except UnsolvedError as error:
                # What failed was paid for as well; costs of a trial count all of its tries.
                reason = str(error)
                total_tokens, usd = error.total_tokens, error.usd
                continue
            total_tokens, usd = solution.total_tokens, solution.usd
            result = await self._check(task, solution.answer)
            reason = result.reason
            if result.validation is not Validation.NOT_VALIDATED:
                is_passed = result.validation is Validation.PASSED
                return _SolverAttempt(OUTCOMES[is_passed], reason, total_tokens, usd)
        return _SolverAttempt("none", reason, total_tokens, usd)

    async def _check(self, task: RelevanceTask, answer: str) -> ValidationResult:
        """Check an answer once: the same answer to the same task has the same verdict.

        Gold answers, which show that a check is not flaky, are tried three times all the same.
        """
        data = answer.encode(errors="surrogatepass")
        key = (task.id, hashlib.sha256(data).hexdigest())
        result = self._verdicts.get(key)
        if result is None:
            result = await asyncio.to_thread(self._validator.check, task, answer)
            if result.validation is not Validation.NOT_VALIDATED:
                self._verdicts[key] = result
        return result

    def _finish(self) -> None:
        self._finished += 1
        self._say_progress()

    def _count_trial(self) -> None:
        self.asked += 1

    def _say_progress(self) -> None:
        decided_share = f"{self._finished} of {self._total} tasks decided"
        trials = counted(self.asked, "trial")
        self._progress.phase(f"{decided_share}; {trials} made")
