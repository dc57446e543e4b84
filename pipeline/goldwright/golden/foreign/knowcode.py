"""KnowCode's golden datasets: a query with a cell, expected entities and files, and facts."""

from typing import Final

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import DatasetFormat, ForeignRecord

# As long as the ids of our own records may be.
_LONGEST_QUERY_ID: Final = 200
_FIELDS: Final = frozenset({"query_id", "query_text", "expected_entities", "expected_files"})


class KnowCodeReader:
    """Entities are plain ids, objects with an ``entity_id``, or both in one list."""

    format: DatasetFormat = "knowcode"
    shape = "a JSON list of {query_id, query_text, expected_entities}"

    def claims(self, row: Row) -> bool:
        """Tell by any one of the fields that no other format has."""
        return not _FIELDS.isdisjoint(row)

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read one record; fields that are not known are ignored."""
        query_id = fields.required_text(row, "query_id", place=place, longest=_LONGEST_QUERY_ID)
        return ForeignRecord(
            query_id=query_id,
            query_text=fields.required_text(row, "query_text", place=place),
            task_type=fields.task_type(row, place=place),
            difficulty=fields.difficulty(row, place=place),
            entities=fields.entities(row, "expected_entities", place=place),
            files=fields.texts(row, "expected_files", place=place),
            must_mention_facts=_facts(row, "must_mention_facts", place=place),
            must_not_mention_facts=_facts(row, "must_not_mention_facts", place=place),
            line_ranges=fields.line_ranges(row, "expected_line_ranges", place=place),
            carries_facts=True,
        )


def _facts(row: Row, field: str, *, place: str) -> tuple[str, ...]:
    return fields.texts(row, field, place=place, longest=fields.LONGEST_QUERY)
