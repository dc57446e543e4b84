"""CodeRAG: JSON Lines of ``{id, query, relevant_files, relevant_symbols}``.

Symbols are names without their files.
"""

from collections.abc import Iterator
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.foreign import ForeignRecord
from goldwright.golden.foreign.coderag import CodeRagReader
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import read_records, write_json_lines
from goldwright.records import GoldenLabel
from goldwright.snapshot.entities import entity_id, split_entity_id


class CodeRagFormat:
    """What it has no place for is lost."""

    name = "coderag"
    shape = "JSON Lines of {id, query, relevant_files, relevant_symbols}"
    visible_pieces = frozenset({"query_id", "query_text", "expected_files"})
    carries_record = False
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        write_json_lines(out, map(_case, dataset.labels))

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file; a symbol of a case with one file is in that file, any other is a name."""
        return read_records(path, self._fields, content="cases")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say for how many records nobody can say any more which file a symbol is in."""
        ambiguous = 0
        for label in dataset.labels:
            if label.expected_entities and len(label.expected_files) != 1:
                ambiguous += 1
        if ambiguous:
            yield (
                f"{ambiguous} records have several files, "
                "so which of them a symbol stands in is lost"
            )

    def _fields(self, located: LocatedRow) -> Fields:
        reader = CodeRagReader()
        place = located.place
        if not reader.claims(located.row):
            raise InputError(f"{place}: wanted {self.shape}")
        record = reader.record(located.row, place=place)
        return {
            "query_id": record.query_id,
            "query_text": record.query_text,
            "expected_entities": _entity_ids(record),
            "expected_files": record.files,
        }


def _case(label: GoldenLabel) -> dict[str, object]:
    symbols = [_symbol(entity_id) for entity_id in label.entity_ids]
    return {
        "id": label.query_id,
        "query": label.query_text,
        "relevant_files": list(label.expected_files),
        "relevant_symbols": symbols,
    }


def _symbol(identifier: str) -> str:
    # An id without "::" has no name in it, and is passed on as it is.
    _, name = split_entity_id(identifier)
    return name or identifier


def _entity_ids(record: ForeignRecord) -> list[str]:
    """Give the symbols as ids, where there is only one file that they can be in."""
    if len(record.files) != 1:
        return list(record.entities)
    (path,) = record.files
    ids: list[str] = []
    for symbol in record.entities:
        if "::" in symbol:
            ids.append(symbol)
        else:
            ids.append(entity_id(path, symbol))
    return ids
