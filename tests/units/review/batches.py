"""Small batches in memory, and people's words on them, for the laws of the review."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from goldwright.engine.ordered_log import OrderedLog
from goldwright.plan import Cell, Plan, read_plan
from goldwright.records import (
    AnswerDraft,
    AnyReviewEvent,
    CanaryKind,
    Confidence,
    Decision,
    DecisionEvent,
    EditEvent,
    GateFailure,
    HumanVerdict,
    NarrativeVerdict,
    OracleAnswer,
    QueryCandidate,
    QueryRecord,
    QueuedRecord,
    Record,
    RejectedRecord,
    ReviewCanary,
    ReviewPass,
    SampledRecord,
    SampleEvent,
    UndoEvent,
    VerdictEvent,
)
from goldwright.review.folded_events import fold_review_events
from goldwright.review.review_state import ReviewState
from goldwright.review.spot_check import SpotCheck, spot_check
from goldwright.stages.fates import RecordFate, record_fates
from goldwright.stages.gate.examples import ANSWER
from goldwright.stages.stage_files import StageFiles
from goldwright.workspace import StageFileName

R = TypeVar("R", bound=QueryRecord)
E = TypeVar("E", bound=Record)

PHASE_1: Final = read_plan(Path(__file__).parents[3] / "plans" / "phase1.json")
NOW: Final = "2026-01-01T00:00:00Z"
STAMP: Final = {"authored_by": "agent:oracle:offline-1", "created_at": NOW}
EASY: Final = Cell("locate", "easy")
HARD: Final = Cell("explain", "hard")


class MemoryShelf(Generic[R]):
    """A stage file that nobody keeps."""

    def __init__(self, records: Iterable[R] = ()) -> None:
        self.records: list[R] = list(records)

    def append(self, record: R) -> None:
        """Keep one more."""
        self.records.append(record)


@dataclass(frozen=True)
class Made:
    """What agents made of each id: its cell, and who stands where in the funnel."""

    cells: Mapping[str, Cell]
    queued: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    low: frozenset[str] = frozenset()

    def stage_files(self) -> StageFiles:
        """Give the ledgers that say so."""
        stopped = self.queued | self.failed
        agreed = [query_id for query_id in self.cells if query_id not in stopped]
        records: Mapping[str, Iterable[Any]] = {
            StageFileName.CANDIDATES: [
                candidate(query_id, cell) for query_id, cell in self.cells.items()
            ],
            StageFileName.ORACLE_ANSWERS: [
                answer(query_id, cell, confidence="low" if query_id in self.low else "high")
                for query_id, cell in self.cells.items()
            ],
            StageFileName.VALIDATION_FAILURES: [
                _failure(query_id, self.cells[query_id]) for query_id in self.failed
            ],
            StageFileName.HUMAN_REVIEW_QUEUE: [
                _queued(query_id, self.cells[query_id]) for query_id in self.queued
            ],
            StageFileName.NARRATIVE_VERDICTS: [_agreed(query_id) for query_id in agreed],
        }

        def open_log(name: StageFileName, model: type[R]) -> OrderedLog[R]:
            del model
            return OrderedLog(MemoryShelf(records.get(name, ())))

        return StageFiles.open(open_log)


def a_plan(targets: Mapping[Cell, int], **fields: object) -> Plan:
    """Make a plan of these targets."""
    rows: dict[str, dict[str, int]] = {}
    for cell, target in targets.items():
        rows.setdefault(cell.task_type, {})[cell.difficulty] = target
    total = sum(targets.values())
    defaults = {
        "schema_version": "1.0.0",
        "name": "few",
        "total": total,
        "cells": rows,
        "minimum_total": 0,
    }
    return Plan.model_validate({**defaults, **fields})


def numbered(targets: Mapping[Cell, int]) -> dict[str, Cell]:
    """Name as many records of each cell as are wanted: q1, q2 .."""
    cells = [cell for cell, target in targets.items() for _ in range(target)]
    return {f"q{number}": cell for number, cell in enumerate(cells, start=1)}


def phase_1_cells() -> dict[str, Cell]:
    """The sixty records of the first plan: q1 .. q60."""
    return numbered({cell: PHASE_1.target(cell) for cell in PHASE_1.filled_cells()})


def candidate(query_id: str, cell: Cell) -> QueryCandidate:
    """Make a query of a cell."""
    question = {
        "query_text": f"What happens to an article that is added? ({query_id})",
        "target_entity_ids": (),
    }
    place = {"query_id": query_id, "task_type": cell.task_type, "difficulty": cell.difficulty}
    return QueryCandidate.model_validate({**question, **place, **STAMP})


def answer(query_id: str, cell: Cell, *, confidence: Confidence = "high") -> OracleAnswer:
    """Make the answer of the gate's examples to it, which the gate lets pass."""
    place = {"query_id": query_id, "task_type": cell.task_type, "difficulty": cell.difficulty}
    notes = "It is short." if confidence == "low" else None
    sure = {"confidence": confidence, "uncertainty_notes": notes}
    return OracleAnswer.model_validate({**dict(ANSWER), **sure, **place, **STAMP})


