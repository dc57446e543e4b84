"""What the page sends, as strict records; anything else is refused in one line."""

from typing import Literal, Self, TypeVar

from pydantic import Field, ValidationError, field_validator, model_validator

from goldwright.errors import InputError
from goldwright.records import Decision, FileRange, HumanVerdict, Record
from goldwright.records.review_events import LONGEST_NOTE
from goldwright.records.strict_json import first_validation_problem, strict_object

KEY_PATTERN = r"^[A-Za-z0-9-]{8,64}$"


class PageRequest(Record):
    """Every ask has a key of its own, so that one that is sent twice is done once."""

    key: str = Field(pattern=KEY_PATTERN)


class RecordRequest(PageRequest):
    """An ask about one record, with what the person had on screen."""

    query_id: str = Field(min_length=1, max_length=200)
    content: str = Field(max_length=100)
    last: int = Field(ge=0)


class VerdictRequest(RecordRequest):
    """A verdict, and the claims it points at."""

    verdict: HumanVerdict
    note: str = Field(default="", max_length=LONGEST_NOTE)
    disputed: tuple[str, ...] = Field(default=(), max_length=200)
    seconds: float = Field(default=0.0, ge=0.0, le=1e7)


class DecisionRequest(RecordRequest):
    """A decision on a record that was stopped."""

    decision: Decision
    words: str = Field(default="", max_length=LONGEST_NOTE)

    @model_validator(mode="after")
    def _with_a_reason(self) -> Self:
        if self.decision == "drop" and not self.words.strip():
            raise ValueError("to drop a record wants a reason")
        return self


class EditRequest(RecordRequest):
    """Another text for one claim; an empty one takes a fact out."""

    claim_id: str = Field(max_length=40)
    text: str = Field(max_length=10_000)
    lines: FileRange | None = None

    @field_validator("lines")
    @classmethod
    def _in_order(cls, lines: FileRange | None) -> FileRange | None:
        if lines is not None and lines.start < 1:
            raise ValueError(f"lines count from 1, found {lines.start}")
        if lines is not None and lines.end < lines.start:
            raise ValueError(
                f"the last line comes before the first, found {lines.start} to {lines.end}"
            )
        return lines


class UndoRequest(PageRequest):
    """Take the last word back."""

    what: Literal["last"] = "last"


A = TypeVar("A", bound=PageRequest)


def read_ask(data: bytes, model: type[A]) -> A:
    """Read what the page sent.

    Raises:
        InputError: It is not what the page would send.
    """
    try:
        return model.model_validate_json(strict_object(data, source="the request"))
    except ValidationError as error:
        raise InputError(f"the request: {first_validation_problem(error)}") from error
