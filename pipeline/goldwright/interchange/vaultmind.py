"""VaultMind: a YAML list of ``{name, text, expected}``; expected are the ids of our entities."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

from goldwright.errors import InputError
from goldwright.golden.foreign.plain_yaml import LARGEST_YAML_FILE
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.golden.foreign.vaultmind import VaultMindReader
from goldwright.interchange import judgements
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import read_records
from goldwright.records import GoldenLabel

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

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file; what is expected and is no entity id is taken for a file."""
        return read_records(path, self._fields, content="queries")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say how VaultMind counts."""
        del dataset
        yield "VaultMind counts a query as hit when any one of the expected ids is found"

    def _fields(self, located: LocatedRow) -> Fields:
        reader = VaultMindReader()
        place = located.place
        if not reader.claims(located.row):
            raise InputError(f"{place}: wanted {self.shape}")
        record = reader.record(located.row, place=place)
        fields: dict[str, object] = {
            "query_id": record.query_id,
            "query_text": record.query_text,
            "expected_entities": record.entities,
        }
        if record.files:
            fields["expected_files"] = record.files
        return fields


def _query(label: GoldenLabel) -> dict[str, object]:
    return {
        "name": label.query_id,
        "text": label.query_text,
        "expected": list(label.entity_ids),
    }
