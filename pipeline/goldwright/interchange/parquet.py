"""Tables as Parquet files, through pyarrow, which is an extra and is imported when it is used."""

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from goldwright.errors import InputError
from goldwright.interchange.fields import Row

Columns = Mapping[str, Literal["string", "int32"]]
"""The type of each column, by its name."""

# A corpus holds the source of a codebase; no more than this many rows of it are held in memory.
ROWS_AT_ONCE: Final = 10_000


def write_table(out: Path, columns: Columns, rows: Iterable[Row]) -> None:
    """Write a table.

    The same rows give the same bytes with one version of pyarrow, whose name is in the file.

    Raises:
        InputError: pyarrow is not installed.
        OSError: The disk refused.
    """
    arrow, parquet = _import_pyarrow()
    fields: list[Any] = []
    for name, kind in columns.items():
        # The functions of pyarrow for types have the names of the types.
        column_type = getattr(arrow, kind)()
        fields.append(arrow.field(name, column_type, nullable=False))
    schema = arrow.schema(fields)
    remaining_rows = iter(rows)
    with parquet.ParquetWriter(str(out), schema, compression="snappy") as writer:
        while batch := list(islice(remaining_rows, ROWS_AT_ONCE)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def read_table(
    path: Path, required: Sequence[str], *, optional: Sequence[str] = ()
) -> Iterator[tuple[str, Row]]:
    """Yield the place and the fields of each row of a table.

    Args:
        path: The file.
        required: The columns that it has to have.
        optional: Columns that are read where they are there.

    Raises:
        InputError: It cannot be read, lacks a column, or pyarrow is not installed.
    """
    arrow, parquet = _import_pyarrow()
    try:
        with parquet.ParquetFile(str(path)) as file:
            names = file.schema_arrow.names
            if not set(required) <= set(names):
                expected = ", ".join(required)
                available = ", ".join(names) or "none"
                raise InputError(f"{path}: wanted the columns {expected}; found {available}")
            present = [name for name in optional if name in names]
            columns = [*required, *present]
            number = 0
            for batch in file.iter_batches(columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}: row {number}", row
    except (OSError, arrow.ArrowException) as error:
        # Errors of Arrow go over several lines.
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: no Parquet file that can be read: {reason}") from error


def _import_pyarrow() -> tuple[Any, Any]:
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError("Parquet files need pyarrow: pip install 'goldwright[parquet]'") from error
    return arrow, parquet
