"""KnowCode's golden datasets: a query with a cell, expected entities and files, and facts.

``convert --from`` writes what it cannot fill up to a record of ours in this form, with the grades
and strata that its source has.
"""

from collections.abc import Sequence
from typing import Final

from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow

# As long as the ids of our own records may be.
_LONGEST_QUERY_ID: Final = 200
_FIELDS: Final = frozenset({"query_id", "expected_entities", "expected_files"})


class KnowCodeFormat:
    """Entities are plain ids, objects with an ``entity_id``, or both in one list."""

    name = "knowcode"
    shape = "a JSON list of {query_id, query_text, expected_entities}"

    def claims(self, row: Row) -> bool:
        """Tell by the name of the query and one of the others; ``expected`` is no field of it."""
        if "query_text" not in row or "expected" in row:
            return False
        return not _FIELDS.isdisjoint(row)

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the records; fields that are not known are ignored."""
        return read_each(self.name, rows, _query)


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    query_id = fields.required_text(row, "query_id", place=place, longest=_LONGEST_QUERY_ID)
    query_text = fields.required_text(row, "query_text", place=place)
    strata = fields.strata(row, place=place)
    entity_ids = fields.entities(row, "expected_entities", place=place)
    files = fields.texts(row, "expected_files", place=place)
    line_ranges = fields.line_ranges(row, "expected_line_ranges", place=place)
    narrative = fields.long_text(row, "canonical_narrative", place=place)
    grades = fields.grades(row, place=place)
    must_mention = _facts(row, "must_mention_facts", place=place)
    must_not_mention = _facts(row, "must_not_mention_facts", place=place)
    # Where nothing smaller is expected, the files are.
    expected_ids = entity_ids or files
    return DatasetQuery(
        query_id=query_id,
        query_text=query_text,
        expected_ids=expected_ids,
        names_entities=bool(entity_ids),
        expected_files=files,
        grades=grades,
        strata=strata,
        must_mention_facts=must_mention,
        must_not_mention_facts=must_not_mention,
        expected_line_ranges=line_ranges,
        canonical_narrative=narrative,
        carries_facts=True,
        place=place,
    )


def _facts(row: Row, field: str, *, place: str) -> tuple[str, ...]:
    return fields.texts(row, field, place=place, longest=fields.LONGEST_QUERY)
