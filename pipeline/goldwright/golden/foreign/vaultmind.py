"""VaultMind's golden queries: a name, a text and the ids that a good retriever shows."""

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import ForeignRecord, Format

_FIELDS = frozenset({"text", "expected"})


class VaultMindReader:
    """Ids name notes; over a codebase they are files, or entities where they hold ``::``."""

    format: Format = "vaultmind"
    shape = "a YAML list of {name, text, expected}"

    def claims(self, row: Row) -> bool:
        """Tell by the fields that no other format has."""
        return not _FIELDS.isdisjoint(row)

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read one query; a query without a name is called by its number."""
        expected = fields.texts(row, "expected", place=place)
        return ForeignRecord(
            query_id=fields.optional_text(row, "name", place=place) or place.rpartition(": ")[2],
            query_text=fields.required_text(row, "text", place=place),
            entities=tuple(one for one in expected if "::" in one),
            files=tuple(one for one in expected if "::" not in one),
        )
