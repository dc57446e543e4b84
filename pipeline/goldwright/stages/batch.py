"""A whole batch: rounds of authoring, each followed by the casework of what entered."""

from typing import Final

from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, is_given_up, work_through
from goldwright.plan import Plan
from goldwright.records import QueryCandidate
from goldwright.stages.author import Asks, AuthorStage
from goldwright.stages.case_pipeline import CasePipeline, StageFiles
from goldwright.stages.fates import survivors_by_cell
from goldwright.stages.transcript import Transcript

CASE_STAGES: Final = ("oracle", "gate", "adversary", "agreement")


class BatchRun:
    """Runs a plan up to the human gate; run it again over the same files and it carries on."""

    def __init__(
        self,
        plan: Plan,
        stage_files: StageFiles,
        *,
        authors: AuthorStage,
        casework: CasePipeline,
        transcript: Transcript,
        progress: Progress,
        limit: int,
    ) -> None:
        self._plan = plan
        self._stage_files = stage_files
        self._authors = authors
        self._casework = casework
        self._transcript = transcript
        self._progress = progress
        self._limit = limit
        self._places = 0

    async def run(self) -> tuple[CaseFailure, ...]:
        """Emit, follow and top up until every cell has its target or the rounds are used up.

        Returns:
            The cases that could not be finished; the next run of the batch tries them again.
        """
        failed: list[CaseFailure] = []
        for number in range(self._plan.top_up_rounds + 1):
            asks = self._asks(number)
            if not asks:
                break
            candidates, unwritten = await self._authors.emit(number, asks)
            failed.extend((*unwritten, *await self._follow(candidates)))
            if any(not is_given_up(one) for one in failed):
                return tuple(failed)
        failed.extend(await self._follow(self._second_attempts()))
        return tuple(failed)

    def _asks(self, number: int) -> Asks:
        """What a round asks for; a round that was begun asks for what it asked then."""
        known = self._transcript.rounds().get(number)
        if known is not None:
            return known
        have = survivors_by_cell(self._plan, self._stage_files)
        short = ((cell, self._plan.target(cell) - have[cell]) for cell in self._plan.filled_cells())
        return tuple((cell, self._plan.emission(missing)) for cell, missing in short if missing > 0)

    async def _follow(self, candidates: tuple[QueryCandidate, ...]) -> tuple[CaseFailure, ...]:
        base = self._places
        self._places += len(candidates)
        for stage in CASE_STAGES:
            self._progress.expect(stage, len(candidates))
        return await work_through(
            candidates,
            lambda place, candidate: self._casework.follow(base + place, candidate),
            name=lambda candidate: candidate.query_id,
            release=lambda place: self._stage_files.release(base + place),
            limit=self._limit,
        )

    def _second_attempts(self) -> tuple[QueryCandidate, ...]:
        return tuple(
            one for one in self._stage_files.candidates.done.values() if one.parent is not None
        )
