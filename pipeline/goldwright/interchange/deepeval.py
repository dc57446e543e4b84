"""DeepEval: a JSON list of goldens.

Source: deepeval/dataset/golden.py and dataset.py of DeepEval 4.3. A golden's own id is never
exported, so the query id is its name. ``add_goldens_from_json_file`` takes neither name nor
metadata, so a file is better read golden by golden. ``context`` stays empty: it holds texts, and
which texts a system should retrieve is what the ids say.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.interchange.embedded_record import agreed, packed, unpacked
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import called, read_rows
from goldwright.records import GoldenLabel

LUGGAGE = "additional_metadata"


class DeepEvalFormat:
    """The narrative is the expected output; the record travels in ``additional_metadata``."""

    name = "deepeval"
    shape = "a JSON list of goldens {input, expected_output, name, additional_metadata}"
    shown = frozenset({"query_id", "query_text", "canonical_narrative"})
    carries_record = True
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        goldens = [{**_visible(label), LUGGAGE: packed(label, dataset)} for label in dataset.labels]
        out.write_text(
            json.dumps(goldens, indent=2, ensure_ascii=True, allow_nan=False) + "\n",
            encoding="ascii",
        )

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file, as JSON list or JSON Lines."""
        return read_rows(path, _fields, what="goldens")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say where the expected entities are, and how not to lose them."""
        del dataset
        yield (
            f"the expected entities are under {LUGGAGE} alone, which add_goldens_from_json_file leaves behind, names "
            "too: load the file with [Golden(**row) for row in json.load(file)]"
        )


def _visible(label: GoldenLabel) -> dict[str, object]:
    return {
        "input": label.query_text,
        "expected_output": label.canonical_narrative,
        "name": label.query_id,
    }


def _fields(row: LocatedRow) -> Fields:
    label = unpacked(row.row.get(LUGGAGE), place=row.place)
    if label is not None:
        return agreed(row.row, _visible(label), label, place=row.place)
    answer = row.row.get("expected_output")
    return {
        "query_id": fields.optional_text(row.row, "name", place=row.place) or called(row.place),
        "query_text": fields.required_text(row.row, "input", place=row.place),
        "expected_entities": (),
        **({"canonical_narrative": answer} if isinstance(answer, str) else {}),
    }
