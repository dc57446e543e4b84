"""Formats that hold one JSON object for each record."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.foreign.row_locations import LocatedRow, located_rows
from goldwright.golden.loading import read_bytes
from goldwright.interchange.format import Fields

RowReader = Callable[[LocatedRow], Fields]
"""Takes the fields of a record from a row."""


def write_json_lines(out: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one JSON object a line, in ASCII, so that no reader splits a line elsewhere.

    Raises:
        OSError: The disk refused.
    """
    with out.open("w", encoding="ascii", newline="\n") as file:
        for row in rows:
            line = json.dumps(row, ensure_ascii=True, allow_nan=False)
            file.write(f"{line}\n")


def read_located_rows(path: Path, *, content: str) -> tuple[LocatedRow, ...]:
    """Read the rows of a file: one JSON object a line, a JSON list, or a YAML list.

    Raises:
        InputError: It cannot be read, or is none of these.
    """
    return located_rows(path, read_bytes(path, content=content))


def read_records(path: Path, read_row: RowReader, *, content: str) -> tuple[Fields, ...]:
    """Read a file row by row.

    Raises:
        InputError: It cannot be read, a row is wrong, or a query id occurs twice.
    """
    rows = read_located_rows(path, content=content)
    return distinct_records((row.place, read_row(row)) for row in rows)


def distinct_records(located: Iterable[tuple[str, Fields]]) -> tuple[Fields, ...]:
    """Give records, after making sure that each has a query id of its own.

    Args:
        located: The place and the fields of each record.

    Raises:
        InputError: Two have the same; the text names both places.
    """
    places: dict[object, str] = {}
    records: list[Fields] = []
    for place, fields in located:
        query_id = fields["query_id"]
        if query_id in places:
            raise InputError(
                f"{place}: the query id {query_id!r} stands there a second time; "
                f"first at {places[query_id]}"
            )
        places[query_id] = place
        records.append(fields)
    return tuple(records)
