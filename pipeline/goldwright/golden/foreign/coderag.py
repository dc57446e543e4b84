"""CodeRAG's cases: a query, the files that are relevant, and sometimes the symbols in them."""

from typing import Final

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import DatasetFormat, ForeignRecord
from goldwright.golden.foreign.row_locations import place_in_file

_FIELDS: Final = frozenset({"query", "relevant_files", "relevant_symbols"})


class CodeRagReader:
    """Symbols are names alone; which file they are in is for the codebase to say."""

    format: DatasetFormat = "coderag"
    shape = "JSON Lines of {query, relevant_files}"

    def claims(self, row: Row) -> bool:
        """Tell by any one of the fields that no other format has."""
        return not _FIELDS.isdisjoint(row)

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read one case; a case without an id is called by its line."""
        written_id = fields.optional_text(row, "id", place=place)
        query_text = fields.required_text(row, "query", place=place)
        entities = fields.texts(row, "relevant_symbols", place=place)
        files = fields.texts(row, "relevant_files", place=place)
        return ForeignRecord(
            query_id=written_id or place_in_file(place),
            query_text=query_text,
            entities=entities,
            files=files,
        )
