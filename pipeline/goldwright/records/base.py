"""What every record has in common: frozen, strict, versioned, with no unknown field."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION: Final = "1.0.0"

TaskType = Literal["locate", "explain", "debug", "extend", "review", "general"]
Difficulty = Literal["easy", "medium", "hard"]
TASK_TYPES: tuple[TaskType, ...] = ("locate", "explain", "debug", "extend", "review", "general")
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")


class Record(BaseModel):
    """A frozen value that refuses unknown fields and wrong types."""

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
    """A record that stands in one cell of the plan."""

    task_type: TaskType
    difficulty: Difficulty


class WorkStamp(Record):
    """Who made a record, when, and what it cost.

    ``usd`` is in dollars, ``wall_clock_s`` in seconds; offline agents cost nothing.
    ``created_at`` and ``wall_clock_s`` are the only fields that two runs of one seed may differ in.
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
    """Lines ``start`` to ``end`` of a file, 1-based and inclusive.

    The schema takes any integers: whether a range is valid is a finding of the gate, not a parse
    error.
    """

    file: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.start}-{self.end}"

    def contains(self, other: "FileRange") -> bool:
        """Tell whether every line of the other range lies in this one."""
        return self.file == other.file and self.start <= other.start and other.end <= self.end
