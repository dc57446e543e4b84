"""What the page sends, as strict records; anything else is refused in one line."""

from typing import Literal, Self, TypeVar

from pydantic import Field, ValidationError, field_validator, model_validator

from goldwright.errors import InputError
from goldwright.records import Decision, FileRange, HumanVerdict, Record
from goldwright.records.answer import Role
from goldwright.records.review_events import LONGEST_NOTE
from goldwright.records.validation_problems import first_validation_problem
from goldwright.strict_json import strict_object

KEY_PATTERN = r"^[A-Za-z0-9-]{8,64}$"


class PageRequest(Record):
    """The body of a request. Its key makes sure that one that is sent twice is carried out once."""

    key: str = Field(pattern=KEY_PATTERN)


class RecordRequest(PageRequest):
    """A request about one record.

    Attributes:
        query_id: The record.
        content: The digest of the content that the person had on screen.
        last: The number of the last event on the record that the page knew of.
    """

    query_id: str = Field(min_length=1, max_length=200)
    content: str = Field(max_length=100)
    last: int = Field(ge=0)


class VerdictRequest(RecordRequest):
    """A verdict; ``disputed`` are the ids of the claims at fault."""

    verdict: HumanVerdict
    note: str = Field(default="", max_length=LONGEST_NOTE)
    disputed: tuple[str, ...] = Field(default=(), max_length=200)
    # 1e7 seconds are about four months, longer than any tab stays open.
    seconds: float = Field(default=0.0, ge=0.0, le=1e7)


class DecisionRequest(RecordRequest):
    """A decision on a record that was stopped; ``words`` are the hint or the reason."""

    decision: Decision
    words: str = Field(default="", max_length=LONGEST_NOTE)

    @model_validator(mode="after")
    def _needs_a_reason(self) -> Self:
        if self.decision == "drop" and not self.words.strip():
            raise ValueError("to drop a record wants a reason")
        return self


class EditRequest(RecordRequest):
    """A new text for one part of a record; an empty one removes a fact or an entity.

    Attributes:
        claim_id: The claim, ``question``, or as in ``entity-new`` one more.
        text: Its text; for an entity, why it is expected.
        lines: The lines of a fact or a range; a range without lines is removed.
        entity_id: The entity to add.
        role: The role of the entity.
    """

    claim_id: str = Field(max_length=40)
    text: str = Field(max_length=10_000)
    lines: FileRange | None = None
    entity_id: str | None = Field(default=None, max_length=1000)
    role: Role | None = None

    @field_validator("lines")
    @classmethod
    def _are_in_order(cls, lines: FileRange | None) -> FileRange | None:
        if lines is None:
            return None
        if lines.start < 1:
            raise ValueError(f"lines count from 1, found {lines.start}")
        if lines.end < lines.start:
            raise ValueError(
                f"the last line comes before the first, found {lines.start} to {lines.end}"
            )
        return lines


class LookRequest(PageRequest):
    """A person confirms that they looked at the old and new code of claims that changed."""

    query_id: str = Field(min_length=1, max_length=200)
    claims: tuple[str, ...] = Field(min_length=1, max_length=200)


class TrainingRequest(PageRequest):
    """Begin a training round, or do without one."""

    what: Literal["begin", "skip"]


class UndoRequest(PageRequest):
    """Undo the last event of the reviewer."""

    what: Literal["last"] = "last"


RequestT = TypeVar("RequestT", bound=PageRequest)


def parse_page_request(data: bytes, model: type[RequestT]) -> RequestT:
    """Read the body of a request.

    Raises:
        InputError: It is not what the page would send.
    """
    try:
        return model.model_validate_json(strict_object(data, source="the request"))
    except ValidationError as error:
        raise InputError(f"the request: {first_validation_problem(error)}") from error
