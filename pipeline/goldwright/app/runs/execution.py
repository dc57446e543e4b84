"""Putting a batch together from a run's files and a snapshot, and playing it to its end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.roles import Cast
from goldwright.app.datasets.blessing_ledger import note_resumed
from goldwright.app.environment import Environment
from goldwright.app.models.cast import RunServices, open_cast
from goldwright.app.models.spending_ceiling import micro_usd
from goldwright.app.runs.pool_systems import open_dense_pool
from goldwright.app.runs.run_files import OpenRun
from goldwright.app.runs.run_preparation import RunPreparation
from goldwright.app.runs.run_report import RunReport, report_on
from goldwright.app.runs.trust_cards import renew_run_card
from goldwright.app.runs.unreadable_records import reject_unreadable, unreadable_records
from goldwright.canaries.stage import CanaryStage
from goldwright.code_reading.modules import forget_modules
from goldwright.engine.clock import timestamp
from goldwright.engine.interrupts import run_interruptibly
from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, is_given_up
from goldwright.engine.work import LocalExecutor
from goldwright.errors import BudgetError, ProviderError
from goldwright.llm.batch_pace import FIRST_POLL, BatchPace
from goldwright.llm.budget import MICRO, Budget
from goldwright.llm.journaling import SECONDS_TO_STOP
from goldwright.retrieval.lexical_index import forget_lexical_index
from goldwright.retrieval.port import Retriever
from goldwright.snapshot import Snapshot
from goldwright.snapshot.garbage import garbage_collected_rarely
from goldwright.stages.author import AuthorStage
from goldwright.stages.batch import BatchRun
from goldwright.stages.case_pipeline import CasePipeline
from goldwright.stages.context import StageContext

STOPPING: Final = (
    f"stopping: waiting up to {SECONDS_TO_STOP:.0f} s for answers that are paid for "
    "(Ctrl-C again: at once)"
)
# With so many, the embedded Author takes longer than anybody waits without a word.
MANY_FILES: Final = 4_000


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """How one execution of a run ended.

    Attributes:
        failed: Cases that could not be finished; the next resume tries them again.
        notes: What was given up, a sentence each.
    """

    failed: tuple[CaseFailure, ...]
    notes: tuple[str, ...]


def execute_and_report(
    run: OpenRun,
    snapshot: Snapshot,
    *,
    preparation: RunPreparation,
    environment: Environment,
    progress: Progress,
) -> RunReport:
    """Play an open run to its end and sum it up, with what opening the snapshot brought to light.

    A run that is complete gets its trust card.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    with garbage_collected_rarely():
        return _execute_and_report(run, snapshot, preparation, environment, progress)


def _execute_and_report(
    run: OpenRun,
    snapshot: Snapshot,
    preparation: RunPreparation,
    environment: Environment,
    progress: Progress,
) -> RunReport:
    result = execute_run(
        run, snapshot, preparation=preparation, environment=environment, progress=progress
    )
    notes = (*snapshot.notes, *result.notes)
    report = report_on(run, failed=result.failed, notes=notes)
    if report.state != "complete":
        return report
    progress.phase("measuring the trust card")
    # It reads the codebase on its own; what the agents hold of a large one is a third of all
    # memory.
    forget_modules()
    forget_lexical_index()
    card = renew_run_card(run, report.record_fates, snapshot)
    # Its own reading may fail over a file too; a card without the records of that file reads no
    # further one.
    if unreadable_records(run):
        run.reopen()
        _settle(run, (), environment)
        report = report_on(run, notes=notes)
        card = renew_run_card(run, report.record_fates, snapshot)
    return replace(report, trust_card=card, unparsed=run.manifest.unparsed)


