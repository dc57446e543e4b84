"""People's part at the command line: opening the room for a reviewer, and telling how the sample
stands.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from goldwright.app.environment import Environment
from goldwright.app.run import reopened_snapshot
from goldwright.app.run_files import run_for_reading, stage_files_in
from goldwright.app.run_report import RunReport, report_on
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.journal import ReviewLog
from goldwright.records import ReviewPass, VerdictEvent
from goldwright.review.review_rules import same_person
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import ReviewBatch
from goldwright.web.application import review_app
from goldwright.web.request_guard import new_token
from goldwright.web.server import serve
from goldwright.workspace import MANIFEST_FILE, RunDirectory, StageFileName, earlier_reviews

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """Who reviews which run, in which sitting; ``canaries`` falsified answers are hidden when the
    sample is drawn.
    """

    run: str
    reviewer: str
    sitting: ReviewPass = "first"
    canaries: int = 0


class BatchLoader:
    """Reads the files of a run again when one of them changed; a runner may be at work on them."""

    def __init__(self, directory: RunDirectory) -> None:
        self._directory = directory
        self._signature: tuple[object, ...] = ()
        self._batch: ReviewBatch | None = None

    def __call__(self) -> ReviewBatch:
        """Give the batch as it is; the same object while nothing changed."""
        signature = tuple(self._looks())
        if self._batch is None or signature != self._signature:
            self._batch = self._read()
            self._signature = signature
        return self._batch

    def _read(self) -> ReviewBatch:
        manifest = self._directory.manifest()
        return ReviewBatch(
            plan=manifest.plan,
            stage_files=stage_files_in(self._directory),
            seed=manifest.seed,
            round=manifest.round + earlier_reviews(self._directory),
            is_complete=manifest.state == "complete",
        )

    def _looks(self) -> Iterator[object]:
        for name in (MANIFEST_FILE, *StageFileName):
            if name == StageFileName.HUMAN_REVIEWS:
                continue
            try:
                found = (self._directory.path / name).stat()
                yield (found.st_ino, found.st_size, found.st_mtime_ns)
            except FileNotFoundError:
                yield None


@contextmanager
def open_review_session(
    request: ReviewRequest, environment: Environment, progress: Progress
) -> Iterator[tuple[ReviewSession, str]]:
    """Open the room of a reviewer and tell the run's name; others and a runner may be at work on
    the same run.

    Raises:
        InputError: The name is no name, there is nothing to review yet, or this person had the
            other sitting.
    """
    reviewer = _checked_name(request.reviewer)
    directory = environment.workspace.find_run(request.run)
    manifest = directory.manifest()
    reader = BatchLoader(directory)
    if not reader().stage_files.answers.done:
        raise InputError(
            f"{directory.name}: holds no answer to review yet; carry it on: goldwright resume"
        )
    with ReviewLog(directory.stage_path(StageFileName.HUMAN_REVIEWS)) as reviews:
        reviews.refresh()
        _check_sitting(reviews, reviewer, request.sitting)
        session = ReviewSession(
            reader,
            reviews,
            reopened_snapshot(manifest, environment, progress),
            reviewer=reviewer,
            review_pass=request.sitting,
            now=lambda: timestamp(environment.clock),
            canaries=request.canaries,
        )
        session.draw_sample(key=f"sample-{environment.chance.getrandbits(64):016x}")
        yield session, directory.name


def serve_review(
    session: ReviewSession,
    run: str,
    *,
    port: int,
    token_bytes: Callable[[int], bytes],
    announce: Callable[[str], None],
) -> None:
    """Serve the review page until a signal comes; ``announce`` is told the address, which holds the
    token.

    Raises:
        InputError: The port is in use or no port.
    """
    token = new_token(token_bytes)
    serve(
        lambda bound: review_app(session, run=run, port=bound, token=token),
        port=port,
        announce=lambda bound: announce(f"http://127.0.0.1:{bound}/#t={token}"),
        stop=lambda: False,
    )


def spot_check_run(name: str, environment: Environment) -> RunReport:
    """Tell how people's part of a run stands."""
    with run_for_reading(environment.workspace.find_run(name)) as run:
        return report_on(run)


def _checked_name(name: str) -> str:
    words = " ".join(name.split())
    if not words or len(words) > LONGEST_NAME or not words.isprintable():
        raise InputError(f"--reviewer: wanted a name of 1 to {LONGEST_NAME} printable characters")
    return words


def _check_sitting(reviews: ReviewLog, reviewer: str, sitting: ReviewPass) -> None:
    other = {"first": "second", "second": "first"}.get(sitting)
    for event in reviews.events:
        if (
            isinstance(event, VerdictEvent)
            and event.sitting == other
            and same_person(event.reviewer, reviewer)
        ):
            raise InputError(
                f"--reviewer {reviewer}: gave verdicts as the {other} reviewer; the two must be different people"
            )
