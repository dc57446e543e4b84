"""A whole batch: rounds of authoring, each followed by the cases of what entered."""

from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, is_given_up, work_through
from goldwright.engine.work import Executor
from goldwright.plan import Plan
from goldwright.records import QueryCandidate
from goldwright.stages.author import AuthorStage
from goldwright.stages.case_pipeline import CasePipeline
from goldwright.stages.catalog import CASE_STAGES
from goldwright.stages.fates import survivors_by_cell
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.transcript import CellCounts, Transcript


class BatchRun:
    """Runs a plan up to the human gate; run it again over the same files and it carries on."""

    def __init__(
        self,
        plan: Plan,
        stage_files: StageFiles,
        *,
        authors: AuthorStage,
        case_pipeline: CasePipeline,
        transcript: Transcript,
        progress: Progress,
        executor: Executor,
        limit: int,
    ) -> None:
        self._plan = plan
        self._stage_files = stage_files
        self._authors = authors
        self._case_pipeline = case_pipeline
        self._transcript = transcript
        self._progress = progress
        self._executor = executor
        self._limit = limit
        self._places = 0

    async def run(self) -> tuple[CaseFailure, ...]:
        """Emit, follow and top up until every cell has its target or the rounds are used up.

        Returns:
            The cases that could not be finished; the next run of the batch tries them again.
        """
        failures: list[CaseFailure] = []
        for number in range(self._plan.top_up_rounds + 1):
            asks = self._asks(number)
            if not asks:
                break
            emission = await self._authors.emit(number, asks)
            failures.extend(emission.failures)
            failures.extend(await self._follow(emission.candidates))
            if not all(is_given_up(failure) for failure in failures):
                return tuple(failures)
        failures.extend(await self._follow(self._retries()))
        return tuple(failures)

    def _asks(self, number: int) -> CellCounts:
        """What a round asks for; a round that was begun asks for what it asked then."""
        begun = self._transcript.rounds().get(number)
        if begun is not None:
            return begun
        survivors = survivors_by_cell(self._plan, self._stage_files)
        asks = []
        for cell in self._plan.filled_cells():
            missing = self._plan.target(cell) - survivors[cell]
            if missing > 0:
                asks.append((cell, self._plan.emission(missing)))
        return tuple(asks)

    async def _follow(self, candidates: tuple[QueryCandidate, ...]) -> tuple[CaseFailure, ...]:
        first_place = self._places
        self._places += len(candidates)
        for stage in CASE_STAGES:
            self._progress.expect(stage.name, len(candidates))
        return await work_through(
            candidates,
            self._case_pipeline,
            executor=self._executor,
            limit=self._limit,
            first_place=first_place,
        )

    def _retries(self) -> tuple[QueryCandidate, ...]:
        """The attempts that a person's hint has brought."""
        candidates = self._stage_files.candidates.done.values()
        return tuple(candidate for candidate in candidates if candidate.parent is not None)
