"""What reading a dataset means: rows of a file, or a folder, become queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from goldwright.golden.datasets import CorpusDocument
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange.fields import Row
from goldwright.interchange.row_locations import LocatedRow


@dataclass(frozen=True, slots=True)
class Reading:
    """A dataset as it was read.

    Attributes:
        format: The name of its format.
        queries: Its queries, in the order of the file.
        notes: What was left out or not read, a sentence each.
        documents: The documents that stand in the file beside the queries.
    """

    format: str
    queries: tuple[DatasetQuery, ...]
    notes: tuple[str, ...] = ()
    documents: tuple[CorpusDocument, ...] = ()


class RowReader(Protocol):
    """One format of records in a file: how to recognise its rows, and how to read them."""

    @property
    def name(self) -> str:
        """The name of the format."""
        ...

    @property
    def shape(self) -> str:
        """What a file of this format holds, in a few words."""
        ...

    def claims(self, row: Row) -> bool:
        """Tell by its fields whether a row is of this format."""
        ...

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the rows of a file.

        Raises:
            InputError: A field has the wrong type or is missing; the text starts with the place of
                the row.
        """
        ...


class FolderReader(Protocol):
    """One format that is a folder: how to recognise one, and how to read it."""

    @property
    def name(self) -> str:
        """The name of the format."""
        ...

    @property
    def shape(self) -> str:
        """What a folder of this format holds, in a few words."""
        ...

    def claims_folder(self, folder: Path) -> bool:
        """Tell by its files whether a folder is of this format."""
        ...

    def read_folder(self, folder: Path) -> Reading:
        """Read a folder.

        Raises:
            InputError: It is not of this format; the text names the file and the line.
        """
        ...


def read_each(name: str, rows: Sequence[LocatedRow], read_row: "ReadRow") -> Reading:
    """Read rows that have nothing to do with one another."""
    return Reading(name, tuple(read_row(row) for row in rows))


class ReadRow(Protocol):
    """Reads one row."""

    def __call__(self, located: LocatedRow, /) -> DatasetQuery:
        """Read a row.

        Raises:
            InputError: A field has the wrong type or is missing.
        """
        ...
