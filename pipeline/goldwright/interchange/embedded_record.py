"""The whole record, embedded where a format has a place for metadata.

So nothing is lost on the way back.
"""

from collections.abc import Mapping

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery, query_of
from goldwright.interchange.fields import kind_of
from goldwright.interchange.format import Dataset
from goldwright.interchange.quoting import quote_excerpt
from goldwright.records import GoldenLabel
from goldwright.records.validation_problems import first_validation_problem
from goldwright.text import make_visible


def pack_record(label: GoldenLabel, dataset: Dataset) -> dict[str, object]:
    """Give the metadata of a record: its stratum and dataset, to filter by, and the record."""
    return {
        "task_type": label.task_type,
        "difficulty": label.difficulty,
        "dataset": dataset.name,
        "dataset_sha256": dataset.sha256,
        "record": record_json(label),
    }


def unpack_record(metadata: object, *, place: str) -> GoldenLabel | None:
    """Take the record out of the metadata of a row; None where somebody else wrote the row.

    Raises:
        InputError: There is a record, and it is no golden label; the text starts with ``place``.
    """
    if metadata is None:
        return None
    if not isinstance(metadata, Mapping):
        kind = kind_of(metadata)
        raise InputError(f"{place}: metadata: wanted an object, found {kind}")
    if "record" not in metadata:
        return None
    try:
        embedded_json = canonical_json(metadata["record"])
        return GoldenLabel.model_validate_json(embedded_json)
    except ValidationError as error:
        problem = make_visible(first_validation_problem(error))
        raise InputError(f"{place}: the record in its metadata: {problem}") from error
    except RecursionError as error:
        raise InputError(
            f"{place}: the record in its metadata is nested too deep for a golden label"
        ) from error


def record_json(label: GoldenLabel) -> dict[str, object]:
    """Give all fields of a record, as JSON types."""
    return label.model_dump(mode="json")


def confirm_record(
    label: GoldenLabel, *, row: Mapping[str, object], expected: Mapping[str, object], place: str
) -> DatasetQuery:
    """Give a record as a query, if the row around it still says the same.

    Args:
        label: The record that was embedded in the row.
        row: The fields of the row as they are.
        expected: The fields that the row was written with.
        place: Where the row is.

    Raises:
        InputError: Somebody changed one and not the other, and the program will not guess which is
            meant.
    """
    for field, expected_value in expected.items():
        value = row.get(field)
        if value != expected_value:
            shown_value = _show(value)
            raise InputError(
                f"{place}: {field} is {shown_value}, and the record in its metadata says "
                "otherwise; change both, or take the record out"
            )
    return query_of(label, place=place)


def _show(value: object) -> str:
    if isinstance(value, str):
        return quote_excerpt(value)
    return kind_of(value)
