"""Formats that hold one object a record: written line by line, and read with each row's place."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.foreign.row_locations import LocatedRow, located_rows
from goldwright.golden.loading import read_bytes
from goldwright.interchange.format import Fields

Reading = Callable[[LocatedRow], Fields]


def write_lines(out: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one JSON object a line, in ASCII, so that no reader splits a line elsewhere.

    Raises:
        OSError: The disk refused.
    """
    with out.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n" for row in rows)


def placed_rows(path: Path, *, what: str) -> tuple[LocatedRow, ...]:
    """Read the rows of a file: one JSON object a line, a JSON list, or a YAML list.

    Raises:
        InputError: It cannot be read, or is none of these.
    """
    return located_rows(path, read_bytes(path, what=what))


def read_rows(path: Path, read: Reading, *, what: str) -> tuple[Fields, ...]:
    """Read a file row by row.

    Raises:
        InputError: It cannot be read, a row is wrong, or a query id stands twice.
    """
    return distinct((row.place, read(row)) for row in placed_rows(path, what=what))


def distinct(placed: Iterable[tuple[str, Fields]]) -> tuple[Fields, ...]:
    """Give records of which each has a query id of its own.

    Raises:
        InputError: One has not; the text names both places.
    """
    found: dict[object, tuple[str, Fields]] = {}
    for place, fields in placed:
        name = fields["query_id"]
        if name in found:
            raise InputError(
                f"{place}: the query id {name!r} stands there a second time; first at {found[name][0]}"
            )
        found[name] = (place, fields)
    return tuple(fields for _, fields in found.values())


def called(place: str) -> str:
    """The id of a row that has none: its line or its number, as in ``line 3``."""
    return place.rpartition(": ")[2]
