"""Reading a dataset from disk, and the metadata beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.metadata import DatasetMetadata
from goldwright.records import GoldenLabel
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import read_regular, why_unreadable
from goldwright.strict_json import strict_json

# Ours have seven characters; whoever made their own shall still read the problem behind it.
_LONGEST_ID: Final = 60


def read_bytes(path: Path, *, content: str) -> bytes:
    """Read a whole file.

    Args:
        path: The file.
        content: What the file should hold, for messages: ``dataset``, ``metadata``.

    Raises:
        InputError: It cannot be read, or is larger than 1 GiB.
    """
    try:
        return read_regular(path)
    except OSError as error:
        raise InputError(
            f"{path}: cannot read the {content}: {why_unreadable(path, error)}"
        ) from error


def parse_dataset(data: bytes, *, source: str) -> tuple[GoldenLabel, ...]:
    """Parse a dataset: a JSON list of records with unique query ids.

    Raises:
        InputError: The bytes are no dataset; the text names the record by its place
            (from 1) and its query id, and the field.
    """
    rows = strict_json(data, source=source)
    if not isinstance(rows, list):
        raise InputError(f"{source}: wanted a JSON list of records")
    # By query id, which has to be unique.
    labels: dict[str, GoldenLabel] = {}
    for number, row in enumerate(rows, start=1):
        shown_id = id_in_brackets(row)
        place = f"{source}: record {number}{shown_id}"
        label = _parse_label(row, place=place)
        query_id = label.query_id
        if query_id in labels:
            raise InputError(f"{place}: the query id stands there a second time")
        labels[query_id] = label
    return tuple(labels.values())


def metadata_path(dataset: Path) -> Path:
    """Where the metadata of a dataset lies: ``golden_v1.0.json`` has ``golden_v1.0.meta.json``."""
    return dataset.with_name(f"{dataset.stem}.meta.json")


def card_path(dataset: Path) -> Path:
    """Where the card of a dataset lies, for people: ``golden_v1.0.json`` has ``golden_v1.0.md``."""
    return dataset.with_name(f"{dataset.stem}.md")


def read_metadata(dataset: Path) -> DatasetMetadata | None:
    """Read the metadata beside a dataset; None when there is no such file.

    Raises:
        InputError: The file is there and is not valid.
    """
    path = metadata_path(dataset)
    if not path.exists():
        return None
    data = read_bytes(path, content="metadata")
    try:
        return DatasetMetadata.model_validate_json(data)
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{path}: {problem}") from error


def id_in_brackets(row: object) -> str:
    """Name a record by its query id behind its place: `` (q_00007)``; nothing for an odd one."""
    query_id = row.get("query_id") if isinstance(row, Mapping) else None
    if not isinstance(query_id, str) or not 0 < len(query_id) <= _LONGEST_ID:
        return ""
    return f" ({query_id})" if query_id.isprintable() else ""


def _parse_label(row: object, *, place: str) -> GoldenLabel:
    # Pydantic's strict mode takes JSON lists for tuples only when it parses the JSON itself.
    row_json = canonical_json(row)
    try:
        return GoldenLabel.model_validate_json(row_json)
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{place}: {problem}") from error
