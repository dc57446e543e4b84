"""A whole batch: rounds of authoring, each followed by the cases of its candidates."""

from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, is_given_up, work_through
from goldwright.engine.work import Executor
from goldwright.plan import Plan
from goldwright.records import QueryCandidate
from goldwright.stages.author import AuthorStage
from goldwright.stages.case_pipeline import CasePipeline
from goldwright.stages.fates import survivors_by_cell
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import CASE_STAGES
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
        # Round 0 is the first emission; the top-ups come after it.
        for number in range(self._plan.top_up_rounds + 1):
            cell_counts = self._cell_counts(number)
            if not cell_counts:
                break
            emission = await self._authors.emit(number, cell_counts)
            failures.extend(emission.failures)
            failures.extend(await self._follow(emission.candidates))
            # A case that will be tried again may still survive, so what the next round has to add
            # is not known yet. One that is given up cannot.
            if not all(is_given_up(failure) for failure in failures):
                return tuple(failures)
        retries = self._retries()
        failures.extend(await self._follow(retries))
        return tuple(failures)

    def _cell_counts(self, number: int) -> CellCounts:
        """How many candidates a round asks of each cell that is short of its target.

        A round that was begun asks for what it asked then, whatever has survived since.
        """
        recorded_counts = self._transcript.rounds().get(number)
        if recorded_counts is not None:
            return recorded_counts
        survivors = survivors_by_cell(self._plan, self._stage_files)
        cell_counts = []
        for cell in self._plan.filled_cells():
            target = self._plan.target(cell)
            missing = target - survivors[cell]
            if missing > 0:
                count = self._plan.emission(missing)
                cell_counts.append((cell, count))
        return tuple(cell_counts)

    async def _follow(self, candidates: tuple[QueryCandidate, ...]) -> tuple[CaseFailure, ...]:
        """Take candidates through the stages behind the screen."""
        # Places go on from round to round: the stage files of all rounds are in one order.
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
        """The second attempts: candidates that a person sent back with a hint."""
        candidates = self._stage_files.candidates.done.values()
        return tuple(candidate for candidate in candidates if candidate.parent is not None)
