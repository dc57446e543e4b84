"""A list that somebody wrote by hand, or any list of a query and what it is to find.

The shortest has two fields a query::

    - query: Where are prices added up?
      expected: shop/basket.py::Basket.total

or is a mapping from question to answer. Field names are taken in many spellings, because every
project has its own.
"""

from collections.abc import Sequence
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file
from goldwright.snapshot.entities import entity_id

QUERY_NAMES: Final = ("query", "question", "query_text", "text", "prompt", "input")
EXPECTED_NAMES: Final = (
    "expected",
    "expected_ids",
    "expected_entities",
    "expected_files",
    "expected_paths",
    "expected_docs",
    "expected_chunks",
    "expected_sources",
    "expected_doc_ids",
    "expected_chunk_ids",
    "expect_paths",
    "relevant",
    "relevant_ids",
    "relevant_docs",
    "relevant_document_ids",
    "gold",
    "gold_ids",
    "ground_truth_sources",
    "cited_doc_ids",
    "answers",
    "target",
    "targets",
    "entities",
    "files",
    "documents",
)
ID_NAMES: Final = ("id", "_id", "query_id", "qid", "name", "query-id")
FACT_NAMES: Final = ("must_mention_facts", "facts")


class QueryListFormat:
    """Expected is one id, a list of them, or a mapping from id to grade."""

    name = "list"
    shape = "a YAML or JSON list of {query, expected[, id, facts, strata, grades]}"

    def claims(self, row: Row) -> bool:
        """Tell by a query and something that is expected, under any of their names."""
        has_query = find_field(row, QUERY_NAMES) is not None
        return has_query and find_field(row, EXPECTED_NAMES) is not None

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the queries."""
        return read_each(self.name, rows, _query)


def find_field(row: Row, names: Sequence[str]) -> str | None:
    """Find the first of some names that a row has, whatever its capitals."""
    spellings = {field.lower(): field for field in row}
    for name in names:
        if name in spellings:
            return spellings[name]
    return None


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    query_field = find_field(row, QUERY_NAMES) or QUERY_NAMES[0]
    query_text = fields.required_text(row, query_field, place=place)
    expected_field = find_field(row, EXPECTED_NAMES)
    if expected_field is None:
        names = ", ".join(quote_excerpt(field) for field in row)
        raise InputError(f"{place}: wanted a field 'expected', found {names}")
    grades = fields.grades(row, place=place)
    value = row[expected_field]
    if not isinstance(value, dict):
        expected = _expected(row, expected_field, place)
    elif any(isinstance(item, list) for item in value.values()):
        # Lists by kind, as in {paths: [...], symbols: [...]}.
        expected = tuple(
            identifier for kind in value for identifier in _expected(value, kind, place)
        )
    else:
        grades = fields.grades({"grades": value}, place=place)
        expected = fields.relevant_ids(grades)
    line_ranges = fields.line_ranges(row, "expected_line_ranges", place=place)
    query_id = _query_id(row, place)
    expected_ids = tuple(dict.fromkeys(expected))
    strata = fields.strata(row, place=place)
    must_mention = _facts(row, FACT_NAMES, place)
    must_not_mention = _facts(row, ("must_not_mention_facts",), place)
    carries_facts = find_field(row, FACT_NAMES) is not None
    return DatasetQuery(
        query_id=query_id,
        query_text=query_text,
        expected_ids=expected_ids,
        grades=grades,
        strata=strata,
        must_mention_facts=must_mention,
        must_not_mention_facts=must_not_mention,
        expected_line_ranges=line_ranges,
        carries_facts=carries_facts,
        place=place,
    )


def _expected(row: Row, field: str, place: str) -> tuple[str, ...]:
    """Read one id, or a list of ids or of objects with an ``entity_id``."""
    value = row[field]
    if isinstance(value, int) and not isinstance(value, bool):
        # Documents are numbers in many collections.
        return (str(value),)
    if isinstance(value, str):
        return fields.texts_or_text(row, field, place=place)
    if isinstance(value, list):
        items = [_plain_item(item) for item in value]
        return fields.entities({field: items}, field, place=place)
    return fields.entities(row, field, place=place)


def _plain_item(item: object) -> object:
    """Write an item as an id, where it is a number or an object that names a file and a symbol.

    Anything else stays as it is, to be refused by its place.
    """
    if type(item) is int:
        return str(item)
    if not isinstance(item, dict) or "entity_id" in item:
        return item
    known_id = next((item[name] for name in ("id", "doc_id", "document") if name in item), None)
    if known_id is not None:
        return str(known_id) if type(known_id) is int else known_id
    path = item.get("file", item.get("path"))
    symbol = item.get("symbol", item.get("function"))
    if isinstance(path, str) and isinstance(symbol, str):
        return entity_id(path, symbol)
    return path if isinstance(path, str) else item


def _query_id(row: Row, place: str) -> str:
    field = find_field(row, ID_NAMES)
    if field is None or row[field] in ("", None):
        return place_in_file(place)
    value = row[field]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.required_text(row, field, place=place, longest=fields.LONGEST_NAME)


def _facts(row: Row, names: Sequence[str], place: str) -> tuple[str, ...]:
    field = find_field(row, names)
    if field is None:
        return ()
    return fields.texts(row, field, place=place, longest=fields.LONGEST_QUERY)