def rejected(query_id: str, cell: Cell) -> RejectedRecord:
    """Make the record of a person's having dropped one."""
    return RejectedRecord(
        query_id=query_id,
        task_type=cell.task_type,
        difficulty=cell.difficulty,
        stage="person",
        reason="dropped",
        message="no use",
        query_text="What?",
        target_entity_ids=(),
        created_at=NOW,
    )


@dataclass
class People:
    """People's words on a batch, one after the other, each on the record as its speaker sees it
    then.
    """

    plan: Plan
    stage_files: StageFiles
    events: list[AnyReviewEvent] = field(default_factory=list)

    @property
    def review_state(self) -> ReviewState:
        """Where people stand after all that was said."""
        return ReviewState(self.stage_files, fold_review_events(self.events))

    @property
    def standings(self) -> tuple[RecordFate, ...]:
        """The fates after all that was said."""
        return record_fates(self.plan, self.stage_files, self.review_state.rulings)

    @property
    def fates(self) -> dict[str, str]:
        """The fate of each record."""
        return {record.query_id: record.fate for record in self.standings}

    @property
    def check(self) -> SpotCheck:
        """What the sample says after all that was said."""
        return spot_check(self.plan, self.review_state, self.standings, seed=1)

    def draw(self, *sampled: str, canaries: Iterable[str] = (), number: int = 1) -> SampleEvent:
        """Draw these records out of all that are selected now."""
        population = [record.query_id for record in self.standings if record.fate == "pending"]
        drawn = {
            query_id: SampledRecord(query_id=query_id, content=self.seen(query_id))
            for query_id in population
        }
        event = self._made(
            SampleEvent,
            "Ada",
            round=number,
            population=tuple(drawn.values()),
            drawn=tuple(drawn[query_id] for query_id in sampled),
            canaries=tuple(map(canary, canaries)),
        )
        self.events.append(event)
        return event

    def seen(self, query_id: str, sitting: ReviewPass = "first") -> str:
        """Name the content as somebody sees it now."""
        content = self.review_state.seen_by(query_id, sitting)
        assert content is not None
        return content.digest

    def judge(
        self,
        query_id: str,
        verdict: HumanVerdict,
        sitting: ReviewPass = "first",
        *,
        content: str | None = None,
    ) -> VerdictEvent:
        """Give a verdict; every sitting has a person of its own."""
        event = self._made(
            VerdictEvent,
            SPEAKERS[sitting],
            query_id=query_id,
            sitting=sitting,
            verdict=verdict,
            content=content or self.seen(query_id, sitting),
        )
        self.events.append(event)
        return event

    def judge_both(self, query_ids: Iterable[str], verdict: HumanVerdict = "correct") -> None:
        """Give the same verdict twice on each of some records."""
        for query_id in query_ids:
            self.judge(query_id, verdict, "first")
            self.judge(query_id, verdict, "second")

    def reword(self, query_id: str, narrative: str, sitting: ReviewPass = "first") -> EditEvent:
        """Change the narrative."""
        seen = self.review_state.seen_by(query_id, sitting)
        assert seen is not None
        event = self._made(
            EditEvent,
            SPEAKERS[sitting],
            query_id=query_id,
            sitting=sitting,
            content=seen.digest,
            field="canonical_narrative",
            before=seen.answer.canonical_narrative,
            after=narrative,
            citations=seen.answer.fact_citations,
        )
        self.events.append(event)
        return event

    def decide(self, query_id: str, decision: Decision, words: str = "") -> DecisionEvent:
        """Decide on a record that was stopped."""
        event = self._made(
            DecisionEvent,
            "Ada",
            query_id=query_id,
            sitting="first",
            content=self.seen(query_id),
            decision=decision,
            words=words,
        )
        self.events.append(event)
        return event

    def take_back(self, event: AnyReviewEvent) -> UndoEvent:
        """Undo an event."""
        undone = self._made(UndoEvent, event.reviewer, undoes=event.key)
        self.events.append(undone)
        return undone

    def _made(self, model: type[E], reviewer: str, **fields: object) -> E:
        return event(model, len(self.events) + 1, reviewer, **fields)


