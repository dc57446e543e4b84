"""The review events of ``human_reviews.jsonl``: one event a line, numbered, never changed.

An event is acknowledged once its line is on disk.
"""

from typing import Annotated, Literal

from pydantic import Field

from goldwright.records.answer import AnswerDraft, Evidence, FactCitation
from goldwright.records.base import FileRange, Record, is_empty, is_missing
from goldwright.records.canary import CanaryKind
from goldwright.records.label import EditedField, EditedValue, HumanVerdict

ReviewPass = Literal["first", "second", "adjudication"]
Decision = Literal["keep", "drop", "retry"]
# In characters, for notes and for the words of a decision.
LONGEST_NOTE = 4000


class ReviewEvent(Record):
    """What every event has.

    Attributes:
        number: The number of its line in the file, from 1.
        key: Drawn by the client that requests the event, so that a repeated request writes once.
        reviewer: Who gave the verdict, edit or decision.
        reviewed_at: When, in UTC.
        scripted: Whether it came through a pipe, and not from a person at a page or terminal.
        chain: The digest of the chain of the line before and of this event; the file sets it.
        schema_version: The version of the event's schema.
    """

    number: int = Field(ge=1)
    key: str = Field(min_length=1, max_length=100)
    reviewer: str = Field(min_length=1, max_length=100)
    reviewed_at: str
    scripted: bool = Field(default=False, exclude_if=is_empty)
    chain: str = ""
    schema_version: Literal["1.0.0"] = "1.0.0"


class SampledRecord(Record):
    """A record of the sample, and the digest of its content when the sample was drawn."""

    query_id: str
    content: str


class ReviewCanary(Record):
    """A falsified answer, placed among the sample under the id of a record outside it."""

    query_id: str
    kind: CanaryKind
    claim_id: str
    what: str
    answer: AnswerDraft


class SampleEvent(ReviewEvent):
    """The sample of a batch, fixed before the first verdict.

    Attributes:
        round: The round of the batch, from 1.
        population: The records that the sample was drawn from.
        drawn: The records of the sample.
        canaries: The falsified answers among them.
        extends: The number of the sample event that it adds records to, whose verdicts go on to
            count; None for a draw of its own.
    """

    event: Literal["sample"] = "sample"
    round: int = Field(ge=1)
    population: tuple[SampledRecord, ...]
    drawn: tuple[SampledRecord, ...]
    canaries: tuple[ReviewCanary, ...] = ()
    extends: int | None = Field(default=None, exclude_if=is_missing)


class VerdictEvent(ReviewEvent):
    """A person's verdict on one record.

    Attributes:
        query_id: The record.
        sitting: The review pass.
        content: The digest of the record as the person saw it; on other content the verdict does
            not count.
        verdict: The verdict.
        note: What the person wrote about it.
        disputed: The ids of the claims that the person disputes.
        seconds: How long the record was on screen.
    """

    event: Literal["verdict"] = "verdict"
    query_id: str
    sitting: ReviewPass
    content: str
    verdict: HumanVerdict
    note: str | None = Field(default=None, max_length=LONGEST_NOTE)
    disputed: tuple[str, ...] = ()
    seconds: float = Field(default=0.0, ge=0.0)


class EditEvent(ReviewEvent):
    """A person's change of one field.

    Attributes:
        query_id: The record.
        sitting: The review pass.
        content: The digest of the record as the person saw it.
        field: The field that was changed.
        before: Its value before.
        after: Its value afterwards.
        citations: The citations of all facts after the change.
        files: The expected files afterwards, where other entities or lines want other files.
        evidence: The evidence afterwards, where the person cites lines that nobody had read.
        cited_text: The digest of the text of each range that the person named.
    """

    event: Literal["edit"] = "edit"
    query_id: str
    sitting: ReviewPass
    content: str
    field: EditedField
    before: EditedValue
    after: EditedValue
    citations: tuple[FactCitation, ...]
    files: tuple[str, ...] | None = Field(default=None, exclude_if=is_missing)
    evidence: tuple[Evidence, ...] | None = Field(default=None, exclude_if=is_missing)
    cited_text: dict[str, str] = Field(default={}, exclude_if=is_empty)


