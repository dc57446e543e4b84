"""KnowCode's golden datasets: ``query_id``, ``query_text``, a cell, expected entities and files,
facts.
"""

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import ForeignRecord, Format

_LONGEST_QUERY_ID = 200
_FIELDS = frozenset({"query_id", "query_text", "expected_entities", "expected_files"})


class KnowCodeReader:
    """Entities are plain ids, objects with an ``entity_id``, or both in one list."""

    format: Format = "knowcode"
    shape = "a JSON list of {query_id, query_text, expected_entities}"

    def claims(self, row: Row) -> bool:
        """Tell by any one of the fields that no other format has."""
        return not _FIELDS.isdisjoint(row)

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read one record; fields that are not known are left alone."""
        return ForeignRecord(
            query_id=fields.required_text(row, "query_id", place=place, longest=_LONGEST_QUERY_ID),
            query_text=fields.required_text(row, "query_text", place=place),
            task_type=fields.task_type(row, place=place),
            difficulty=fields.difficulty(row, place=place),
            entities=fields.entities(row, "expected_entities", place=place),
            files=fields.texts(row, "expected_files", place=place),
            must_mention_facts=fields.texts(row, "must_mention_facts", place=place, longest=fields.LONGEST_QUERY),
            must_not_mention_facts=fields.texts(
                row, "must_not_mention_facts", place=place, longest=fields.LONGEST_QUERY
            ),
            line_ranges=fields.line_ranges(row, "expected_line_ranges", place=place),
            carries_facts=True,
        )
