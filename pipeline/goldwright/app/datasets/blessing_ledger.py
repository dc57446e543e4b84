"""Writing down under ``golden/`` what a blessing rests on, and replaying it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import run_for_reading
from goldwright.app.runs.stored_trust_cards import has_forged_card
from goldwright.canonical import digest_bytes
from goldwright.engine.clock import timestamp
from goldwright.errors import DamagedStateError
from goldwright.golden.ledger import (
    EntryKind,
    Ledger,
    LedgerEntry,
    LedgerHead,
    PublishedFiles,
    ReviewHead,
)
from goldwright.golden.ledger_replay import Replay, RunEvidence, replay_ledger
from goldwright.golden.loading import card_path, metadata_path
from goldwright.golden.ssh_signatures import sign
from goldwright.journal import ReviewLog
from goldwright.manifest import manifest_digest
from goldwright.records import AnyReviewEvent, ReviewPass, SampleEvent
from goldwright.regular_files import read_regular
from goldwright.workspace import RunDirectory, StageFileName


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person's sitting that has ended.

    Attributes:
        reviewer: The person.
        review_pass: Their pass.
        key: The private SSH key to sign with; None to leave the entry unsigned.
    """

    reviewer: str
    review_pass: ReviewPass
    key: Path | None = None


def ledger_of(environment: Environment) -> Ledger:
    """Give the ledger of a workspace."""
    return Ledger(environment.workspace.golden)


def note_sample(directory: RunDirectory, environment: Environment) -> None:
    """Write down the sample of a run, once it is drawn; a second call writes nothing."""
    events = _review_events(directory)
    sample = _last_sample(events)
    if sample is None:
        return
    ledger = ledger_of(environment)
    for stored in ledger.entries():
        entry = stored.entry
        if entry.kind == "sample" and entry.run == directory.name and entry.sample == sample:
            return
    # What stood in the file when it was drawn, whatever others have said since.
    number = next(event.number for event in events if event.chain == sample)
    head = ReviewHead(count=number, chain=sample)
    _append("sample", directory, environment, {"reviews": head, "sample": sample})


def note_sitting(directory: RunDirectory, sitting: Sitting, environment: Environment) -> None:
    """Write down how far the reviews go at the end of a person's sitting.

    Raises:
        InputError: It was to be signed and cannot be.
    """
    review_head = _review_head(_review_events(directory))
    facts = {
        "reviews": review_head,
        "reviewer": sitting.reviewer,
        "sitting": sitting.review_pass,
    }
    if sitting.key is not None:
        no_head = LedgerHead(number=0, sha256="")
        draft = _entry("sitting", directory, environment, facts, no_head)
        signature = sign(draft.signed_bytes, sitting.key)
        signed = draft.model_copy(update={"signature": signature})
        _append_made(signed, environment)
    else:
        _append("sitting", directory, environment, facts)


def note_resumed(directory: RunDirectory, environment: Environment) -> None:
    """Write down that a run changed after people had begun with it; nothing for another run."""
    if ledger_of(environment).names_run(directory.name):
        facts = {"reviews": _review_head(_review_events(directory))}
        _append("resumed", directory, environment, facts)


def note_requeue(
    directory: RunDirectory, breaches: Sequence[str], replaced_by: str, environment: Environment
) -> None:
    """Write down why a batch was replaced, and by which run."""
    review_head = _review_head(_review_events(directory))
    facts = {
        "reviews": review_head,
        "breaches": tuple(breaches),
        "replaced_by": replaced_by,
    }
    _append("requeue", directory, environment, facts)


def note_publication(
    kind: EntryKind,
    dataset: Path,
    run: str,
    directory: RunDirectory | None,
    environment: Environment,
) -> None:
    """Write down a published version, once.

    Args:
        kind: How it came about.
        dataset: Its file.
        run: The run that its records are from.
        directory: That run's directory; None where nothing of the run is compared.
        environment: Where the ledger is, and the time.
    """
    published = _published(dataset, environment)
    ledger = ledger_of(environment)
    if any(stored.entry.published == published for stored in ledger.entries()):
        return
    if directory is None:
        at = timestamp(environment.clock)
        entry = LedgerEntry(number=1, previous="", kind=kind, at=at, run=run, published=published)
        _append_made(entry, environment)
        return
    head = _review_head(_review_events(directory))
    _append(kind, directory, environment, {"reviews": head, "published": published})


