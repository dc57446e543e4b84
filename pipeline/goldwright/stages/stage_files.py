"""The stage files of a run, each as a log of its records."""

from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from goldwright.engine.ordered_log import OrderedLog
from goldwright.plan import Cell
from goldwright.records import (
    AdversaryReport,
    CompletenessReport,
    GateFailure,
    NarrativeVerdict,
    OracleAnswer,
    QueryCandidate,
    QueryRecord,
    QueuedRecord,
    RejectedRecord,
)
from goldwright.workspace import StageFileName

R = TypeVar("R", bound=QueryRecord)


class OpenLog(Protocol):
    """Opens the file of a stage as a log of one type of record."""

    def __call__(self, name: StageFileName, model: type[R]) -> OrderedLog[R]:
        """Open a file."""
        ...


@dataclass(frozen=True, slots=True)
class StageFiles:
    """What the stages of a run have written so far."""

    candidates: OrderedLog[QueryCandidate]
    answers: OrderedLog[OracleAnswer]
    reports: OrderedLog[AdversaryReport]
    failures: OrderedLog[GateFailure]
    queue: OrderedLog[QueuedRecord]
    rejected: OrderedLog[RejectedRecord]
    completeness: OrderedLog[CompletenessReport]
    verdicts: OrderedLog[NarrativeVerdict]

    @classmethod
    def open(cls, open_log: OpenLog) -> Self:
        """Open every stage file."""
        return cls(
            candidates=open_log(StageFileName.CANDIDATES, QueryCandidate),
            answers=open_log(StageFileName.ORACLE_ANSWERS, OracleAnswer),
            reports=open_log(StageFileName.ADVERSARY_REPORTS, AdversaryReport),
            failures=open_log(StageFileName.VALIDATION_FAILURES, GateFailure),
            queue=open_log(StageFileName.HUMAN_REVIEW_QUEUE, QueuedRecord),
            rejected=open_log(StageFileName.REJECTED, RejectedRecord),
            completeness=open_log(StageFileName.COMPLETENESS, CompletenessReport),
            verdicts=open_log(StageFileName.NARRATIVE_VERDICTS, NarrativeVerdict),
        )

    def cell_of(self, query_id: str) -> Cell:
        """The cell of a candidate.

        Raises:
            KeyError: There is no such candidate.
        """
        candidate = self.candidates.done[query_id]
        return Cell(candidate.task_type, candidate.difficulty)

    def count(self, name: StageFileName) -> int:
        """Count the records of a file; 0 for one that no stage of a case writes."""
        logs: dict[StageFileName, OrderedLog[Any]] = {
            StageFileName.CANDIDATES: self.candidates,
            StageFileName.ORACLE_ANSWERS: self.answers,
            StageFileName.ADVERSARY_REPORTS: self.reports,
            StageFileName.VALIDATION_FAILURES: self.failures,
            StageFileName.HUMAN_REVIEW_QUEUE: self.queue,
            StageFileName.REJECTED: self.rejected,
            StageFileName.COMPLETENESS: self.completeness,
            StageFileName.NARRATIVE_VERDICTS: self.verdicts,
        }
        return len(logs[name].done) if name in logs else 0

    def release(self, place: int) -> None:
        """Settle a place in every log that follows the order of the cases.

        Candidates and rejections are written in other orders, and have no places.
        """
        case_logs = (
            self.answers,
            self.failures,
            self.reports,
            self.completeness,
            self.verdicts,
            self.queue,
        )
        for log in case_logs:
            log.settle(place, None)
