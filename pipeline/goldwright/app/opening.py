"""Opening the files of a run: for the one writer under its lock, or for a reader beside it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from goldwright.engine.ledger import Ledger, NoShelf
from goldwright.journal import CallsFile, ReviewsFile, StageFile
from goldwright.llm.tape import Tape
from goldwright.manifest import RunManifest
from goldwright.records import (
    AdversaryReport,
    CanaryOutcome,
    GateFailure,
    Identified,
    NarrativeVerdict,
    OracleAnswer,
    QueryCandidate,
    QueuedRecord,
    RejectedRecord,
)
from goldwright.stages.casework import Books
from goldwright.stages.review.cases import Cases
from goldwright.stages.review.words import Words, words_of
from goldwright.stages.transcript import Transcript
from goldwright.workspace import CALLS_FILE, RunDirectory, StageFileName, finish_superseding

R = TypeVar("R", bound=Identified)


@dataclass
class OpenRun:
    """A run with its files open; ``manifest`` is what ``run.json`` holds now."""

    directory: RunDirectory
    manifest: RunManifest
    books: Books
    canaries: Ledger[CanaryOutcome]
    transcript: Transcript
    tape: Tape
    shelves: dict[str, StageFile[Identified]]
    calls: CallsFile
    words: Words

    @property
    def cases(self) -> Cases:
        """The records with people's words on them."""
        return Cases(self.books, self.words)

    def save(self, manifest: RunManifest) -> None:
        """Replace the manifest."""
        self.directory.save(manifest)
        self.manifest = manifest

    def seal(self) -> None:
        """Put the count and digest of every file into the manifest and call the run complete."""
        manifest = self.manifest
        for name, shelf in self.shelves.items():
            manifest = manifest.sealed(name, shelf.seal)
        self.save(manifest.sealed(CALLS_FILE, self.calls.seal).completed())

    def reopen(self) -> None:
        """Say in the manifest that files may grow beyond their seals, before the first one does."""
        self.save(self.manifest.model_copy(update={"state": "open"}))


@contextmanager
def run_for_writing(directory: RunDirectory) -> Iterator[OpenRun]:
    """Open a run as its only writer.

    Raises:
        BusyError: Another process has it.
        DamagedStateError: A file is not what was written.
        InputError: A newer goldwright wrote it, or it can not be opened.
    """
    with directory.lock():
        manifest = finish_superseding(directory, directory.manifest())
        with _opened(directory, manifest, writable=True) as run:
            for redone in manifest.redone[run.transcript.redone :]:
                run.transcript.redo(redone.number, redone.from_stage)
                run.tape.redo(redone.from_stage)
            yield run


@contextmanager
def run_for_reading(directory: RunDirectory) -> Iterator[OpenRun]:
    """Open a run to look at it, whether or not a writer is at work.

    Raises:
        DamagedStateError: A file is not what was written.
        InputError: A newer goldwright wrote it, or it can not be opened.
    """
    with _opened(directory, directory.manifest(), writable=False) as run:
        yield run


@contextmanager
def _opened(directory: RunDirectory, manifest: RunManifest, *, writable: bool) -> Iterator[OpenRun]:
    with ExitStack() as stack:
        shelves: dict[str, StageFile[Identified]] = {}

        def ledger(name: StageFileName, model: type[R]) -> Ledger[R]:
            seal = manifest.seals.get(name)
            path = directory.stage_path(name)
            shelf = stack.enter_context(StageFile.open(path, model, writable=writable, sealed=seal))
            if seal is not None and manifest.state == "complete" and writable:
                shelf.check_seal(seal, exact=True)
            shelves[name] = shelf  # type: ignore[assignment]  # a shelf of a narrower record is only read through here
            return Ledger(shelf)

        books = _books(ledger)
        canaries = ledger(StageFileName.CANARIES, CanaryOutcome) if manifest.canaries else Ledger(NoShelf())
        calls = stack.enter_context(
            CallsFile.open(directory.calls_path, manifest.run, writable=writable, sealed=manifest.seals.get(CALLS_FILE))
        )
        words = words_in(directory)
        yield OpenRun(directory, manifest, books, canaries, Transcript(calls), Tape(calls), shelves, calls, words)


def words_in(directory: RunDirectory) -> Words:
    """Read what people said about a run.

    Raises:
        DamagedStateError: A line is not what was written.
    """
    reviews = ReviewsFile(directory.stage_path(StageFileName.HUMAN_REVIEWS))
    reviews.refresh()
    return words_of(reviews.events)


def books_in(directory: RunDirectory) -> Books:
    """Read the stage files of a run as they are, whether or not a writer is at work.

    Raises:
        DamagedStateError: A line is not what was written.
    """

    def ledger(name: StageFileName, model: type[R]) -> Ledger[R]:
        return Ledger(StageFile.open(directory.stage_path(name), model, writable=False))

    return _books(ledger)


class _Shelving(Protocol):
    def __call__(self, name: StageFileName, model: type[R]) -> Ledger[R]: ...


def _books(ledger: _Shelving) -> Books:
    return Books(
        candidates=ledger(StageFileName.CANDIDATES, QueryCandidate),
        answers=ledger(StageFileName.ORACLE_ANSWERS, OracleAnswer),
        reports=ledger(StageFileName.ADVERSARY_REPORTS, AdversaryReport),
        failures=ledger(StageFileName.VALIDATION_FAILURES, GateFailure),
        queue=ledger(StageFileName.HUMAN_REVIEW_QUEUE, QueuedRecord),
        rejected=ledger(StageFileName.REJECTED, RejectedRecord),
        verdicts=ledger(StageFileName.NARRATIVE_VERDICTS, NarrativeVerdict),
    )
