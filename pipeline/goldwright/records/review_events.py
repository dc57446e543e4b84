"""What people write into ``human_reviews.jsonl``: one event a line, numbered, never changed.

An event is acknowledged once its line is on disk. ``key`` is drawn by who asks, so that asking
twice writes once; ``content`` is the digest of the record as the person saw it, so that a verdict
on other content is none.
"""

from typing import Annotated, Literal

from pydantic import Field

from goldwright.records.answer import AnswerDraft, FactCitation
from goldwright.records.base import Record
from goldwright.records.canary import CanaryKind
from goldwright.records.label import EditedField, HumanVerdict

ReviewPass = Literal["first", "second", "adjudication"]
Decision = Literal["keep", "drop", "retry"]
LONGEST_NOTE = 4000


class ReviewEvent(Record):
    """One line: its number in the file from 1, the key it was asked for with, who and when.

    ``chain`` is the digest of the chain of the line before and of this event; the file sets it.
    """

    number: int = Field(ge=1)
    key: str = Field(min_length=1, max_length=100)
    reviewer: str = Field(min_length=1, max_length=100)
    reviewed_at: str
    chain: str = ""
    schema_version: Literal["1.0.0"] = "1.0.0"


class SampledRecord(Record):
    """A record of the sample and the digest of its content when it was drawn."""

    query_id: str
    content: str


class ReviewCanary(Record):
    """A falsified answer that stands among the sample under the id of a record outside it."""

    query_id: str
    kind: CanaryKind
    claim_id: str
    what: str
    answer: AnswerDraft


class SampleEvent(ReviewEvent):
    """The sample of a batch, fixed before the first verdict: ``population`` records, of which these
    were drawn.
    """

    event: Literal["sample"] = "sample"
    round: int = Field(ge=1)
    population: tuple[SampledRecord, ...]
    drawn: tuple[SampledRecord, ...]
    canaries: tuple[ReviewCanary, ...] = ()


class VerdictEvent(ReviewEvent):
    """A person's verdict on one record.

    ``disputed`` are the ids of claims the person points at; ``seconds`` is how long the record was
    on screen.
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
    """A person's change of one field; ``citations`` are those of all facts afterwards."""

    event: Literal["edit"] = "edit"
    query_id: str
    sitting: ReviewPass
    content: str
    field: EditedField
    before: str | tuple[str, ...]
    after: str | tuple[str, ...]
    citations: tuple[FactCitation, ...]


class DecisionEvent(ReviewEvent):
    """A person's decision on a record outside the sample; ``words`` are the reason, or the hint of
    a retry.
    """

    event: Literal["decision"] = "decision"
    query_id: str
    sitting: ReviewPass
    content: str
    decision: Decision
    words: str = Field(default="", max_length=LONGEST_NOTE)


class UndoEvent(ReviewEvent):
    """Takes an earlier event back; both stay in the file."""

    event: Literal["undo"] = "undo"
    undoes: str


AnyReviewEvent = Annotated[
    SampleEvent | VerdictEvent | EditEvent | DecisionEvent | UndoEvent, Field(discriminator="event")
]
