"""What the formats have in common: a query, what it is to find, and as much of the rest as a format
carries.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

from goldwright.plan import Cell
from goldwright.records import Difficulty, FileRange, TaskType

Format = Literal["goldwright", "knowcode", "coderag", "vaultmind"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """One query of a dataset, as it stands there: ids and paths are not checked, and may repeat.

    ``carries_facts`` tells whether the record's format has a place for facts.
    """

    query_id: str
    query_text: str
    task_type: TaskType | None = None
    difficulty: Difficulty | None = None
    entities: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    must_mention_facts: tuple[str, ...] = ()
    must_not_mention_facts: tuple[str, ...] = ()
    line_ranges: tuple[FileRange, ...] = ()
    carries_facts: bool = False

    @property
    def cell(self) -> Cell | None:
        """The cell the record stands in, where both halves of it are known."""
        if self.task_type is None or self.difficulty is None:
            return None
        return Cell(self.task_type, self.difficulty)


@dataclass(frozen=True, slots=True)
class ForeignDataset:
    """The records of one file, in its order."""

    format: Format
    records: tuple[ForeignRecord, ...]


class ForeignReader(Protocol):
    """One format: how to know its rows, and how to read one."""

    @property
    def format(self) -> Format:
        """The name of the format."""
        ...

    @property
    def shape(self) -> str:
        """What a file of this format holds, in a few words."""
        ...

    def claims(self, row: Mapping[str, object]) -> bool:
        """Tell by its fields whether a row is of this format."""
        ...

    def record(self, row: Mapping[str, object], *, place: str) -> ForeignRecord:
        """Read one row.

        Raises:
            InputError: A field has the wrong type or the query is missing; the text starts with
                ``place``.
        """
        ...
