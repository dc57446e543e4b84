"""Semble's annotations: a JSON list of ``{query, relevant, secondary, category}``.

Source: the files ``benchmarks/annotations/*.json`` of MinishLab/semble.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file

_FIELDS: Final = frozenset({"query", "relevant", "secondary"})
# What answers a query is worth more than what belongs to the answer.
_GRADES: Final = {"relevant": 2, "secondary": 1}


class SembleFormat:
    """Expected are files, as a whole or by their lines, of which the secondary ones count less."""

    name = "semble"
    shape = "a JSON list of {query, relevant, secondary, category}"

    def claims(self, row: Row) -> bool:
        """Tell by fields that only Semble has together."""
        return row.keys() >= _FIELDS

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the queries; each is called by its place, for they have no ids."""
        return read_each(self.name, rows, _query)


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    grades: dict[str, int] = {}
    for field, grade in _GRADES.items():
        for path in _paths(row, field, place):
            grades.setdefault(path, grade)
    query_id = place_in_file(place)
    query_text = fields.required_text(row, "query", place=place)
    strata = fields.strata(row, place=place)
    return DatasetQuery(
        query_id=query_id,
        query_text=query_text,
        expected_ids=tuple(grades),
        grades=grades,
        strata=strata,
        place=place,
    )


def _paths(row: Row, field: str, place: str) -> Iterator[str]:
    """Yield the paths of a list of paths, or of objects with a path and lines.

    Raises:
        InputError: It is no such list.
    """
    items = row.get(field)
    if not isinstance(items, list):
        kind = fields.kind_of(items)
        raise InputError(f"{place}: {field}: wanted a list, found {kind}")
    for position, item in enumerate(items):
        item_row = item if isinstance(item, dict) else {"path": item}
        item_place = f"{place}: {field}.{position}"
        yield fields.required_text(item_row, "path", place=item_place, longest=fields.LONGEST_NAME)
