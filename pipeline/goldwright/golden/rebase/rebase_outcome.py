"""What became of records at a newer commit, and what the new version says of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from goldwright.golden.metadata import DatasetMetadata, RebaseSummary
from goldwright.records import ChangedClaim, GoldenLabel

RebasedKind = Literal["unchanged", "moved", "edited", "gone"]


@dataclass(frozen=True, slots=True)
class RebasedRecord:
    """What became of one record at a newer commit.

    Attributes:
        query_id: The record.
        kind: ``unchanged`` is the same code at the same place, ``moved`` the same code elsewhere;
            ``edited`` and ``gone`` go back to people.
        reasons: Why the record was not carried over; empty for one that was.
        label: The record at the newer commit; None where it was not carried over.
        hints: Where to look: where code like the old one is now.
        draft: For a record that was not carried over, what people are shown: what did not change
            stands where it is now, and what changed at the lines that took its place.
        changed_claims: The claims of the draft that somebody has to look at.
    """

    query_id: str
    kind: RebasedKind
    reasons: tuple[str, ...]
    label: GoldenLabel | None
    hints: tuple[str, ...] = ()
    draft: GoldenLabel | None = None
    changed_claims: tuple[ChangedClaim, ...] = ()


def count_kinds(records: Sequence[RebasedRecord]) -> Counter[RebasedKind]:
    """Count the records of each kind."""
    return Counter(record.kind for record in records)


def summarize_rebase(
    before: DatasetMetadata, records: Sequence[RebasedRecord], *, returned_to: str | None
) -> RebaseSummary:
    """Say in the metadata of the new version what became of the records of the one before.

    Args:
        before: The metadata of the version before.
        records: Its records at the newer commit.
        returned_to: The run that holds those which did not come along; None where all did.
    """
    counts = count_kinds(records)
    edited_ids = _ids_of_kind("edited", records)
    gone_ids = _ids_of_kind("gone", records)
    return RebaseSummary(
        version=before.version,
        dataset_sha256=before.dataset_sha256,
        repo_commit=before.repo_commit,
        unchanged=counts["unchanged"],
        moved=counts["moved"],
        edited=edited_ids,
        gone=gone_ids,
        returned_to=returned_to,
    )


def limit_of_rebase(before: DatasetMetadata, records: Sequence[RebasedRecord]) -> str:
    """Say what the new version cannot claim of records that nobody looked at again."""
    counts = count_kinds(records)
    lost = counts["edited"] + counts["gone"]
    commit = before.repo_commit[:12]
    return (
        f"Carried over from version {before.version}: {lost} of its {len(records)} records did "
        "not come along. What follows on samples, people and the batch was said of it at commit "
        f"{commit}."
    )


def _ids_of_kind(kind: RebasedKind, records: Sequence[RebasedRecord]) -> tuple[str, ...]:
    of_kind = [record for record in records if record.kind == kind]
    return tuple(record.query_id for record in of_kind)
