"""The stage files of a run, each as a log of its records."""

from dataclasses import dataclass
from typing import Any, Final, Protocol, Self, TypeVar

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
from goldwright.stages.stage_graph import CASE_STAGES
from goldwright.workspace import StageFileName

R = TypeVar("R", bound=QueryRecord)

# For each file, the attribute that holds its log, and the type of its records.
_LOGS: Final[dict[StageFileName, tuple[str, type[QueryRecord]]]] = {
    StageFileName.CANDIDATES: ("candidates", QueryCandidate),
    StageFileName.ORACLE_ANSWERS: ("answers", OracleAnswer),
    StageFileName.ADVERSARY_REPORTS: ("reports", AdversaryReport),
    StageFileName.VALIDATION_FAILURES: ("failures", GateFailure),
    StageFileName.HUMAN_REVIEW_QUEUE: ("queue", QueuedRecord),
    StageFileName.REJECTED: ("rejected", RejectedRecord),
    StageFileName.COMPLETENESS: ("completeness", CompletenessReport),
    StageFileName.NARRATIVE_VERDICTS: ("verdicts", NarrativeVerdict),
}


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
        logs: dict[str, Any] = {}
        for file, (attribute, model) in _LOGS.items():
            logs[attribute] = open_log(file, model)
        return cls(**logs)

    def cell_of(self, query_id: str) -> Cell:
        """The cell of a candidate.

        Raises:
            KeyError: There is no such candidate.
        """
        candidate = self.candidates.done[query_id]
        return Cell(candidate.task_type, candidate.difficulty)

    def count(self, name: StageFileName) -> int:
        """Count the records of a file; 0 for one that no stage of a case writes."""
        log = self._log(name)
        return 0 if log is None else len(log.done)

    def release(self, place: int) -> None:
        """Settle a place in every log that follows the order of the cases.

        Candidates and rejections are written in other orders, and have no places.
        """
        for stage in CASE_STAGES:
            for file in stage.writes:
                log = self._log(file)
                if log is not None:
                    log.settle(place, None)

    def _log(self, file: StageFileName) -> OrderedLog[Any] | None:
        """The log of a file; None for one that is no log of records."""
        if file not in _LOGS:
            return None
        attribute, _ = _LOGS[file]
        log: OrderedLog[Any] = getattr(self, attribute)
        return log
