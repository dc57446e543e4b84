"""The stages a candidate goes through, each written before the next begins: Oracle to agreement."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.agents.roles import Cast, RoleRefusedError
from goldwright.engine.progress import Progress
from goldwright.records import QueryCandidate
from goldwright.stages.adversary import adversary_stage
from goldwright.stages.agreement_stage import agreement_stage
from goldwright.stages.case_state import AnyCaseStage, CaseState, Ending
from goldwright.stages.completeness import completeness_stage
from goldwright.stages.context import StageContext
from goldwright.stages.gate.stage import GateStage
from goldwright.stages.oracle import oracle_stage
from goldwright.stages.stage_files import StageFiles

PASSED: Final = "passed"
"""What progress calls it when a case has got through a stage; other endings keep their names."""


@dataclass(frozen=True, slots=True)
class CasePiece:
    """The next piece of work on a case: the stage that does it, and the case so far."""

    stage: AnyCaseStage
    case: CaseState


@dataclass(frozen=True, slots=True)
class RoleRefusal:
    """The outcome of a piece whose role declines it: a matter for people, and no verdict."""

    reason: str


class CasePipeline:
    """Takes candidates through the stages behind the screen; nothing that is written is redone."""

    def __init__(
        self, cast: Cast, context: StageContext, files: StageFiles, progress: Progress
    ) -> None:
        self._files = files
        self._progress = progress
        oracle = oracle_stage(cast.oracle, context, files)
        gate = GateStage(context, files.failures, files.reports)
        adversary = adversary_stage(cast.adversary, context, files)
        completeness = completeness_stage(cast.completeness, context, files)
        self._agreement = agreement_stage(cast.judge, context, files)
        # In the order of ``CASE_STAGES``.
        self._stages: Sequence[AnyCaseStage] = (
            oracle,
            gate,
            adversary,
            completeness,
            self._agreement,
        )
        self._cases: dict[int, CaseState] = {}
        self._stages_passed: dict[int, int] = {}

    def name(self, candidate: QueryCandidate) -> str:
        """The id of the candidate."""
        return candidate.query_id

    def next_piece(self, place: int, candidate: QueryCandidate) -> CasePiece | None:
        """Find the first piece of a case whose result is not written yet."""
        if place not in self._cases:
            self._begin(place, candidate)
        while (case := self._cases[place]).ending is None:
            stage_index = self._stages_passed[place]
            stage = self._stages[stage_index]
            recalled_case = stage.recall(case)
            if recalled_case is None:
                return CasePiece(stage, case)
            self._advance(place, stage, recalled_case)
        return None

    async def compute(self, piece: CasePiece) -> object:
        """Do one piece of work and write nothing."""
        try:
            outcome: object = await piece.stage.compute(piece.case)
        except RoleRefusedError as refusal:
            return RoleRefusal(str(refusal))
        return outcome

    def write(self, place: int, piece: CasePiece, outcome: object) -> None:
        """Write the outcome of a piece; a refusal ends the case in the queue."""
        if isinstance(outcome, RoleRefusal):
            reason = f"refused: {outcome.reason}"
            self._agreement.put_in_queue(place, piece.case, (reason,))
            self._end_in_queue(place, piece.case)
        else:
            case = piece.stage.write(place, piece.case, outcome)
            self._advance(place, piece.stage, case)

    def release(self, place: int) -> None:
        """Let records behind this place be written."""
        self._files.release(place)

    def _begin(self, place: int, candidate: QueryCandidate) -> None:
        case = CaseState(candidate)
        self._cases[place] = case
        self._stages_passed[place] = 0
        if candidate.query_id in self._files.rejected.done:
            # A person took it out: it goes no further, and no stage counts it.
            self._cases[place] = replace(case, ending="rejected")
        elif candidate.query_id in self._files.queue.done:
            # It ended here in an earlier run, so progress counts it as passed everywhere before.
            for stage in self._stages[:-1]:
                self._progress.advance(stage.stage.name, PASSED)
            self._end_in_queue(place, case)

    def _advance(self, place: int, stage: AnyCaseStage, case: CaseState) -> None:
        self._cases[place] = case
        self._stages_passed[place] += 1
        outcome = _progress_outcome(case.ending)
        self._progress.advance(stage.stage.name, outcome)

    def _end_in_queue(self, place: int, case: CaseState) -> None:
        self._cases[place] = replace(case, ending="queued")
        self._progress.advance(self._agreement.stage.name, "queued")


def _progress_outcome(ending: Ending | None) -> str:
    if ending is None or ending == "agreed":
        return PASSED
    return ending
