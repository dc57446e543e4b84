"""Every format that can be read, and finding out which one a file has."""

from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.foreign.coderag import CodeRag
from goldwright.golden.foreign.knowcode import KnowCode
from goldwright.golden.foreign.model import ForeignDataset, Reader
from goldwright.golden.foreign.own import Own
from goldwright.golden.foreign.rows import PlacedRow, rows_of
from goldwright.golden.foreign.vaultmind import VaultMind

READERS: Final[tuple[Reader, ...]] = (Own(), KnowCode(), CodeRag(), VaultMind())


def read_foreign(path: Path, data: bytes) -> ForeignDataset:
    """Read a dataset in whichever format it has; the first row that any format claims decides.

    Raises:
        InputError: The bytes are no dataset; one line names the file, the record and what was wanted.
    """
    rows = rows_of(path, data)
    reader = _reader_of(rows, path)
    return ForeignDataset(reader.format, tuple(reader.record(one.row, place=one.place) for one in rows))


def _reader_of(rows: tuple[PlacedRow, ...], path: Path) -> Reader:
    for one in rows:
        for reader in READERS:
            if reader.claims(one.row):
                return reader
    known = "; ".join(f"{reader.format}: {reader.shape}" for reader in READERS)
    raise InputError(f"{path}: no record has the fields of a known format ({known})")
