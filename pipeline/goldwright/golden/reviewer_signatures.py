"""Whether every reviewer of a blessed version has signed all that they said."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from goldwright.golden.ledger import LedgerEntry
from goldwright.golden.loading import read_metadata
from goldwright.golden.ssh_signatures import is_signed_by
from goldwright.golden.versions import published_versions
from goldwright.records import AnyReviewEvent
from goldwright.review.person_names import person_key


def signature_problems(entries: Sequence[LedgerEntry], allowed_signers: Path) -> Iterator[str]:
    """Name the entries of a ledger whose signature is not their reviewer's."""
    for entry in entries:
        if entry.signature is None or entry.reviewer is None:
            continue
        data = entry.signed_bytes
        if not is_signed_by(entry.reviewer, data, entry.signature, allowed_signers):
            yield f"entry {entry.number}: is not signed with a key of {entry.reviewer}"


def unsigned_reviewers(
    entries: Sequence[LedgerEntry],
    directory: Path,
    reviews: Mapping[str, Sequence[AnyReviewEvent]],
) -> Iterator[str]:
    """Name the reviewers of blessed versions who did not sign all that they said.

    Args:
        entries: The entries of the ledger.
        directory: The directory that versions are published in.
        reviews: The review events of the runs that are still there, by name.
    """
    for version in published_versions(directory):
        metadata = read_metadata(version.path)
        if metadata is None:
            continue
        for batch in metadata.batches:
            for reviewer in batch.human_reviewers:
                if not _has_signed(reviewer, batch.run, entries, reviews):
                    yield f"{version.path.name}: {reviewer} signed not all that they said"


def _has_signed(
    reviewer: str,
    run: str,
    entries: Sequence[LedgerEntry],
    reviews: Mapping[str, Sequence[AnyReviewEvent]],
) -> bool:
    person = person_key(reviewer)
    signed_count = 0
    for entry in entries:
        entry_person = person_key(entry.reviewer or "")
        is_theirs = entry.run == run and entry_person == person
        if is_theirs and entry.signature is not None and entry.reviews is not None:
            signed_count = max(signed_count, entry.reviews.count)
    if run not in reviews:
        return signed_count > 0
    return signed_count >= _last_word(person, reviews[run])


def _last_word(person: str, reviews: Sequence[AnyReviewEvent]) -> int:
    """Give the number of the last event of a person, at least 1."""
    numbers = [event.number for event in reviews if person_key(event.reviewer) == person]
    return max(numbers, default=1)
