"""CodeRAG: JSON Lines of ``{id, query, relevant_files, relevant_symbols}``; symbols are names
without their files.
"""

from collections.abc import Iterator
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.foreign import ForeignRecord
from goldwright.golden.foreign.coderag import CodeRagReader as Reader
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import read_rows, write_lines
from goldwright.snapshot.entities import entity_id, split_entity_id


class CodeRagFormat:
    """What it has no place for is lost."""

    name = "coderag"
    shape = "JSON Lines of {id, query, relevant_files, relevant_symbols}"
    shown = frozenset({"query_id", "query_text", "expected_files"})
    carries_record = False
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        write_lines(
            out,
            (
                {
                    "id": label.query_id,
                    "query": label.query_text,
                    "relevant_files": list(label.expected_files),
                    "relevant_symbols": [
                        split_entity_id(one)[1] or one for one in label.entity_ids
                    ],
                }
                for label in dataset.labels
            ),
        )

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file; a symbol of a case with one file is that file's, any other stays a name."""
        return read_rows(path, self._fields, what="cases")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say for how many records the files of their symbols cannot be told any more."""
        open_ = sum(
            len(label.expected_files) != 1 and bool(label.expected_entities)
            for label in dataset.labels
        )
        if open_:
            yield f"{open_} records have several files, so which of them a symbol stands in is lost"

    def _fields(self, row: LocatedRow) -> Fields:
        reader = Reader()
        if not reader.claims(row.row):
            raise InputError(f"{row.place}: wanted {self.shape}")
        one = reader.record(row.row, place=row.place)
        return {
            "query_id": one.query_id,
            "query_text": one.query_text,
            "expected_entities": [_placed(symbol, one) for symbol in one.entities],
            "expected_files": one.files,
        }


def _placed(symbol: str, record: ForeignRecord) -> str:
    if "::" in symbol or len(record.files) != 1:
        return symbol
    return entity_id(record.files[0], symbol)
