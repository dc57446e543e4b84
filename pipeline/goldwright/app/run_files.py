"""Opening the files of a run: for the one writer under its lock, or for a reader beside it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from goldwright.engine.ordered_log import EmptyRecordLog, OrderedLog
from goldwright.journal import CallLog, ReviewLog, StageFile
from goldwright.llm.call_journal import CallJournal
from goldwright.manifest import RunManifest
from goldwright.records import CanaryOutcome, QueryRecord
from goldwright.review.events import ReviewEvents, fold_review_events
from goldwright.review.review_state import ReviewState
from goldwright.stages.catalog import roles_from
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.transcript import Transcript
from goldwright.workspace import CALLS_FILE, RunDirectory, StageFileName, finish_superseding

R = TypeVar("R", bound=QueryRecord)


@dataclass
class OpenRun:
    """A run with its files open; ``manifest`` is what ``run.json`` holds now."""

    directory: RunDirectory
    manifest: RunManifest
    stage_files: StageFiles
    canaries: OrderedLog[CanaryOutcome]
    transcript: Transcript
    call_journal: CallJournal
    stage_logs: dict[str, StageFile[QueryRecord]]
    calls: CallLog
    review_events: ReviewEvents

    @property
    def review_state(self) -> ReviewState:
        """The records with people's words on them."""
        return ReviewState(self.stage_files, self.review_events)

    def save(self, manifest: RunManifest) -> None:
        """Replace the manifest."""
        self.directory.save(manifest)
        self.manifest = manifest

    def seal(self) -> None:
        """Put the count and digest of every file into the manifest and call the run complete."""
        manifest = self.manifest
        for name, log in self.stage_logs.items():
            manifest = manifest.sealed(name, log.seal)
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
        InputError: A newer goldwright wrote it, or it cannot be opened.
    """
    with directory.lock():
        manifest = finish_superseding(directory, directory.manifest())
        with _opened(directory, manifest, writable=True) as run:
            for redone in manifest.redone[run.transcript.redone :]:
                run.transcript.redo(redone.number, redone.from_stage)
                run.call_journal.forget(roles_from(redone.from_stage))
            yield run


@contextmanager
def run_for_reading(directory: RunDirectory) -> Iterator[OpenRun]:
    """Open a run to look at it, whether or not a writer is at work.

    Raises:
        DamagedStateError: A file is not what was written.
        InputError: A newer goldwright wrote it, or it cannot be opened.
    """
    with _opened(directory, directory.manifest(), writable=False) as run:
        yield run


@contextmanager
def _opened(directory: RunDirectory, manifest: RunManifest, *, writable: bool) -> Iterator[OpenRun]:
    with ExitStack() as stack:
        stage_logs: dict[str, StageFile[QueryRecord]] = {}

        def open_log(name: StageFileName, model: type[R]) -> OrderedLog[R]:
            seal = manifest.seals.get(name)
            path = directory.stage_path(name)
            log = stack.enter_context(StageFile.open(path, model, writable=writable, sealed=seal))
            if seal is not None and manifest.state == "complete" and writable:
                log.check_seal(seal, exact=True)
            # A log of a narrower record is only read through here.
            stage_logs[name] = log  # type: ignore[assignment]
            return OrderedLog(log)

        stage_files = StageFiles.open(open_log)
        canaries: OrderedLog[CanaryOutcome] = OrderedLog(EmptyRecordLog())
        if manifest.canaries:
            canaries = open_log(StageFileName.CANARIES, CanaryOutcome)
        seal = manifest.seals.get(CALLS_FILE)
        calls = stack.enter_context(
            CallLog.open(directory.calls_path, manifest.run, writable=writable, sealed=seal)
        )
        yield OpenRun(
            directory=directory,
            manifest=manifest,
            stage_files=stage_files,
            canaries=canaries,
            transcript=Transcript(calls),
            call_journal=CallJournal(calls, roles_from),
            stage_logs=stage_logs,
            calls=calls,
            review_events=review_events_in(directory),
        )


def review_events_in(directory: RunDirectory) -> ReviewEvents:
    """Read what people said about a run.

    Raises:
        DamagedStateError: A line is not what was written.
    """
    reviews = ReviewLog(directory.stage_path(StageFileName.HUMAN_REVIEWS))
    reviews.refresh()
    return fold_review_events(reviews.events)


def stage_files_in(directory: RunDirectory) -> StageFiles:
    """Read the stage files of a run as they are, whether or not a writer is at work.

    Raises:
        DamagedStateError: A line is not what was written.
    """

    def open_log(name: StageFileName, model: type[R]) -> OrderedLog[R]:
        return OrderedLog(StageFile.open(directory.stage_path(name), model, writable=False))

    return StageFiles.open(open_log)
