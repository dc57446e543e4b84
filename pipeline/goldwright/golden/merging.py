"""Adding a batch to a published version: without repeats, and with new ids where ids clash."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.records import GoldenLabel
from goldwright.stages.screen import repeats

_NUMBERED_ID: Final = re.compile(r"q_(\d+)")


@dataclass(frozen=True, slots=True)
class MergedLabels:
    """A version with a batch added.

    Attributes:
        labels: The records of the version, then those of the batch.
        renamed: The new query ids of the batch, each with the id that it had there.
        left_out: The query ids of records of the batch that repeat one of the version.
    """

    labels: tuple[GoldenLabel, ...]
    renamed: dict[str, str]
    left_out: tuple[str, ...]


def merge_labels(base: Sequence[GoldenLabel], batch: Sequence[GoldenLabel]) -> MergedLabels:
    """Add the records of a batch that repeat no record of the base, in targets or in wording."""
    additions: list[GoldenLabel] = []
    left_out: list[str] = []
    for label in batch:
        if _repeats_any(label, base):
            left_out.append(label.query_id)
        else:
            additions.append(label)
    base_ids = _query_ids(base)
    unused_ids = _unused_ids(base_ids | _query_ids(additions))
    renamed: dict[str, str] = {}
    merged = list(base)
    for label in additions:
        if label.query_id in base_ids:
            new_id = next(unused_ids)
            renamed[new_id] = label.query_id
            merged.append(label.model_copy(update={"query_id": new_id}))
        else:
            merged.append(label)
    return MergedLabels(tuple(merged), renamed, tuple(left_out))


def _repeats_any(label: GoldenLabel, base: Iterable[GoldenLabel]) -> bool:
    question = (label.query_text, label.entity_ids)
    for earlier in base:
        earlier_question = (earlier.query_text, earlier.entity_ids)
        if repeats(question, earlier_question) is not None:
            return True
    return False


def _query_ids(labels: Iterable[GoldenLabel]) -> set[str]:
    return {label.query_id for label in labels}


def _unused_ids(query_ids: Iterable[str]) -> Iterator[str]:
    """Yield ids without end, numbered on from the highest number that is in use."""
    number = 0
    for query_id in query_ids:
        match = _NUMBERED_ID.match(query_id)
        if match is not None:
            number = max(number, int(match[1]))
    while True:
        number += 1
        yield f"q_{number:05d}"
