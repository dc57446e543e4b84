"""CodeRAG: JSON Lines of ``{id, query, relevant_files, relevant_symbols}``.

Symbols are names without their files.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import read_records, write_json_lines
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file
from goldwright.records import GoldenLabel
from goldwright.snapshot.entities import entity_id, split_entity_id
from goldwright.snapshot.git.object_ids import is_object_id
from goldwright.text import counted

_FIELDS: Final = frozenset({"relevant_files", "relevant_symbols"})


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

    def claims(self, row: Row) -> bool:
        """Tell by any one of the fields that no other format has."""
        return not _FIELDS.isdisjoint(row)

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the cases."""
        return read_each(self.name, rows, _query)

    def read(self, path: Path) -> Reading:
        """Read the file; a symbol of a case with one file is in that file, any other is a name."""
        return read_records(self.name, path, self._read_claimed, content="cases")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say for how many records nobody can say any more which file a symbol is in."""
        ambiguous = 0
        for label in dataset.labels:
            if label.expected_entities and len(label.expected_files) != 1:
                ambiguous += 1
        if ambiguous:
            yield (
                f"{counted(ambiguous, 'record has', 'records have')} several files, "
                "so which of them a symbol stands in is lost"
            )

    def _read_claimed(self, located: LocatedRow) -> DatasetQuery:
        if not self.claims(located.row):
            raise InputError(f"{located.place}: wanted {self.shape}")
        return _query(located)


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


def _query(located: LocatedRow) -> DatasetQuery:
    """Read one case; a case without an id is called by its line."""
    row = located.row
    place = located.place
    stated_id = fields.optional_text(row, "id", place=place)
    query_id = stated_id or place_in_file(place)
    query_text = fields.required_text(row, "query", place=place)
    symbols = fields.texts(row, "relevant_symbols", place=place)
    files = fields.texts(row, "relevant_files", place=place)
    expected_ids = _entity_ids(symbols, files) or files
    strata = fields.strata(row, place=place)
    return DatasetQuery(
        query_id=query_id,
        query_text=query_text,
        expected_ids=expected_ids,
        names_entities=bool(symbols),
        expected_files=files,
        strata=strata,
        place=place,
        corpus_commit=_corpus_commit(row, place),
    )


def _corpus_commit(row: Row, place: str) -> str:
    """Give the commit to whose tree a mined case is pinned, where it is pinned to its parent."""
    if row.get("at_parent") is not True:
        return ""
    commit = fields.required_text(row, "pinned_commit", place=place, longest=fields.LONGEST_NAME)
    if not is_object_id(commit):
        raise InputError(f"{place}: pinned_commit: wanted the id of a commit")
    return commit


def _entity_ids(symbols: Sequence[str], files: Sequence[str]) -> tuple[str, ...]:
    """Give the symbols as ids, where there is only one file that they can be in."""
    if len(files) != 1:
        return tuple(symbols)
    (path,) = files
    return tuple(symbol if "::" in symbol else entity_id(path, symbol) for symbol in symbols)
