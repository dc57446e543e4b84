"""Opening the files of a run: for its one writer, or for a reader beside it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from goldwright.engine.ordered_log import EmptyRecordLog, OrderedLog
from goldwright.journal import CallLog, ReviewLog, StageFile
from goldwright.llm.call_journal import CallJournal
from goldwright.manifest import RunManifest
from goldwright.records import CanaryOutcome, QueryRecord
from goldwright.review.folded_events import ReviewEvents, fold_review_events
from goldwright.review.review_state import ReviewState
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import roles_from
from goldwright.stages.transcript import Transcript
from goldwright.workspace import CALLS_FILE, RunDirectory, StageFileName, finish_superseding

R = TypeVar("R", bound=QueryRecord)


@dataclass
class OpenRun:
    """A run with its files open.

    Attributes:
        directory: Where its files are.
        manifest: What ``run.json`` holds now.
        stage_files: The records of every stage.
        canaries: The Adversary's outcomes on falsified answers; empty for a run without any.
        transcript: What every role was shown.
        call_journal: The calls of models.
        stage_logs: The open files by name, to be sealed.
        calls: The file under transcript and call journal.
        review_events: Verdicts, edits and decisions of people.
    """

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
        """The records with the verdicts, edits and decisions of people."""
        return ReviewState(self.stage_files, self.review_events)

    def save(self, manifest: RunManifest) -> None:
        """Replace the manifest."""
        self.directory.save(manifest)
        self.manifest = manifest

    def seal(self) -> None:
        """Put count and digest of every file into the manifest and call the run complete."""
        manifest = self.manifest
        for name, log in self.stage_logs.items():
            manifest = manifest.sealed(name, log.seal)
        manifest = manifest.sealed(CALLS_FILE, self.calls.seal)
        self.save(manifest.completed())

    def reopen(self) -> None:
        """Allow files to grow beyond their seals; comes before the first one does."""
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
        with _open_run(directory, manifest, writable=True) as run:
            _record_redone_stages(run)
            yield run


@contextmanager
def run_for_reading(directory: RunDirectory) -> Iterator[OpenRun]:
    """Open a run to look at it, whether or not a writer is at work.

    Raises:
        DamagedStateError: A file is not what was written.
        InputError: A newer goldwright wrote it, or it cannot be opened.
    """
    with _open_run(directory, directory.manifest(), writable=False) as run:
        yield run


def stage_files_in(directory: RunDirectory) -> StageFiles:
    """Read the stage files of a run as they are, whether or not a writer is at work.

    Raises:
        DamagedStateError: A line is not what was written.
    """

    def open_log(name: StageFileName, model: type[R]) -> OrderedLog[R]:
        file = StageFile.open(directory.stage_path(name), model, writable=False)
        return OrderedLog(file)

    return StageFiles.open(open_log)


def _record_redone_stages(run: OpenRun) -> None:
    """Bring the log of calls up to the manifest, which learns first that a stage is redone."""
    for redone in run.manifest.redone[run.transcript.redone :]:
        run.transcript.redo(redone.number, redone.from_stage, keeps_replies=redone.keeps_replies)
        if not redone.keeps_replies:
            run.call_journal.forget(roles_from(redone.from_stage))


@contextmanager
def _open_run(
    directory: RunDirectory, manifest: RunManifest, *, writable: bool
) -> Iterator[OpenRun]:
    with ExitStack() as stack:
        opener = _StageFileOpener(directory, manifest, stack, writable=writable)
        stage_files = StageFiles.open(opener)
        canaries: OrderedLog[CanaryOutcome] = OrderedLog(EmptyRecordLog())
        if manifest.canaries:
            canaries = opener(StageFileName.CANARIES, CanaryOutcome)
        seal = manifest.seals.get(CALLS_FILE)
        call_log = CallLog.open(directory.calls_path, manifest.run, writable=writable, sealed=seal)
        calls = stack.enter_context(call_log)
        call_journal = CallJournal(calls, roles_from)
        yield OpenRun(
            directory=directory,
            manifest=manifest,
            stage_files=stage_files,
            canaries=canaries,
            transcript=Transcript(calls),
            call_journal=call_journal,
            stage_logs=opener.logs,
            calls=calls,
            review_events=_read_review_events(directory),
        )


@dataclass
class _StageFileOpener:
    """Opens stage files against their seals, and remembers them."""

    directory: RunDirectory
    manifest: RunManifest
    stack: ExitStack
    writable: bool = field(kw_only=True)
    logs: dict[str, StageFile[QueryRecord]] = field(default_factory=dict)

    def __call__(self, name: StageFileName, model: type[R]) -> OrderedLog[R]:
        seal = self.manifest.seals.get(name)
        path = self.directory.stage_path(name)
        file = StageFile.open(path, model, writable=self.writable, sealed=seal)
        log = self.stack.enter_context(file)
        # An open run may have grown beyond its seals, and a reader may find a writer at work.
        if seal is not None and self.manifest.state == "complete" and self.writable:
            log.check_seal(seal, exact=True)
        # A log of a narrower record is only read through here.
        self.logs[name] = log  # type: ignore[assignment]  # mypy has no covariant StageFile
        return OrderedLog(log)


def _read_review_events(directory: RunDirectory) -> ReviewEvents:
    reviews = ReviewLog(directory.stage_path(StageFileName.HUMAN_REVIEWS))
    reviews.refresh()
    return fold_review_events(reviews.events)
