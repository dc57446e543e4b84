"""Reading a dataset that lies on disk, with its metadata where there is any."""

from pathlib import Path
from typing import Final

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.metadata import DatasetMetadata
from goldwright.records import GoldenLabel
from goldwright.records.strict_json import first_validation_problem, strict_json

LARGEST_FILE: Final = 1 << 30


def read_bytes(path: Path, *, what: str) -> bytes:
    """Read a whole file.

    Raises:
        InputError: It cannot be read.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{path}: over {LARGEST_FILE} bytes is no {what}")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot read the {what}: {error.strerror}") from error


def parse_dataset(data: bytes, *, source: str) -> tuple[GoldenLabel, ...]:
    """Parse a dataset: a JSON list of records with unique query ids.

    Raises:
        InputError: It is none; the text names the record and the field.
    """
    rows = strict_json(data, source=source)
    if not isinstance(rows, list):
        raise InputError(f"{source}: wanted a JSON list of records")
    labels: dict[str, GoldenLabel] = {}
    for place, row in enumerate(rows):
        try:
            one = GoldenLabel.model_validate_json(canonical_json(row))
        except ValidationError as error:
            raise InputError(f"{source}: record {place}: {first_validation_problem(error)}") from error
        if one.query_id in labels:
            raise InputError(f"{source}: record {place}: the query id {one.query_id} stands twice")
        labels[one.query_id] = one
    return tuple(labels.values())


def metadata_path(dataset: Path) -> Path:
    """Where the metadata of a dataset lies: ``golden_v1.0.json`` has ``golden_v1.0.meta.json``."""
    return dataset.with_name(f"{dataset.stem}.meta.json")


def parse_metadata(dataset: Path) -> DatasetMetadata | None:
    """Read the metadata beside a dataset; ``None`` when there is none.

    Raises:
        InputError: It is there and is not valid.
    """
    path = metadata_path(dataset)
    if not path.exists():
        return None
    data = read_bytes(path, what="metadata")
    try:
        return DatasetMetadata.model_validate_json(data)
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error)}") from error
