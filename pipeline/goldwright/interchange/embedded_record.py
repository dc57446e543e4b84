"""The whole record, carried along where a format has a place for metadata, so that nothing is lost
on the way back.
"""

from collections.abc import Mapping

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.foreign.fields import kind_of
from goldwright.interchange.format import Dataset, Fields
from goldwright.records import GoldenLabel
from goldwright.records.strict_json import first_validation_problem
from goldwright.text import make_visible, shorten

_LONGEST_SHOWN = 60


def packed(label: GoldenLabel, dataset: Dataset) -> dict[str, object]:
    """What goes along with a record: its stratum and dataset, to filter by, and the record itself."""
    return {
        "task_type": label.task_type,
        "difficulty": label.difficulty,
        "dataset": dataset.name,
        "dataset_sha256": dataset.sha256,
        "record": in_full(label),
    }


def unpacked(luggage: object, *, place: str) -> GoldenLabel | None:
    """Take the record out of the metadata of a row; ``None`` where somebody else wrote the row.

    Raises:
        InputError: There is a record, and it is none of ours; the text starts with ``place``.
    """
    if luggage is None:
        return None
    if not isinstance(luggage, Mapping):
        raise InputError(f"{place}: metadata: wanted an object, found {kind_of(luggage)}")
    if "record" not in luggage:
        return None
    try:
        return GoldenLabel.model_validate_json(canonical_json(luggage["record"]))
    except ValidationError as error:
        raise InputError(
            f"{place}: the record in its metadata: {make_visible(first_validation_problem(error))}"
        ) from error
    except RecursionError as error:
        raise InputError(
            f"{place}: the record in its metadata is nested too deep for a golden label"
        ) from error


def in_full(label: GoldenLabel) -> dict[str, object]:
    """All fields of a record, as JSON types."""
    return label.model_dump(mode="json")


def agreed(
    row: Mapping[str, object], shown: Mapping[str, object], label: GoldenLabel, *, place: str
) -> Fields:
    """Give a record in full, if what the row shows of it is still what the record says.

    Raises:
        InputError: Somebody changed one and not the other, and the program will not guess which is
            meant.
    """
    for field, value in shown.items():
        found = row.get(field)
        if found != value:
            told = (
                repr(make_visible(shorten(found, _LONGEST_SHOWN)))
                if isinstance(found, str)
                else kind_of(found)
            )
            raise InputError(
                f"{place}: {field} is {told}, and the record in its metadata says otherwise; change both, or take "
                "the record out"
            )
    return in_full(label)
