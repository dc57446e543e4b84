"""What the formats have in common: a query, what it is to find, and what else a format holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

from goldwright.plan import Cell
from goldwright.records import Difficulty, FileRange, TaskType

DatasetFormat = Literal["goldwright", "knowcode", "coderag", "vaultmind"]
DATASET_FORMATS: Final[tuple[DatasetFormat, ...]] = get_args(DatasetFormat)


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """One query of a dataset as it is in the file: ids and paths are not checked, and may repeat.

    Attributes:
        query_id: The id of the query.
        query_text: The query.
        task_type: Its task type, where it is one of ours.
        difficulty: Its difficulty, where it is one of ours.
        entities: The ids or names of the expected entities.
        files: The paths of the expected files.
        must_mention_facts: What an answer has to say.
        must_not_mention_facts: What an answer must not say.
        line_ranges: The expected lines.
        carries_facts: Whether the format of the record has a place for facts.
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
        """The cell of the record, where both its task type and its difficulty are known."""
        if self.task_type is None or self.difficulty is None:
            return None
        return Cell(self.task_type, self.difficulty)


@dataclass(frozen=True, slots=True)
class ForeignDataset:
    """The records of one file, in its order."""

    format: DatasetFormat
    records: tuple[ForeignRecord, ...]


class ForeignReader(Protocol):
    """One format: how to recognise its rows, and how to read one."""

    @property
    def format(self) -> DatasetFormat:
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
