"""Formats that hold one JSON object for each record."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.loading import read_bytes
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange.reader_protocols import Reading, ReadRow, read_each
from goldwright.interchange.row_locations import LocatedRow, located_rows


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


def read_records(name: str, path: Path, read_row: ReadRow, *, content: str) -> Reading:
    """Read a file row by row.

    Args:
        name: The name of the format.
        path: The file.
        read_row: Reads one row.
        content: What the file holds, for messages.

    Raises:
        InputError: It cannot be read, a row is wrong, or a query id occurs twice.
    """
    reading = read_each(name, read_located_rows(path, content=content), read_row)
    check_distinct(reading.queries)
    return reading


def check_distinct(queries: Iterable[DatasetQuery]) -> None:
    """Make sure that each query has an id of its own.

    Raises:
        InputError: Two have the same; the text names both places.
    """
    places: dict[str, str] = {}
    for query in queries:
        place = query.place
        query_id = query.query_id
        if query_id in places:
            first_place = places[query_id]
            raise InputError(
                f"{place}: the query id {query_id!r} stands there a second time; "
                f"first at {first_place}"
            )
        places[query_id] = place
