"""inspect_ai: JSON Lines of samples, for ``json_dataset(FILE)``; the target is the list of expected
entities.

Source: inspect_ai/dataset/_dataset.py and _sources/json.py.
"""

from collections.abc import Iterator
from pathlib import Path

from goldwright.golden.foreign import fields
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.interchange import judgements
from goldwright.interchange.embedded_record import agreed, packed, unpacked
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import called, read_rows, write_lines
from goldwright.records import GoldenLabel


class InspectAiFormat:
    """A sample's metadata holds the stratum, to filter by, and the record."""

    name = "inspect_ai"
    shape = "JSON Lines of samples {id, input, target, metadata}"
    shown = judgements.SHOWN | {"task_type", "difficulty"}
    carries_record = True
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        write_lines(
            out,
            ({**_visible(label), "metadata": packed(label, dataset)} for label in dataset.labels),
        )

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file; a target of somebody else's is one text or a list of them."""
        return read_rows(path, _fields, what="samples")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say that targets are what we expect, which no built-in scorer of inspect_ai compares as a
        set.
        """
        del dataset
        yield "targets are lists of entity ids; score them with a scorer of your own, includes() takes any one of them"


def _visible(label: GoldenLabel) -> dict[str, object]:
    return {"id": label.query_id, "input": label.query_text, "target": list(label.entity_ids)}


def _fields(row: LocatedRow) -> Fields:
    label = unpacked(row.row.get("metadata"), place=row.place)
    if label is not None:
        return agreed(row.row, _visible(label), label, place=row.place)
    written = row.row.get("id")
    target = row.row.get("target")
    values = {**row.row, "id": str(written) if isinstance(written, int) else written}
    values["target"] = [target] if isinstance(target, str) else target
    return {
        "query_id": fields.optional_text(values, "id", place=row.place) or called(row.place),
        "query_text": fields.required_text(values, "input", place=row.place),
        "expected_entities": fields.texts(values, "target", place=row.place),
    }
