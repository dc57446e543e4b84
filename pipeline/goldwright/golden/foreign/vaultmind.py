"""VaultMind's golden queries: a name, a text and the ids that a good retriever shows."""

from typing import Final

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import DatasetFormat, ForeignRecord
from goldwright.golden.foreign.row_locations import place_in_file

_FIELDS: Final = frozenset({"text", "expected"})


class VaultMindReader:
    """Ids name notes; over a codebase they are files, or entities where they hold ``::``."""

    format: DatasetFormat = "vaultmind"
    shape = "a YAML list of {name, text, expected}"

    def claims(self, row: Row) -> bool:
        """Tell by the fields that no other format has."""
        return not _FIELDS.isdisjoint(row)

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read one query; a query without a name is called by its number."""
        entities: list[str] = []
        files: list[str] = []
        for expected in fields.texts(row, "expected", place=place):
            ids = entities if "::" in expected else files
            ids.append(expected)
        name = fields.optional_text(row, "name", place=place)
        return ForeignRecord(
            query_id=name or place_in_file(place),
            query_text=fields.required_text(row, "text", place=place),
            entities=tuple(entities),
            files=tuple(files),
        )
