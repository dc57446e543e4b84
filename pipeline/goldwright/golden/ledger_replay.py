"""Replaying a ledger: is what a blessing rests on still what it was?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.canonical import digest_bytes
from goldwright.golden.ledger import (
    LedgerEntry,
    LedgerHead,
    PublishedFiles,
    StoredEntry,
    is_long_before,
)
from goldwright.golden.loading import card_path, metadata_path, read_metadata
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.reviewer_signatures import signature_problems, unsigned_reviewers
from goldwright.golden.versions import published_versions
from goldwright.records import AnyReviewEvent, SampleEvent
from goldwright.regular_files import read_regular
from goldwright.text import counted


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """What a run that is still there says of itself.

    Attributes:
        manifest: The digest of its whole manifest.
        redone: How often its stages were done again.
        reviews: Its review events.
        has_forged_card: Whether a trust card lies beside it that is not what was written.
    """

    manifest: str
    redone: int
    reviews: Sequence[AnyReviewEvent]
    has_forged_card: bool = False


@dataclass(frozen=True, slots=True)
class Replay:
    """What replaying a ledger shows.

    Attributes:
        entries: How many entries it has.
        problems: What is not as it was, a sentence each.
        absent_runs: The runs whose files are not here, so that nothing of them can be compared.
        unsigned: Reviewers of blessed versions who signed no sitting, or not all they said; empty
            where signatures were not asked for.
    """

    entries: int
    problems: tuple[str, ...]
    absent_runs: tuple[str, ...]
    unsigned: tuple[str, ...]


def replay_ledger(
    entries: Sequence[StoredEntry],
    directory: Path,
    runs: Mapping[str, RunEvidence],
    allowed_signers: Path | None,
) -> Replay:
    """Compare the entries of a ledger with the versions and runs that they are about.

    Args:
        entries: The entries, oldest first, their chain checked.
        directory: The directory that versions are published in.
        runs: The runs that are still there, by name.
        allowed_signers: The keys of reviewers; None where signatures are not asked for.
    """
    plain = [stored.entry for stored in entries]
    problems = [*_published_problems(plain, directory)]
    problems.extend(_version_problems(entries, directory))
    absent: list[str] = []
    # A rebase goes on from a version, whatever became of the run behind it.
    of_runs = [entry for entry in plain if entry.kind != "rebase"]
    for run in dict.fromkeys(entry.run for entry in of_runs):
        evidence = runs.get(run)
        if evidence is None:
            absent.append(run)
            continue
        entries_of_run = [entry for entry in of_runs if entry.run == run]
        problems.extend(_run_problems(entries_of_run, evidence))
    unsigned: tuple[str, ...] = ()
    if allowed_signers is not None:
        problems.extend(signature_problems(plain, allowed_signers))
        reviews = {run: evidence.reviews for run, evidence in runs.items()}
        unsigned = tuple(unsigned_reviewers(plain, directory, reviews))
    return Replay(len(plain), tuple(problems), tuple(absent), unsigned)


def _published_problems(entries: Sequence[LedgerEntry], directory: Path) -> Iterator[str]:
    """Compare every version that was published here, or brought here, with what was published."""
    all_files = [entry.published for entry in entries if entry.published]
    here = {published.name for published in all_files if published.is_here}
    newest = {entry.published.name: entry.number for entry in entries if entry.published}
    for entry in entries:
        published = entry.published
        if published is None:
            continue
        # Who publishes elsewhere may bring the newest of that name here by hand.
        is_newest = newest[published.name] == entry.number
        was_brought = published.name not in here and is_newest
        dataset_path = directory / published.name
        is_here = published.is_here or (was_brought and dataset_path.is_file())
        if not is_here:
            continue
        for path, expected in _files_of(published, directory):
            if not path.is_file():
                yield f"{path.name}: was published by entry {entry.number} and is gone"
            elif digest_bytes(read_regular(path)) != expected:
                yield f"{path.name}: is not what entry {entry.number} published"
        metadata = _metadata(dataset_path)
        if metadata is not None and metadata.run != entry.run:
            run = metadata.run
            yield f"{published.name}: is of the run {run}, which entry {entry.number} is not"


def _files_of(published: PublishedFiles, directory: Path) -> list[tuple[Path, str]]:
    dataset = directory / published.name
    return [
        (dataset, published.dataset),
        (metadata_path(dataset), published.metadata),
        (card_path(dataset), published.card),
    ]


def _version_problems(entries: Sequence[StoredEntry], directory: Path) -> Iterator[str]:
    """Look for versions that no entry knows, and for entries that metadata know and are gone."""
    published_names = {stored.entry.published.name for stored in entries if stored.entry.published}
    digests = {stored.entry.number: stored.sha256 for stored in entries}
    for version in published_versions(directory):
        name = version.path.name
        if name not in published_names:
            yield f"{name}: no entry of the ledger published it"
        head = _named_head(version.path)
        if head is not None and head.number and digests.get(head.number) != head.sha256:
            yield f"{name}: rests on entry {head.number} of the ledger, which is not what it was"


def _metadata(dataset: Path) -> DatasetMetadata | None:
    if not dataset.is_file():
        return None
    return read_metadata(dataset)


def _named_head(dataset: Path) -> LedgerHead | None:
    metadata = read_metadata(dataset)
    if metadata is None:
        return None
    return metadata.ledger


def _run_problems(entries: Sequence[LedgerEntry], evidence: RunEvidence) -> Iterator[str]:
    """Compare what the ledger says of a run with its files."""
    last = entries[-1]
    if last.manifest != evidence.manifest:
        yield (
            f"{last.run}: its manifest or one of its sealed files is not what entry "
            f"{last.number} names"
        )
    if evidence.has_forged_card:
        yield f"{last.run}: its trust card is not what was written; without it, a new one is made"
    for entry in entries:
        yield from _entry_problems(entry, evidence)
    yield from _closing_problems(entries, evidence)


def _entry_problems(entry: LedgerEntry, evidence: RunEvidence) -> Iterator[str]:
    """Compare what one entry says of a run with its files."""
    if entry.reviews is not None and 0 < entry.reviews.count <= len(evidence.reviews):
        said_at = evidence.reviews[entry.reviews.count - 1].reviewed_at
        if is_long_before(entry.at, said_at):
            yield (
                f"{entry.run}: entry {entry.number} is from {entry.at}, before the last review "
                f"that it counts"
            )
    if entry.redone > evidence.redone:
        times = counted(entry.redone, "time")
        yield (
            f"{entry.run}: entry {entry.number} says that its stages were done again "
            f"{times}, its manifest {evidence.redone}"
        )
    # A stage that is done again puts the reviews of its records away.
    if entry.redone == evidence.redone:
        yield from _review_problems(entry, evidence)


def _review_problems(entry: LedgerEntry, evidence: RunEvidence) -> Iterator[str]:
    """Compare the reviews that an entry counts with those that are there."""
    chains = [event.chain for event in evidence.reviews]
    reviews = entry.reviews
    if reviews is not None and reviews.count > len(chains):
        event_count = counted(reviews.count, "review event")
        yield (f"{entry.run}: entry {entry.number} counts {event_count}, {len(chains)} are left")
    elif reviews is not None and reviews.count and chains[reviews.count - 1] != reviews.chain:
        yield f"{entry.run}: its reviews are not those of entry {entry.number}"
    if entry.sample is not None and entry.sample not in _sample_chains(evidence.reviews):
        yield f"{entry.run}: the sample of entry {entry.number} is not there"


def _sample_chains(reviews: Sequence[AnyReviewEvent]) -> set[str]:
    return {event.chain for event in reviews if isinstance(event, SampleEvent)}


def _closing_problems(entries: Sequence[LedgerEntry], evidence: RunEvidence) -> Iterator[str]:
    """A batch that was replaced stays closed."""
    closing = [entry for entry in entries if entry.kind == "requeue"]
    if not closing:
        return
    requeue = closing[0]
    replaced_by = requeue.replaced_by
    for entry in entries:
        if entry.number > requeue.number and entry.kind in {"sample", "sitting", "export"}:
            yield (
                f"{entry.run}: was replaced by {replaced_by} in entry {requeue.number}, "
                f"and entry {entry.number} goes on with it"
            )
    reviews = requeue.reviews
    if reviews is not None and len(evidence.reviews) > reviews.count:
        yield f"{requeue.run}: has review events from after it was replaced by {replaced_by}"
