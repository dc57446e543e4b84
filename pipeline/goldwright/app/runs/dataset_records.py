"""The records that stand in the dataset of a run, with their content now."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from goldwright.golden.human_provenance import reviewed_content
from goldwright.review.record_content import RecordContent
from goldwright.review.review_state import ReviewState
from goldwright.review.settlement import Settlement
from goldwright.snapshot import Snapshot
from goldwright.snapshot.clones import same_code
from goldwright.stages.fates import RecordFate


@dataclass(frozen=True, slots=True)
class SelectedRecord:
    """A record of the dataset: its content now, and how people settled on it, if they did."""

    query_id: str
    content: RecordContent
    settlement: Settlement | None


def selected_records(
    record_fates: Iterable[RecordFate], review_state: ReviewState
) -> Iterator[SelectedRecord]:
    """Yield the selected records of a run, in the order of their ids."""
    for record in record_fates:
        if record.fate in {"pending", "blessed"}:
            content, settlement = reviewed_content(record.query_id, review_state)
            yield SelectedRecord(record.query_id, content, settlement)


def clones_of_expected(
    records: Iterable[SelectedRecord], snapshot: Snapshot
) -> Mapping[str, tuple[str, ...]]:
    """Find entities with the same code as an expected one; a retriever may find those instead."""
    expected: set[str] = set()
    for record in records:
        expected.update(record.content.answer.entity_ids)
    return same_code(snapshot, sorted(expected))
