"""What reading a dataset means: rows of a file, or a folder, become queries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from goldwright.golden.datasets import CorpusDocument
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange.fields import Row
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.row_locations import LocatedRow
from goldwright.text import shorten

# A file may have hundreds of fields; the first ones tell enough.
LONGEST_LIST: Final = 200


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


class WatchedRow(Mapping[str, object]):
    """A row that notes which of its fields somebody took the value of.

    Attributes:
        read: The names of these fields.
    """

    def __init__(self, row: Row) -> None:
        """Watch a row."""
        self._row = row
        self.read: set[str] = set()

    def __getitem__(self, field: str) -> object:
        self.read.add(field)
        return self._row[field]

    def __contains__(self, field: object) -> bool:
        return field in self._row

    def __iter__(self) -> Iterator[str]:
        return iter(self._row)

    def __len__(self) -> int:
        return len(self._row)


def read_each(name: str, rows: Sequence[LocatedRow], read_row: "ReadRow") -> Reading:
    """Read rows that have nothing to do with one another, and note the fields that nobody read."""
    queries: list[DatasetQuery] = []
    # A dictionary keeps the order in which the fields stand in the file.
    unread: dict[str, None] = {}
    for located in rows:
        row = WatchedRow(located.row)
        queries.append(read_row(LocatedRow(located.place, row)))
        unread_fields = [field for field in row if field not in row.read]
        unread.update(dict.fromkeys(unread_fields))
    notes = tuple(_notes_on_unread(list(unread)))
    return Reading(name, tuple(queries), notes)


def _notes_on_unread(names: Sequence[str]) -> Iterator[str]:
    if names:
        all_fields = ", ".join(map(quote_excerpt, names))
        listed = shorten(all_fields, LONGEST_LIST)
        yield f"Not read, since the format gives them no meaning: the fields {listed}."


class ReadRow(Protocol):
    """Reads one row."""

    def __call__(self, located: LocatedRow, /) -> DatasetQuery:
        """Read a row.

        Raises:
            InputError: A field has the wrong type or is missing.
        """
        ...
