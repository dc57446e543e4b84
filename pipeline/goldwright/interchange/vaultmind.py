"""VaultMind: a YAML list of ``{name, text, expected}``; expected are the ids of our entities."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import yaml

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields, judgements
from goldwright.interchange.fields import Row
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import read_records
from goldwright.interchange.plain_yaml import LARGEST_YAML_FILE
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file
from goldwright.records import GoldenLabel

_FIELDS: Final = frozenset({"name", "text", "expected"})
# PyYAML breaks longer lines.
_LINE_WIDTH: Final = 1 << 20


class VaultMindFormat:
    """What it has no place for is lost."""

    name = "vaultmind"
    shape = "a YAML list of {name, text, expected}"
    visible_pieces = judgements.VISIBLE_PIECES
    carries_record = False
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file; every text is quoted, so that none is read as a number or a date."""
        queries = list(map(_query, dataset.labels))
        text = yaml.dump(
            queries,
            Dumper=yaml.CSafeDumper,
            default_style='"',
            sort_keys=False,
            width=_LINE_WIDTH,
        )
        if len(text) > LARGEST_YAML_FILE:
            raise InputError(
                f"{out.name}: would take over {LARGEST_YAML_FILE} bytes, "
                "which is too large for a YAML dataset"
            )
        out.write_text(text, encoding="ascii")

    def claims(self, row: Row) -> bool:
        """Tell by its two fields; a query that expects nothing may leave one out."""
        return "text" in row and ("expected" in row or row.keys() <= _FIELDS)

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the queries; over a codebase ids are files, or entities where they hold ``::``."""
        return read_each(self.name, rows, _read_query)

    def read(self, path: Path) -> Reading:
        """Read the file."""
        return read_records(self.name, path, self._read_claimed, content="queries")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say how VaultMind counts."""
        del dataset
        yield "VaultMind counts a query as hit when any one of the expected ids is found"

    def _read_claimed(self, located: LocatedRow) -> DatasetQuery:
        if _FIELDS.isdisjoint(located.row):
            raise InputError(f"{located.place}: wanted {self.shape}")
        return _read_query(located)


def _read_query(located: LocatedRow) -> DatasetQuery:
    """Read one query; a query without a name is called by its number."""
    row = located.row
    place = located.place
    name = fields.optional_text(row, "name", place=place)
    query_text = fields.required_text(row, "text", place=place)
    expected_ids = fields.texts_or_text(row, "expected", place=place)
    strata = fields.strata(row, place=place)
    return DatasetQuery(
        query_id=name or place_in_file(place),
        query_text=query_text,
        expected_ids=expected_ids,
        strata=strata,
        place=place,
    )


def _query(label: GoldenLabel) -> dict[str, object]:
    return {
        "name": label.query_id,
        "text": label.query_text,
        "expected": list(label.entity_ids),
    }
