"""Adding a batch to a published version: fresh ids where they clash, and nothing that stands there
already.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.records import GoldenLabel
from goldwright.stages.screen import repeats

_NUMBERED: Final = re.compile(r"q_(\d+)")


@dataclass(frozen=True, slots=True)
class MergedLabels:
    """A version with a batch added: ``renamed`` maps ids to what they were in the batch."""

    labels: tuple[GoldenLabel, ...]
    renamed: dict[str, str]
    left_out: tuple[str, ...]


def merge_labels(base: Sequence[GoldenLabel], batch: Sequence[GoldenLabel]) -> MergedLabels:
    """Add the records of a batch that repeat none of the base: neither its targets nor its wording.
    """
    fresh = [one for one in batch if not any(_repeats(one, old) for old in base)]
    kept = {one.query_id for one in fresh}
    taken = {one.query_id for one in base}
    numbers = _unused(taken | kept)
    renamed: dict[str, str] = {}
    added = []
    for one in fresh:
        name = next(numbers) if one.query_id in taken else one.query_id
        if name != one.query_id:
            renamed[name] = one.query_id
        added.append(one.model_copy(update={"query_id": name}))
    left_out = tuple(one.query_id for one in batch if one.query_id not in kept)
    return MergedLabels((*base, *added), renamed, left_out)


def _repeats(one: GoldenLabel, old: GoldenLabel) -> bool:
    return repeats((one.query_text, one.entity_ids), (old.query_text, old.entity_ids)) is not None


def _unused(taken: set[str]) -> Iterator[str]:
    numbers = [int(match[1]) for name in taken if (match := _NUMBERED.match(name))]
    number = max(numbers, default=0)
    while True:
        number += 1
        yield f"q_{number:05d}"
