"""inspect_ai: JSON Lines of samples, for ``json_dataset(FILE)``; targets are expected entities.

Source: inspect_ai/dataset/_dataset.py and _sources/json.py.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields, judgements
from goldwright.interchange.embedded_record import confirm_record, pack_record, unpack_record
from goldwright.interchange.fields import Row
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import read_records, write_json_lines
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file
from goldwright.records import GoldenLabel


class InspectAiFormat:
    """A sample's metadata hold the stratum, to filter by, and the record."""

    name = "inspect_ai"
    shape = "JSON Lines of samples {id, input, target, metadata}"
    visible_pieces = judgements.VISIBLE_PIECES | {"task_type", "difficulty"}
    carries_record = True
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        write_json_lines(out, _samples(dataset))

    def read(self, path: Path) -> Reading:
        """Read the file; a target of somebody else's is one text or a list of them."""
        return read_records(self.name, path, _query, content="samples")

    def claims(self, row: Row) -> bool:
        """Tell by a sample's two fields."""
        return row.keys() >= {"input", "target"}

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the samples."""
        return read_each(self.name, rows, _query)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say that no built-in scorer of inspect_ai compares targets as a set."""
        del dataset
        yield (
            "targets are lists of entity ids; score them with a scorer of your own, "
            "includes() takes any one of them"
        )


def _samples(dataset: Dataset) -> Iterator[dict[str, object]]:
    for label in dataset.labels:
        row = _visible_fields(label)
        row["metadata"] = pack_record(label, dataset)
        yield row


def _visible_fields(label: GoldenLabel) -> dict[str, object]:
    return {
        "id": label.query_id,
        "input": label.query_text,
        "target": list(label.entity_ids),
    }


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    label = unpack_record(row.get("metadata"), place=place)
    if label is not None:
        return confirm_record(label, row=row, expected=_visible_fields(label), place=place)
    sample = dict(row)
    # A sample's id may be a number, and its target a single text.
    if isinstance(sample.get("id"), int):
        sample["id"] = str(sample["id"])
    if isinstance(sample.get("target"), str):
        sample["target"] = [sample["target"]]
    sample_id = fields.optional_text(sample, "id", place=place)
    text = fields.required_text(sample, "input", place=place)
    targets = fields.texts(sample, "target", place=place)
    return DatasetQuery(
        query_id=sample_id or place_in_file(place),
        query_text=text,
        expected_ids=targets,
        place=place,
    )