SPEAKERS: Final[Mapping[ReviewPass, str]] = {
    "first": "Ada",
    "second": "Bob",
    "adjudication": "Cleo",
}


def event(model: type[E], number: int, reviewer: str = "Ada", **fields: object) -> E:
    """Make the event of a number, with a key of its own."""
    stamp = {"number": number, "key": f"key-{number}", "reviewer": reviewer, "reviewed_at": NOW}
    return model.model_validate({**stamp, **fields})


def people(
    targets: Mapping[Cell, int],
    agent_records: Made | None = None,
    *,
    plan: Plan | None = None,
    events: Sequence[AnyReviewEvent] = (),
) -> People:
    """Begin a review of a batch that holds what the plan wants, unless something else was made."""
    agent_records = agent_records or Made(numbered(targets))
    return People(plan or a_plan(targets), agent_records.stage_files(), list(events))


def sixty() -> tuple[People, tuple[str, ...]]:
    """The first plan's batch with one record of each of its cells drawn; gives the ids of the
    sample too.
    """
    cells = phase_1_cells()
    sampled = tuple({cell: query_id for query_id, cell in cells.items()}.values())
    review = People(PHASE_1, Made(cells).stage_files())
    review.draw(*sampled)
    return review, sampled


def canary(query_id: str, kind: CanaryKind = "false_fact") -> ReviewCanary:
    """Falsify the first fact."""
    lie = ("The amount is two when the caller gives none.", *ANSWER.must_mention_facts[1:])
    false = ANSWER.model_copy(update={"must_mention_facts": lie})
    return ReviewCanary(
        query_id=query_id,
        kind=kind,
        claim_id="fact-1",
        what="two for one",
        answer=AnswerDraft(**dict(false)),
    )


def _failure(query_id: str, cell: Cell) -> GateFailure:
    return GateFailure(
        query_id=query_id,
        task_type=cell.task_type,
        difficulty=cell.difficulty,
        failures=(),
        created_at=NOW,
    )


def _queued(query_id: str, cell: Cell) -> QueuedRecord:
    return QueuedRecord(
        query_id=query_id,
        task_type=cell.task_type,
        difficulty=cell.difficulty,
        reasons=("unsupported_claim: fact-1",),
        entity_jaccard=1.0,
        file_jaccard=1.0,
        narrative_verdict=None,
        created_at=NOW,
    )


def _agreed(query_id: str) -> NarrativeVerdict:
    said = {"query_id": query_id, "verdict": "equivalent", "reason": "Both say the same."}
    return NarrativeVerdict.model_validate({**said, **STAMP})
