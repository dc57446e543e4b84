"""A candidate on its way through the stages, and the port of a stage."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from goldwright.records import (
    AdversaryReport,
    CompletenessReport,
    NarrativeVerdict,
    OracleAnswer,
    QueryCandidate,
)
from goldwright.stages.stage_graph import Stage

Outcome = TypeVar("Outcome")

# Where a case can end: stopped by the gate, queued for people, let through, or taken out by hand.
Ending = Literal["failed_gate", "queued", "agreed", "rejected"]


@dataclass(frozen=True, slots=True)
class CaseState:
    """A candidate with the results of the stages so far; None where a stage is still to come."""

    candidate: QueryCandidate
    answer: OracleAnswer | None = None
    passed_gate: bool = False
    report: AdversaryReport | None = None
    completeness: CompletenessReport | None = None
    verdict: NarrativeVerdict | None = None
    ending: Ending | None = None

    @property
    def query_id(self) -> str:
        """The id of the candidate and of every record about it."""
        return self.candidate.query_id

    def known_answer(self) -> OracleAnswer:
        """The answer, for stages behind the Oracle.

        Raises:
            ValueError: There is none yet; the stages are out of order.
        """
        if self.answer is None:
            raise ValueError(f"{self.query_id}: no answer yet")
        return self.answer

    def known_report(self) -> AdversaryReport:
        """The report, for stages behind the Adversary.

        Raises:
            ValueError: There is none yet; the stages are out of order.
        """
        if self.report is None:
            raise ValueError(f"{self.query_id}: no report yet")
        return self.report


class CaseStage(Protocol[Outcome]):
    """The work of one stage on a case."""

    @property
    def stage(self) -> Stage:
        """Which stage it is."""
        ...

    def recall(self, case: CaseState) -> CaseState | None:
        """The case as the stage left it earlier; None where its work is still to be done."""
        ...

    async def compute(self, case: CaseState) -> Outcome:
        """Do the work and write nothing.

        Raises:
            RoleRefusedError: The role declines this piece of work.
            QuarantineError: It cannot be finished now.
        """
        ...

    def write(self, place: int, case: CaseState, outcome: Outcome) -> CaseState:
        """Write the outcome durably and return the case as it is afterwards."""
        ...


AnyCaseStage = CaseStage[Any]


def cell_fields(candidate: QueryCandidate) -> Mapping[str, object]:
    """The fields that every record about a candidate shares."""
    return {
        "query_id": candidate.query_id,
        "task_type": candidate.task_type,
        "difficulty": candidate.difficulty,
    }


def id_field(candidate: QueryCandidate) -> Mapping[str, object]:
    """The field that a record without a cell of its own shares."""
    return {"query_id": candidate.query_id}
