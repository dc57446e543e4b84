"""What all records have in common: they are frozen, strict, versioned and take no unknown field."""

from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION: Final = "1.0.0"

TaskType = Literal["locate", "explain", "debug", "extend", "review", "general"]
Difficulty = Literal["easy", "medium", "hard"]
TASK_TYPES: tuple[TaskType, ...] = get_args(TaskType)
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


def is_empty(value: object) -> bool:
    """Return whether a field is left out of the record's JSON: it was added later and says nothing.

    Older records then keep their bytes and digests.
    """
    return not value


def is_missing(value: object) -> bool:
    """Return whether a field that was added later is left out because it has no value at all."""
    return value is None


class Record(BaseModel):
    """A frozen value that refuses unknown fields and wrong types."""

    # Strict: "7" is no 7 and 1 is no True, so a damaged value cannot pass for a good one.
    # NaN is written as NaN, not as null: reading it back fails, and so a file refuses to take it.
    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, ser_json_inf_nan="constants"
    )

    def as_json(self) -> str:
        """Write the record as one line of JSON, fields in their declared order."""
        return self.model_dump_json(ensure_ascii=True)


class QueryRecord(Record):
    """A record about one query."""

    query_id: str = Field(min_length=1, max_length=200)


class CellRecord(QueryRecord):
    """A record that belongs to one cell of the plan."""

    task_type: TaskType
    difficulty: Difficulty


class WorkStamp(Record):
    """Who made a record, when, and at what cost.

    Two runs with the same seed may differ in ``created_at`` and ``wall_clock_s`` and nowhere else.

    Attributes:
        authored_by: The agent that made the record.
        created_at: When, in UTC, as in ``2026-04-14T12:00:00Z``.
        total_tokens: Tokens of all its calls; offline agents use none.
        usd: What its calls cost, in dollars; offline agents cost nothing.
        tool_calls: How many tools it called.
        turns: How many replies of a model it took; 1 for an offline agent.
        wall_clock_s: How long it took, in seconds.
        schema_version: The version of the record's schema.
    """

    authored_by: str
    created_at: str
    total_tokens: int = Field(default=0, ge=0)
    usd: float = Field(default=0.0, ge=0.0)
    tool_calls: int = Field(default=0, ge=0)
    turns: int = Field(default=0, ge=0)
    wall_clock_s: float = Field(default=0.0, ge=0.0)
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION


class FileRange(Record):
    """Lines ``start`` to ``end`` of a file, counted from 1, both included.

    The schema takes any integers: an invalid range is a finding of the gate, not a parse error.
    """

    file: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.start}-{self.end}"

    def contains(self, inner: "FileRange") -> bool:
        """Whether every line of another range lies in this one."""
        return self.file == inner.file and self.start <= inner.start and inner.end <= self.end
