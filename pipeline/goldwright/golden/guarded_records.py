"""The records that a change of the code returns to people, with what changed for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldwright.canonical import digest
from goldwright.golden.rebase import CodeChange, RebasedRecord, RenamedFiles, code_changes
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class GuardedRecord:
    """A record that would not come along.

    Attributes:
        record: Why it would not.
        query_text: Its question.
        changes: What changed of what it cites; none where only something around it did.
    """

    record: RebasedRecord
    query_text: str
    changes: tuple[CodeChange, ...]

    @property
    def digest(self) -> str:
        """Name what changed by what it shows, wherever its lines are."""
        changes = [[change.path, change.new_path, list(change.diff)] for change in self.changes]
        reasons = list(self.record.reasons)
        return digest([self.record.kind, reasons, changes])


def guarded_records(
    labels: Sequence[GoldenLabel], records: Sequence[RebasedRecord], old: Snapshot, new: Snapshot
) -> Iterator[GuardedRecord]:
    """Yield the records that do not come along, in the order of the dataset."""
    labels_by_id = {label.query_id: label for label in labels}
    renamed_files = RenamedFiles(old, new)
    for record in records:
        if record.label is None:
            label = labels_by_id[record.query_id]
            changes = tuple(code_changes(label, old, new, renamed_files))
            yield GuardedRecord(record, label.query_text, changes)
