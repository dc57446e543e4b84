"""Putting a batch together from a run's files and a snapshot, and playing it to its end."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom

from goldwright.agents.roles import Cast
from goldwright.app.model_setup import ModelSetup, RunServices, open_cast
from goldwright.app.run_files import OpenRun
from goldwright.canaries.stage import CanaryStage
from goldwright.engine.clock import Clock
from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, is_given_up
from goldwright.engine.work import LocalExecutor
from goldwright.llm.budget import MICRO, Budget
from goldwright.llm.journaling import SECONDS_TO_STOP
from goldwright.prompts import PromptLibrary
from goldwright.snapshot import Snapshot
from goldwright.stages.author import AuthorStage
from goldwright.stages.batch import BatchRun
from goldwright.stages.case_pipeline import CasePipeline
from goldwright.stages.context import StageContext

STOPPING = f"stopping: waiting up to {SECONDS_TO_STOP:.0f} s for answers that are paid for (Ctrl-C again: at once)"


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """How a sitting ended: cases that could not be finished, and what was given up without a record
    to show for it.
    """

    failed: tuple[CaseFailure, ...]
    notes: tuple[str, ...]


async def execute(
    run: OpenRun,
    snapshot: Snapshot,
    model_setup: ModelSetup,
    prompts: PromptLibrary,
    *,
    item_ceiling: int | None,
    clock: Clock,
    progress: Progress,
    focus_area: str | None,
) -> ExecutionResult:
    """Carry a run on up to the human gate, and seal its files when every case is done.

    A cell whose Author was given up is short, and a canary without a report says nothing; only
    records that could not be finished keep the run open.
    """
    run.call_journal.watch(lambda micro: progress.spend(micro / MICRO))
    budget = Budget(run.manifest.budget_micro_usd, item_ceiling)
    for item, micro in run.call_journal.spent_by_item().items():
        budget.spend(item, micro)
    table = RunServices(
        run.call_journal,
        budget,
        prompts,
        run.manifest.secret,
        run.manifest.lessons,
        sleep=asyncio.sleep,
        seconds=clock.seconds,
        chance=SystemRandom(),
        stopping=_Once(lambda: progress.note(STOPPING)),
    )
    async with open_cast(model_setup, snapshot, table) as cast:
        failed = await _play(run, snapshot, cast, clock, progress, focus_area, model_setup.at_once)
    given_up = tuple(
        one
        for one in failed
        if is_given_up(one) and one.case not in run.stage_files.candidates.done
    )
    lasting = tuple(one for one in failed if one not in given_up)
    if not lasting:
        run.seal()
    return ExecutionResult(lasting, tuple(f"given up: {one.error}" for one in given_up))


class _Once:
    """Says something the first time it is called."""

    def __init__(self, say: Callable[[], None]) -> None:
        self._say: Callable[[], None] | None = say

    def __call__(self) -> None:
        say, self._say = self._say, None
        if say is not None:
            say()


async def _play(
    run: OpenRun,
    snapshot: Snapshot,
    cast: Cast,
    clock: Clock,
    progress: Progress,
    focus_area: str | None,
    at_once: int,
) -> tuple[CaseFailure, ...]:
    context = StageContext(snapshot, run.transcript, run.call_journal, clock)
    executor = LocalExecutor()
    authors = AuthorStage(
        cast.author,
        context,
        candidates=run.stage_files.candidates,
        rejected=run.stage_files.rejected,
        progress=progress,
        executor=executor,
        seed=run.manifest.seed,
        focus_area=focus_area,
        spent_targets=frozenset(run.manifest.spent_targets),
    )
    batch = BatchRun(
        run.manifest.plan,
        run.stage_files,
        authors=authors,
        case_pipeline=CasePipeline(cast, context, run.stage_files, progress),
        transcript=run.transcript,
        progress=progress,
        executor=executor,
        limit=at_once,
    )
    failures = await batch.run()
    candidates = run.stage_files.candidates.done
    is_unfinished = any(failure.case in candidates for failure in failures)
    if not run.manifest.canaries or is_unfinished:
        return failures
    canaries = CanaryStage(
        cast.adversary,
        context,
        run.stage_files,
        run.canaries,
        executor=executor,
        seed=run.manifest.seed,
    )
    return (*failures, *await canaries.release(run.manifest.canaries, limit=at_once))
