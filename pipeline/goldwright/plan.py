"""The stratification plan: how many records each cell of (task type, difficulty) should hold.

The plan is an input. It is validated before anything runs, and the manifest holds its digest.
"""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

from pydantic import Field, ValidationError, model_validator

from goldwright.canonical import digest
from goldwright.errors import InputError
from goldwright.records import DIFFICULTIES, TASK_TYPES, Difficulty, Record, TaskType
from goldwright.records.base import is_empty
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import read_regular, why_unreadable
from goldwright.strict_json import strict_object

# Without it 10 * 1.1, which is 11.000000000000002 in floating point, would round up to 12.
_ROUNDING_SLACK: Final = 1e-9
# Of the total, where a plan does not say with how many records a batch is complete enough.
_USUAL_SHARE: Final = 0.9


class Cell(NamedTuple):
    """One (task type, difficulty) pair."""

    task_type: TaskType
    difficulty: Difficulty

    def __str__(self) -> str:
        return f"{self.task_type}/{self.difficulty}"


# Names of plans have at most 40 characters.
_REDUCED: Final = "-filled"
_LONGEST_STEM: Final = 40 - len(_REDUCED)


def _usual_minimum(fields: Mapping[str, Any]) -> int:
    """Give nine records of ten; a total that is refused has no minimum, and needs none."""
    return _round_up(fields.get("total", 0) * _USUAL_SHARE)


class Plan(Record):
    """Target counts by cell, and the rules of emission, completeness and review.

    Attributes:
        schema_version: The version of this schema.
        name: What runs of the plan are named after.
        total: The number of records over all cells.
        cells: The number of records of each cell; a cell that is not named has none.
        over_emission: The factor (1..3) by which Authors emit more candidates than the target.
        top_up_rounds: How often cells that are short are filled up again.
        minimum_total: The fewest records with which a batch is complete enough to bless; nine of
            ten where none is given.
        minimum_cell_share: The share (0..1) of its target with which a cell counts as filled.
        sample_share: The share (0..1) of the records that people review.
        sample_every_cell: Whether they review one record of each cell at least.
        is_return: Whether this is a run of records that were blessed before and came back, each to
            be decided by itself.
        is_addition: Whether its records are added to the newest version, and so ask about other
            entities than that version does.
        major_ceiling: The rate (0..1) that major issues in the sample must stay below.
        minor_ceiling: The rate (0..1) that minor issues in the sample must stay below.
    """

    schema_version: Literal["1.0.0"]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    total: int = Field(ge=1, le=10_000)
    cells: Mapping[TaskType, Mapping[Difficulty, int]]
    over_emission: float = Field(default=1.5, ge=1.0, le=3.0)
    top_up_rounds: int = Field(default=2, ge=0, le=10)
    minimum_total: int = Field(default_factory=_usual_minimum, ge=0)
    minimum_cell_share: float = Field(default=0.8, ge=0.0, le=1.0)
    sample_share: float = Field(default=0.15, gt=0.0, le=1.0)
    sample_every_cell: bool = True
    is_return: bool = False
    # Left out where it is false, so that other plans keep their digests.
    is_addition: bool = Field(default=False, exclude_if=is_empty)
    # The defaults are the highest values too: a plan may be stricter and never more lenient.
    major_ceiling: float = Field(default=0.05, gt=0.0, le=0.05)
    minor_ceiling: float = Field(default=0.15, gt=0.0, le=0.15)

    @property
    def is_adopted(self) -> bool:
        """Whether its records came from a dataset of others, with answers of their own."""
        return self.is_return and self.name == "adopt"

    @model_validator(mode="after")
    def _check_totals(self) -> Self:
        targets = [target for row in self.cells.values() for target in row.values()]
        if any(target < 0 for target in targets):
            raise ValueError("cells: a target below 0")
        if sum(targets) != self.total:
            raise ValueError(f"total: says {self.total}, but the cells add up to {sum(targets)}")
        if self.minimum_total > self.total:
            raise ValueError(
                f"minimum_total: {self.minimum_total} is more than the total of {self.total}"
            )
        return self

    # Plans may name cells with a target of 0, or leave them out; both mean the same.
    def target(self, cell: Cell) -> int:
        """The number of records a cell should hold; 0 where the plan does not name it."""
        row = self.cells.get(cell.task_type, {})
        return row.get(cell.difficulty, 0)

    def filled_cells(self) -> Iterator[Cell]:
        """The cells with a target above 0, in the order of task types and difficulties."""
        for task_type in TASK_TYPES:
            for difficulty in DIFFICULTIES:
                cell = Cell(task_type, difficulty)
                if self.target(cell):
                    yield cell

    def reduced_to(self, counts: Mapping[Cell, int]) -> Self:
        """Give a plan that asks for no more than there is, and is as strict in all else.

        Args:
            counts: How many records each cell is to hold; never more than now.

        Raises:
            InputError: They are none.
        """
        rows: dict[TaskType, dict[Difficulty, int]] = {}
        for cell in self.filled_cells():
            count = min(counts.get(cell, 0), self.target(cell))
            if count:
                rows.setdefault(cell.task_type, {})[cell.difficulty] = count
        if not rows:
            raise InputError(f"{self.name}: no cell is filled, so there is no plan to be filled")
        total = sum(sum(row.values()) for row in rows.values())
        fields = self.model_dump(mode="json", exclude_defaults=True)
        fields |= {
            "name": f"{self.name[:_LONGEST_STEM]}{_REDUCED}",
            "total": total,
            "cells": rows,
        }
        fields["minimum_total"] = min(self.minimum_total, total)
        return type(self).model_validate_json(json.dumps(fields))

    def emission(self, count: int) -> int:
        """How many candidates an Author emits where ``count`` records are needed."""
        return _round_up(count * self.over_emission)

    def minimum(self, cell: Cell) -> int:
        """The fewest records with which a cell counts as filled."""
        return _round_up(self.target(cell) * self.minimum_cell_share)

    def content_digest(self) -> str:
        """Name the plan by its content."""
        return digest(self.model_dump(mode="json"))


_SHAPE: Final = (
    'a plan looks like {"schema_version": "1.0.0", "name": "mine", "total": 4, '
    '"cells": {"locate": {"easy": 4}}}'
)


def read_plan(path: Path) -> Plan:
    """Read and validate a plan file.

    Raises:
        InputError: The file cannot be read, is not strict JSON or is not a valid plan.
    """
    try:
        data = read_regular(path)
    except OSError as error:
        raise InputError(f"{path}: cannot read the plan: {why_unreadable(path, error)}") from error
    try:
        return Plan.model_validate_json(strict_object(data, source=str(path)))
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error, Plan)}; {_SHAPE}") from error


def _round_up(number: float) -> int:
    return math.ceil(number - _ROUNDING_SLACK)
