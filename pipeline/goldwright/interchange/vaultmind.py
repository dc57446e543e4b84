"""VaultMind: a YAML list of ``{name, text, expected}``; what is expected are the ids of our
entities.
"""

from collections.abc import Iterator
from pathlib import Path

import yaml

from goldwright.errors import InputError
from goldwright.golden.foreign.plain_yaml import LARGEST_FILE
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.golden.foreign.vaultmind import VaultMindReader as Reader
from goldwright.interchange import judgements
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import read_rows


class VaultMindFormat:
    """What it has no place for is lost."""

    name = "vaultmind"
    shape = "a YAML list of {name, text, expected}"
    shown = judgements.SHOWN
    carries_record = False
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file; every text stands in quotes, so that no reader takes one for a number or
        a date.
        """
        rows = [
            {"name": label.query_id, "text": label.query_text, "expected": list(label.entity_ids)}
            for label in dataset.labels
        ]
        text = yaml.dump(
            rows, Dumper=yaml.CSafeDumper, default_style='"', sort_keys=False, width=1 << 20
        )
        if len(text) > LARGEST_FILE:
            raise InputError(
                f"{out.name}: would take over {LARGEST_FILE} bytes, which is too large for a YAML dataset"
            )
        out.write_text(text, encoding="ascii")

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file; what is expected and is no entity id is taken for a file."""
        return read_rows(path, self._fields, what="queries")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say how VaultMind counts."""
        del dataset
        yield "VaultMind counts a query as hit when any one of the expected ids is found"

    def _fields(self, row: LocatedRow) -> Fields:
        reader = Reader()
        if not reader.claims(row.row):
            raise InputError(f"{row.place}: wanted {self.shape}")
        one = reader.record(row.row, place=row.place)
        files: Fields = {"expected_files": one.files} if one.files else {}
        return {
            "query_id": one.query_id,
            "query_text": one.query_text,
            "expected_entities": one.entities,
            **files,
        }
