"""Tables as Parquet files, through pyarrow, which is an extra and loads when it is used."""

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, Literal

from goldwright.errors import InputError

Columns = Mapping[str, Literal["string", "int32"]]
Row = Mapping[str, object]

ROWS_AT_ONCE: Final = 10_000


def write_table(out: Path, columns: Columns, rows: Iterable[Row]) -> None:
    """Write a table; the same rows give the same bytes with one version of pyarrow, whose name
    stands in the file.

    Raises:
        InputError: pyarrow is not there.
        OSError: The disk refused.
    """
    arrow, parquet = _pyarrow()
    schema = arrow.schema(
        [
            arrow.field(name, getattr(arrow, kind)(), nullable=False)
            for name, kind in columns.items()
        ]
    )
    rest = iter(rows)
    with parquet.ParquetWriter(str(out), schema, compression="snappy") as writer:
        while batch := list(islice(rest, ROWS_AT_ONCE)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def read_table(
    path: Path, wanted: Sequence[str], *, optional: Sequence[str] = ()
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a table with their places; of the optional columns those that are there.

    Raises:
        InputError: It cannot be read, lacks a column, or pyarrow is not there.
    """
    arrow, parquet = _pyarrow()
    try:
        with parquet.ParquetFile(str(path)) as file:
            names = file.schema_arrow.names
            missing = [name for name in wanted if name not in names]
            if missing:
                raise InputError(
                    f"{path}: wanted the columns {', '.join(wanted)}; found {', '.join(names) or 'none'}"
                )
            columns = [*wanted, *(name for name in optional if name in names)]
            rows = chain.from_iterable(
                batch.to_pylist() for batch in file.iter_batches(columns=columns)
            )
            for number, row in enumerate(rows, start=1):
                yield f"{path}: row {number}", row
    except (OSError, arrow.ArrowException) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: no Parquet file that can be read: {reason}") from error


def _pyarrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError("Parquet files need pyarrow: pip install 'goldwright[parquet]'") from error
