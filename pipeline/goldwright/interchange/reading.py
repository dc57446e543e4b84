"""Reading a dataset in whichever format it has."""

from pathlib import Path

from goldwright.errors import InputError
from goldwright.interchange.catalog import FOLDER_READERS, QUERY_LIST, READABLE, ROW_READERS, TABLE
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.reader_protocols import Reading, RowReader
from goldwright.interchange.row_locations import LocatedRow, located_rows
from goldwright.text import shorten


def read_file(path: Path, data: bytes, fields: FieldMapping | None = None) -> Reading:
    """Read a file; the first row that any format claims decides which format it is.

    With names of fields, it is a list or a table, whatever else its rows look like.

    Raises:
        InputError: The bytes are no dataset; one line names the file, the record and what was
            expected.
    """
    if TABLE.claims_file(path):
        return TABLE.read_file(path, data, fields)
    rows = located_rows(path, data)
    if fields is not None:
        return QUERY_LIST.read_rows([fields.apply(row) for row in rows])
    return _reader_of(rows, path).read_rows(rows)


def read_folder(folder: Path) -> Reading:
    """Read a folder of queries and judgements.

    Raises:
        InputError: It is none, or a file in it is wrong.
    """
    for reader in FOLDER_READERS:
        if reader.claims_folder(folder):
            return reader.read_folder(folder)
    shapes = "; ".join(f"{reader.name}: {reader.shape}" for reader in FOLDER_READERS)
    raise InputError(f"{folder}: no folder of a known format ({shapes})")


def _reader_of(rows: tuple[LocatedRow, ...], path: Path) -> RowReader:
    for located in rows:
        for reader in ROW_READERS:
            if reader.claims(located.row):
                return reader
    field_names = [quote_excerpt(name) for name in rows[0].row]
    names = ", ".join(field_names) or "none"
    shown_names = shorten(names, 200)
    formats = ", ".join(READABLE)
    raise InputError(
        f"{path}: fields of no known format, found {shown_names}; wanted 'query' and "
        f"'expected' (or --fields query=NAME,expected=NAME), or those of {formats}"
    )
