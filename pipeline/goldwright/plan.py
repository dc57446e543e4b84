"""The stratification plan: how many records each cell of (task type, difficulty) is to hold.

The plan is an input. It is validated before anything runs, and its digest stands in the manifest.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, Self

from pydantic import Field, ValidationError, model_validator

from goldwright.canonical import digest
from goldwright.errors import InputError
from goldwright.records import DIFFICULTIES, TASK_TYPES, Difficulty, Record, TaskType
from goldwright.records.strict_json import first_validation_problem, strict_object


class Cell(NamedTuple):
    """One (task type, difficulty) pair."""

    task_type: TaskType
    difficulty: Difficulty

    def __str__(self) -> str:
        return f"{self.task_type}/{self.difficulty}"


class Plan(Record):
    """Target counts by cell, and the rules of emission and completeness that go with them.

    ``over_emission`` is the factor (1..3) by which Authors emit more than the target;
    ``minimum_total`` and ``minimum_cell_share`` (0..1) say when a batch is complete enough to
    bless. ``is_return`` marks a run of records that were blessed before and came back, each to be
    decided by itself. ``sample_share`` (0..1) is the part that people review, with
    ``sample_every_cell`` one record of each cell at least; ``major_ceiling`` and ``minor_ceiling``
    (0..1) are rates that what they find must stay below.
    """

    schema_version: Literal["1.0.0"]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    total: int = Field(ge=1, le=10_000)
    cells: Mapping[TaskType, Mapping[Difficulty, int]]
    over_emission: float = Field(default=1.5, ge=1.0, le=3.0)
    top_up_rounds: int = Field(default=2, ge=0, le=10)
    minimum_total: int = Field(ge=0)
    minimum_cell_share: float = Field(default=0.8, ge=0.0, le=1.0)
    sample_share: float = Field(default=0.15, gt=0.0, le=1.0)
    sample_every_cell: bool = True
    is_return: bool = False
    major_ceiling: float = Field(default=0.05, gt=0.0, le=0.05)
    minor_ceiling: float = Field(default=0.15, gt=0.0, le=0.15)

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        counts = [count for row in self.cells.values() for count in row.values()]
        if any(count < 0 for count in counts):
            raise ValueError("cells: a target below 0")
        if sum(counts) != self.total:
            raise ValueError(f"total: says {self.total}, but the cells add up to {sum(counts)}")
        if self.minimum_total > self.total:
            raise ValueError(
                f"minimum_total: {self.minimum_total} is more than the total of {self.total}"
            )
        return self

    def target(self, cell: Cell) -> int:
        """The number of records wanted in a cell; 0 where the plan does not name it."""
        return self.cells.get(cell.task_type, {}).get(cell.difficulty, 0)

    def filled_cells(self) -> Iterator[Cell]:
        """The cells with a target above 0, in the order of task types and difficulties."""
        for task_type in TASK_TYPES:
            for difficulty in DIFFICULTIES:
                cell = Cell(task_type, difficulty)
                if self.target(cell):
                    yield cell

    def emission(self, count: int) -> int:
        """How many candidates an Author emits for ``count`` wanted records."""
        return math.ceil(count * self.over_emission - 1e-9)

    def minimum(self, cell: Cell) -> int:
        """The fewest records with which a cell counts as filled."""
        return math.ceil(self.target(cell) * self.minimum_cell_share - 1e-9)

    def content_digest(self) -> str:
        """Name the plan by its content."""
        return digest(self.model_dump(mode="json"))


def read_plan(path: Path) -> Plan:
    """Read and validate a plan file.

    Raises:
        InputError: The file cannot be read, is not strict JSON or is not a valid plan.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot read the plan: {error.strerror}") from error
    try:
        return Plan.model_validate_json(strict_object(data, source=str(path)))
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error)}") from error