def replay(environment: Environment, golden: Path, allowed_signers: Path | None) -> Replay:
    """Replay the ledger beside a dataset; one without entries where there is none.

    Args:
        environment: Where runs are.
        golden: The directory of the dataset.
        allowed_signers: The keys of reviewers; None where signatures are not asked for.

    Raises:
        DamagedStateError: An entry, or a file of a run that it names, is not what was written.
    """
    entries = Ledger(golden).entries()
    runs: dict[str, RunEvidence] = {}
    for name in dict.fromkeys(stored.entry.run for stored in entries):
        # A run may be elsewhere, since runs/ is committed by nobody; half of one may not.
        if (environment.workspace.runs / name).exists():
            runs[name] = _evidence(environment.workspace.find_run(name))
    return replay_ledger(entries, golden, runs, allowed_signers)


def refuse_damage(replay_result: Replay) -> None:
    """Stop where a replay shows that something is not what it was.

    Raises:
        DamagedStateError: It does; the text names everything.
    """
    if replay_result.problems:
        raise DamagedStateError(f"the ledger of golden/: {'; '.join(replay_result.problems)}")


def _evidence(directory: RunDirectory) -> RunEvidence:
    # Opened whole, so that every sealed file is compared with its seal.
    with run_for_reading(directory) as run:
        manifest = run.manifest
    return RunEvidence(
        manifest=manifest_digest(manifest),
        redone=len(manifest.redone),
        reviews=tuple(_review_events(directory)),
        has_forged_card=has_forged_card(directory),
    )


def _published(dataset: Path, environment: Environment) -> PublishedFiles:
    golden = environment.workspace.golden.resolve()
    is_in_workspace = dataset.parent.resolve() == golden
    return PublishedFiles(
        name=dataset.name,
        is_here=is_in_workspace,
        dataset=_file_digest(dataset),
        metadata=_file_digest(metadata_path(dataset)),
        card=_file_digest(card_path(dataset)),
    )


def _file_digest(path: Path) -> str:
    return digest_bytes(read_regular(path))


def _append(
    kind: EntryKind,
    directory: RunDirectory,
    environment: Environment,
    facts: Mapping[str, object],
) -> None:
    empty = LedgerHead(number=0, sha256="")
    _append_made(_entry(kind, directory, environment, facts, empty), environment)


def _append_made(entry: LedgerEntry, environment: Environment) -> None:
    def make_entry(head: LedgerHead) -> LedgerEntry:
        place = {"number": head.number + 1, "previous": head.sha256}
        return entry.model_copy(update=place)

    ledger_of(environment).append(make_entry)


def _entry(
    kind: EntryKind,
    directory: RunDirectory,
    environment: Environment,
    facts: Mapping[str, object],
    head: LedgerHead,
) -> LedgerEntry:
    manifest = directory.manifest()
    written_at = timestamp(environment.clock)
    redone_count = len(manifest.redone)
    entry = LedgerEntry(
        number=head.number + 1,
        previous=head.sha256,
        kind=kind,
        at=written_at,
        run=directory.name,
        manifest=manifest_digest(manifest),
        redone=redone_count,
    )
    return entry.model_copy(update=facts)


def _review_events(directory: RunDirectory) -> Sequence[AnyReviewEvent]:
    reviews = ReviewLog(directory.stage_path(StageFileName.HUMAN_REVIEWS))
    reviews.refresh()
    return reviews.events


def _review_head(events: Sequence[AnyReviewEvent]) -> ReviewHead:
    if not events:
        return ReviewHead(count=0, chain="")
    return ReviewHead(count=len(events), chain=events[-1].chain)


def _last_sample(events: Sequence[AnyReviewEvent]) -> str | None:
    samples = [event.chain for event in events if isinstance(event, SampleEvent)]
    return samples[-1] if samples else None