def execute_run(
    run: OpenRun,
    snapshot: Snapshot,
    *,
    preparation: RunPreparation,
    environment: Environment,
    progress: Progress,
) -> ExecutionResult:
    """Play an open run up to the human gate, and seal its files when every case is done.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    if run.manifest.stopped_by:
        run.save(run.manifest.stopped(""))
    execution = _Execution(run, snapshot, preparation, environment, progress)
    try:
        failures = run_interruptibly(execution.play())
    except (BudgetError, ProviderError) as error:
        # Whoever looks at it in the morning has lost what was printed at night.
        run.save(run.manifest.stopped(str(error)))
        raise
    return _settle(run, failures, environment)


def _settle(
    run: OpenRun, failures: Sequence[CaseFailure], environment: Environment
) -> ExecutionResult:
    """Seal the run unless a record could not be finished.

    An Author that was given up leaves its cell short, and a canary without a report proves
    nothing; neither is a record, so neither keeps the run open.
    """
    unfinished = []
    notes = []
    for failure in failures:
        is_record = failure.case in run.stage_files.candidates.done
        if is_given_up(failure) and not is_record:
            notes.append(f"given up: {failure.error}")
        else:
            unfinished.append(failure)
    if not unfinished:
        reject_unreadable(run, timestamp(environment.clock))
        run.seal()
        note_resumed(run.directory, environment)
    return ExecutionResult(tuple(unfinished), tuple(notes))


class _Execution:
    """One execution of a run: the batch, and the canaries after it."""

    def __init__(
        self,
        run: OpenRun,
        snapshot: Snapshot,
        preparation: RunPreparation,
        environment: Environment,
        progress: Progress,
    ) -> None:
        self._run = run
        self._snapshot = snapshot
        self._preparation = preparation
        self._environment = environment
        self._progress = progress
        self._executor = LocalExecutor()
        self._limit = preparation.model_setup.case_limit
        self._has_announced_stop = False
        # At once: what is read of other files afterwards is read without this one, by a resume too.
        snapshot.on_set_aside = self._save_unparsed
        self._save_unparsed()

    async def play(self) -> tuple[CaseFailure, ...]:
        """Play what is left to do; gives the cases that failed."""
        # With every reply: one case may take minutes and many calls.
        self._run.call_journal.watch(self._show_spending)
        model_setup = self._preparation.model_setup
        async with open_cast(model_setup, self._snapshot, self._services()) as cast:
            context = self._stage_context()
            self._say_what_takes_long(cast)
            failures = await self._batch(cast, context).run()
            if self._is_unfinished(failures) or not self._run.manifest.canaries:
                return failures
            # Canaries are made of finished answers, so they wait for all of them.
            canary_failures = await self._release_canaries(cast, context)
            return (*failures, *canary_failures)

    def _say_what_takes_long(self, cast: Cast) -> None:
        """Say that nothing will be seen for a while, where the codebase is that large."""
        files = len(self._snapshot.files_in("python"))
        is_offline = cast.author.identity == OFFLINE_IDENTITIES["author"]
        if is_offline and files >= MANY_FILES and not self._run.stage_files.candidates.done:
            self._progress.note(f"looking for questions in {files:,} files takes some minutes")

    def _open_dense_pool(self) -> Retriever | None:
        systems = self._run.manifest.pool
        return open_dense_pool(systems, self._snapshot, self._environment, self._progress)

    def _stage_context(self) -> StageContext:
        run = self._run
        dense_pool = self._open_dense_pool()
        return StageContext(
            self._snapshot,
            run.transcript,
            run.call_journal,
            self._environment.clock,
            dense_pool,
        )

    def _services(self) -> RunServices:
        manifest = self._run.manifest
        environment = self._environment
        settings = self._preparation.config.run
        poll_seconds = settings.batch_poll_s
        first_poll = min(FIRST_POLL, poll_seconds)
        return RunServices(
            call_journal=self._run.call_journal,
            budget=self._budget(),
            prompts=self._preparation.prompts,
            secret=manifest.secret,
            lessons=manifest.lessons,
            clock=environment.clock,
            chance=environment.chance,
            on_stopping=self._announce_stop,
            tries_out=settings.preflight,
            batch_pace=BatchPace(settings.batch_gathering_s, first_poll, poll_seconds),
            note=self._progress.note,
        )

    def _budget(self) -> Budget:
        """The money of the run, less what earlier executions spent."""
        # A second ceiling for each work item: one that runs away must not eat the money of all.
        item_ceiling = micro_usd(self._preparation.config.run.item_budget_usd)
        budget = Budget(self._run.manifest.budget_micro_usd, item_ceiling)
        for item, spend in self._run.call_journal.spent_by_item().items():
            budget.spend(item, spend.most_micro_usd)
        for (item, key), cost in self._run.call_journal.awaited_calls().items():
            budget.hold(item, key, cost.most_micro_usd)
        return budget

    def _batch(self, cast: Cast, context: StageContext) -> BatchRun:
        run = self._run
        authors = self._author_stage(cast, context)
        case_pipeline = CasePipeline(cast, context, run.stage_files, self._progress)
        return BatchRun(
            run.manifest.plan,
            run.stage_files,
            authors=authors,
            case_pipeline=case_pipeline,
            transcript=run.transcript,
            progress=self._progress,
            executor=self._executor,
            limit=self._limit,
        )

    def _author_stage(self, cast: Cast, context: StageContext) -> AuthorStage:
        stage_files = self._run.stage_files
        manifest = self._run.manifest
        settings = self._preparation.config.run
        spent_targets = frozenset(manifest.spent_targets)
        return AuthorStage(
            cast.author,
            context,
            candidates=stage_files.candidates,
            rejected=stage_files.rejected,
            progress=self._progress,
            executor=self._executor,
            seed=manifest.seed,
            focus_area=settings.focus_area,
            spent_targets=spent_targets,
        )

    def _is_unfinished(self, failures: Sequence[CaseFailure]) -> bool:
        candidates = self._run.stage_files.candidates.done
        return any(failure.case in candidates for failure in failures)

    async def _release_canaries(self, cast: Cast, context: StageContext) -> tuple[CaseFailure, ...]:
        run = self._run
        stage = CanaryStage(
            cast.adversary,
            cast.judge,
            context,
            run.stage_files,
            run.canaries,
            executor=self._executor,
            seed=run.manifest.seed,
        )
        return await stage.release(run.manifest.canaries, limit=self._limit)

    def _save_unparsed(self) -> None:
        manifest = self._run.manifest
        if manifest.unparsed != self._snapshot.unparsed:
            self._run.save(manifest.without_files(self._snapshot.unparsed))

    def _show_spending(self, amount: int) -> None:
        self._progress.spend(amount / MICRO)

    def _announce_stop(self) -> None:
        # Every call under way says that it is being stopped; people need to read it once.
        if not self._has_announced_stop:
            self._has_announced_stop = True
            self._progress.note(STOPPING)
