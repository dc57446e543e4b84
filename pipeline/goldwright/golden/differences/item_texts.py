"""The parts of a record, each written in one line."""

from collections.abc import Iterator, Mapping
from typing import Final

from pydantic_core import to_jsonable_python

from goldwright.canonical import canonical_json
from goldwright.golden.batch_summaries import BatchSummary, CellCount
from goldwright.records import (
    CarryOver,
    Edit,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    Record,
)

# The subject of an item ends at the first " = ", " at ", " (" or line number: see rewording.py.
_TEMPLATES: Final[Mapping[type, str]] = {
    str: "{0}",
    ExpectedEntity: "{0.entity_id} ({0.role})",
    FactCitation: "{0.claim_id} at {0}",
    Evidence: "{0} (step {0.read_at_step})",
    FileRange: "{0}",
    Edit: "{0.field} by {0.reviewer} at {0.reviewed_at}",
    CellCount: (
        "{0.task_type}/{0.difficulty} = {0.count} of {0.target} wanted; "
        "in the batch {0.fates_summary}"
    ),
    # All of it is in the metadata; as JSON it would be a line of thousands of characters.
    BatchSummary: "{0.run} = {0.in_short}",
    CarryOver: "{0.from_commit} as {0.kind}",
}


def format_item(item: object) -> str:
    """Write a part of a record in one line; as JSON where there is no shorter way."""
    template = _TEMPLATES.get(type(item))
    if template is None:
        return raw_json(item)
    return template.format(item)


def raw_json(value: object) -> str:
    """Write a value of a record as canonical JSON."""
    return canonical_json(to_jsonable_python(value))


def item_texts(value: object) -> Iterator[str]:
    """Write a field as lines: of a list one for each item, of an object one for each key."""
    match value:
        case None:
            return
        case tuple():
            yield from map(format_item, value)
        case Record():
            yield from _entry_texts(value.model_dump(mode="json"), "")
        case dict():
            yield from _entry_texts(value, "")
        case _:
            yield format_item(value)


def _entry_texts(entries: Mapping[str, object], prefix: str) -> Iterator[str]:
    for key, value in sorted(entries.items()):
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _entry_texts(value, f"{name}.")
        else:
            yield f"{name} = {format_item(value)}"
