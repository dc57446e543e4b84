"""DeepEval: a JSON list of goldens.

Source: deepeval/dataset/golden.py and dataset.py of DeepEval 4.3. A golden's own id is never
exported, so the query id is its name. ``add_goldens_from_json_file`` takes neither name nor
metadata, so a file is better read golden by golden. ``context`` stays empty: it holds texts, and
which texts a system should retrieve is what the ids say.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.embedded_record import confirm_record, pack_record, unpack_record
from goldwright.interchange.fields import Row
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import read_records
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file
from goldwright.records import GoldenLabel

METADATA_FIELD: Final = "additional_metadata"

# A row with one of these says what is expected.
_ANSWER_FIELDS: Final = frozenset({"expected_output", METADATA_FIELD})


class DeepEvalFormat:
    """The narrative is the expected output; the record is under ``additional_metadata``."""

    name = "deepeval"
    shape = "a JSON list of goldens {input, expected_output, name, additional_metadata}"
    visible_pieces = frozenset({"query_id", "query_text", "canonical_narrative"})
    carries_record = True
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        goldens = list(_goldens(dataset))
        text = json.dumps(goldens, indent=2, ensure_ascii=True, allow_nan=False)
        out.write_text(f"{text}\n", encoding="ascii")

    def read(self, path: Path) -> Reading:
        """Read the file, as JSON list or JSON Lines."""
        return read_records(self.name, path, _query, content="goldens")

    def claims(self, row: Row) -> bool:
        """Tell by a golden's own fields."""
        return "input" in row and not row.keys().isdisjoint(_ANSWER_FIELDS)

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the goldens."""
        return read_each(self.name, rows, _query)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say where the expected entities are, and how not to lose them."""
        del dataset
        yield (
            f"the expected entities are under {METADATA_FIELD} alone, which "
            "add_goldens_from_json_file leaves behind, names too: load the file with "
            "[Golden(**row) for row in json.load(file)]"
        )


def _goldens(dataset: Dataset) -> Iterator[dict[str, object]]:
    for label in dataset.labels:
        golden = _visible_fields(label)
        golden[METADATA_FIELD] = pack_record(label, dataset)
        yield golden


def _visible_fields(label: GoldenLabel) -> dict[str, object]:
    return {
        "input": label.query_text,
        "expected_output": label.canonical_narrative,
        "name": label.query_id,
    }


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    label = unpack_record(row.get(METADATA_FIELD), place=place)
    if label is not None:
        return confirm_record(label, row=row, expected=_visible_fields(label), place=place)
    # A golden of somebody else's need not have a name; then its place has to do.
    name = fields.optional_text(row, "name", place=place)
    text = fields.required_text(row, "input", place=place)
    query_id = name or place_in_file(place)
    answer = row.get("expected_output")
    narrative = answer if isinstance(answer, str) else ""
    return DatasetQuery(
        query_id=query_id,
        query_text=text,
        canonical_narrative=narrative,
        place=place,
    )
