"""Every format that can be read, and which one a file has."""

from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.foreign.coderag import CodeRagReader
from goldwright.golden.foreign.knowcode import KnowCodeReader
from goldwright.golden.foreign.own_format import OwnFormatReader
from goldwright.golden.foreign.records import ForeignDataset, ForeignReader
from goldwright.golden.foreign.row_locations import LocatedRow, located_rows
from goldwright.golden.foreign.vaultmind import VaultMindReader

# Our own format comes first: its rows have the fields of KnowCode's too.
READERS: Final[tuple[ForeignReader, ...]] = (
    OwnFormatReader(),
    KnowCodeReader(),
    CodeRagReader(),
    VaultMindReader(),
)


def read_foreign(path: Path, data: bytes) -> ForeignDataset:
    """Read a dataset in whichever format it has; the first row that any format claims decides.

    Raises:
        InputError: The bytes are no dataset; one line names the file, the record and what was
            expected.
    """
    rows = located_rows(path, data)
    reader = _reader_of(rows, path)
    records = tuple(reader.record(located.row, place=located.place) for located in rows)
    return ForeignDataset(reader.format, records)


def _reader_of(rows: tuple[LocatedRow, ...], path: Path) -> ForeignReader:
    for located in rows:
        for reader in READERS:
            if reader.claims(located.row):
                return reader
    formats = "; ".join(f"{reader.format}: {reader.shape}" for reader in READERS)
    raise InputError(f"{path}: no record has the fields of a known format ({formats})")