class DecisionEvent(ReviewEvent):
    """A person's decision on a record outside the sample.

    Attributes:
        query_id: The record.
        sitting: The review pass.
        content: The digest of the record as the person saw it.
        decision: What becomes of it.
        words: The reason, or the hint of a retry.
    """

    event: Literal["decision"] = "decision"
    query_id: str
    sitting: ReviewPass
    content: str
    decision: Decision
    words: str = Field(default="", max_length=LONGEST_NOTE)


class LookEvent(ReviewEvent):
    """A person looked at claims whose code is not what it was; no verdict, and never taken back.

    Attributes:
        query_id: The record.
        sitting: The review pass.
        claims: The ids of the claims whose code was on screen.
    """

    event: Literal["look"] = "look"
    query_id: str
    sitting: ReviewPass
    claims: tuple[str, ...]


class ClosingEvent(ReviewEvent):
    """The last event of a batch that another one replaces; nothing can be said of it any more.

    Attributes:
        replaced_by: The run that replaces it.
    """

    event: Literal["closing"] = "closing"
    replaced_by: str


class PracticeRecord(Record):
    """A record with a known answer, for a person to practise on; no word on it counts.

    Attributes:
        place: Its place in the round, from 1.
        query_id: The record it was made of; one outside the sample.
        kind: How it was falsified; None for a record as the agents left it.
        claim_id: The claim that is false, or that answers something else; empty for a sound record.
        before: What the claim said.
        after: What it says now.
        seen_at: Where the source shows it.
        answer: The answer that is shown.
    """

    place: int = Field(ge=1)
    query_id: str
    kind: CanaryKind | None
    claim_id: str = ""
    before: str = ""
    after: str = ""
    seen_at: tuple[FileRange, ...] = ()
    answer: AnswerDraft


class TrainingEvent(ReviewEvent):
    """A person begins a training round.

    Attributes:
        sitting: The review pass that they are about to take part in.
        attempt: Which round of theirs on this batch it is, from 1.
        records: What they practise on, in the order in which it is shown.
    """

    event: Literal["training"] = "training"
    sitting: ReviewPass
    attempt: int = Field(ge=1)
    records: tuple[PracticeRecord, ...] = Field(min_length=1)


class PracticeEvent(ReviewEvent):
    """A person's word on a record of their latest training round; no verdict, never taken back.

    Attributes:
        sitting: The review pass.
        place: The place of the record in the round.
        verdict: What they would have said of it.
        right: Whether that was right, as they were told at once.
        note: What they wrote about it.
        disputed: The ids of the claims that they marked.
        seconds: How long the record was on screen.
    """

    event: Literal["practice"] = "practice"
    sitting: ReviewPass
    place: int = Field(ge=1)
    verdict: HumanVerdict
    right: bool
    note: str | None = Field(default=None, max_length=LONGEST_NOTE)
    disputed: tuple[str, ...] = ()
    seconds: float = Field(default=0.0, ge=0.0)


class TrainingSkipEvent(ReviewEvent):
    """A person does without the training round, or ends the one that they are in.

    Attributes:
        sitting: The review pass.
    """

    event: Literal["training_skip"] = "training_skip"
    sitting: ReviewPass


class UndoEvent(ReviewEvent):
    """Takes an earlier event back; both stay in the file.

    Attributes:
        undoes: The key of the earlier event.
    """

    event: Literal["undo"] = "undo"
    undoes: str


AnyReviewEvent = Annotated[
    SampleEvent
    | VerdictEvent
    | EditEvent
    | DecisionEvent
    | LookEvent
    | ClosingEvent
    | UndoEvent
    | TrainingEvent
    | PracticeEvent
    | TrainingSkipEvent,
    Field(discriminator="event"),
]
