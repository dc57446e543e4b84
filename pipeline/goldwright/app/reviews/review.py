"""Opening a review session over a run, and serving its page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from goldwright.app.datasets.blessing_ledger import Sitting, note_sample, note_sitting
from goldwright.app.environment import Environment
from goldwright.app.reviews.practice_offer import practice_offer
from goldwright.app.runs.replaced_runs import replacement_of
from goldwright.app.runs.run_files import run_for_reading, stage_files_in
from goldwright.app.runs.run_report import report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.app.runs.stored_trust_cards import read_run_card
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.journal import ReviewLog
from goldwright.plan import Plan
from goldwright.records import ReviewPass, VerdictEvent
from goldwright.review.folded_events import fold_review_events
from goldwright.review.passes import ADJUDICATION, FIRST, INDEPENDENT_PASSES, SECOND
from goldwright.review.person_names import same_person
from goldwright.review.practice_desk import TrainingMode
from goldwright.review.provability import fewest_catches
from goldwright.review.queues import review_queues
from goldwright.review.review_state import ReviewState
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import ReviewBatch
from goldwright.review.spot_check import spot_check
from goldwright.stages.fates import record_fates
from goldwright.text import counted
from goldwright.web.application import review_app
from goldwright.web.request_guard import new_token
from goldwright.web.server import serve
from goldwright.workspace import (
    MANIFEST_FILE,
    TRUST_CARD_FILE,
    RunDirectory,
    StageFileName,
    earlier_reviews,
)

# Characters; a name stands in every event of the log and in a line of the page.
MAX_NAME_LENGTH: Final = 60

# The two passes whose reviewers must be different people.
OTHER_PASS: Final[dict[ReviewPass, ReviewPass]] = {FIRST: SECOND, SECOND: FIRST}


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """Who reviews which run.

    Attributes:
        run: The run by name or path, or ``latest``.
        reviewer: The name of the person, kept with every verdict.
        review_pass: First or second reviewer, or who settles where the two differ.
        canaries: How many falsified answers are hidden when the sample is drawn.
        more: How many records are added to a sample that proved nothing; 0 for none.
        scripted: Whether a script speaks for the person.
        sign_key: The SSH key to sign with how far the reviews go at the end.
        training: Whether practice records are offered to who is new, or begun whoever it is.
        may_wait: Whether an adjudicator may come before anybody has judged, as by a link.
    """

    run: str
    reviewer: str
    review_pass: ReviewPass = FIRST
    canaries: int = 0
    scripted: bool = False
    sign_key: Path | None = None
    training: TrainingMode = "off"
    may_wait: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class _FileSignature:
    """What changes whenever a file is replaced or appended to."""

    inode: int
    size: int
    modified_ns: int


class BatchLoader:
    """Reads the files of a run again when one of them changed; a runner may be at work on them."""

    def __init__(self, directory: RunDirectory) -> None:
        self._directory = directory
        self._signatures: list[_FileSignature | None] = []
        self._batch: ReviewBatch | None = None

    def __call__(self) -> ReviewBatch:
        """Give the batch as it is; the same object as long as nothing changed."""
        # Taken before reading, so that a change meanwhile is seen the next time.
        signatures = list(self._read_signatures())
        if self._batch is None or signatures != self._signatures:
            self._batch = self._read_batch()
            self._signatures = signatures
        return self._batch

    def _read_batch(self) -> ReviewBatch:
        manifest = self._directory.manifest()
        # Samples that a redone stage has put away were looks at the batch too.
        looks = manifest.round + earlier_reviews(self._directory)
        is_complete = manifest.state == "complete"
        return ReviewBatch(
            plan=manifest.plan,
            stage_files=stage_files_in(self._directory),
            run=manifest.run,
            seed=manifest.seed,
            round=looks,
            is_complete=is_complete,
            trust_card=read_run_card(self._directory),
        )

    def _read_signatures(self) -> Iterator[_FileSignature | None]:
        for name in (MANIFEST_FILE, TRUST_CARD_FILE, *StageFileName):
            # The session reads what people say by itself, line by line.
            if name != StageFileName.HUMAN_REVIEWS:
                yield _signature(self._directory.path / name)


def _signature(path: Path) -> _FileSignature | None:
    """Give the signature of a file, None where it is not there."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return _FileSignature(status.st_ino, status.st_size, status.st_mtime_ns)


@contextmanager
def open_review_session(
    request: ReviewRequest, environment: Environment, progress: Progress
) -> Iterator[tuple[ReviewSession, str]]:
    """Open the session of a reviewer; others and a runner may be at work on the same run.

    Yields:
        The session, and the name of the run.

    Raises:
        InputError: The name is not a name, there is nothing to review yet, or this person was the
            other reviewer.
        QualityGateError: Nobody has judged what this person would settle.
    """
    reviewer = _clean_name(request.reviewer)
    # At the end, when it is needed, a person's work would be done and the entry missing.
    if request.sign_key is not None and not request.sign_key.is_file():
        raise InputError(f"--sign-key {request.sign_key}: there is no such file")
    directory = environment.workspace.find_run(request.run)
    manifest = directory.manifest()
    replaced_by = replacement_of(directory.name, environment)
    if replaced_by is not None:
        raise InputError(f"{directory.name}: {replaced_by} replaces it; review that one")
    load_batch = BatchLoader(directory)
    if not load_batch().stage_files.answers.done:
        raise InputError(
            f"{directory.name}: holds no answer to review yet; carry it on: goldwright resume"
        )
    # ``latest`` may be another run than the one that somebody else has begun to judge.
    origin = f"plan {manifest.plan.name}, codebase {manifest.repo}"
    progress.note(f"run: {directory.name} ({origin})")
    _note_shortfall(directory, progress)
    with ReviewLog(directory.stage_path(StageFileName.HUMAN_REVIEWS)) as reviews:
        reviews.refresh()
        _refuse_other_reviewer(reviews, reviewer, request.review_pass)
        if request.review_pass == ADJUDICATION and not request.may_wait:
            _note_missing_verdicts(load_batch(), reviews, directory.name, progress)
        snapshot = reopen_snapshot(manifest, environment, progress)
        read_time = partial(timestamp, environment.clock)
        training = practice_offer(request.training, reviewer, directory, environment)
        session = ReviewSession(
            load_batch,
            reviews,
            snapshot,
            reviewer=reviewer,
            review_pass=request.review_pass,
            read_time=read_time,
            canaries=request.canaries,
            scripted=request.scripted,
            training=training,
        )
        random_bits = environment.chance.getrandbits(64)
        sample_key = f"sample-{random_bits:016x}"
        # By whoever comes first; a sample that is drawn already stays as it is.
        if request.more:
            session.draw_more(request.more, key=sample_key)
        else:
            session.draw_sample(key=sample_key)
        note_sample(directory, environment)
        _note_what_it_takes(load_batch(), reviews, request.review_pass, progress)
        words_before = len(reviews.events)
        if request.training == "begin":
            training_bits = environment.chance.getrandbits(64)
            session.practice.begin(key=f"training-{training_bits:016x}")
        yield session, directory.name
        note_sample(directory, environment)
        if len(reviews.events) > words_before or request.sign_key is not None:
            sitting = Sitting(reviewer, request.review_pass, request.sign_key)
            note_sitting(directory, sitting, environment)


def _note_shortfall(directory: RunDirectory, progress: Progress) -> None:
    """Say before anybody reviews that a batch is too small to be blessed as it is."""
    with run_for_reading(directory) as run:
        report = report_on(run)
    minimum = report.plan.minimum_total
    if report.check.outcome == "breached":
        progress.note(
            "this batch cannot be blessed any more, whatever is judged now: "
            f"goldwright spot-check {report.name}"
        )
    if report.state != "complete" or report.plan.is_return:
        return
    if report.selected < minimum or report.short_cells:
        cells = ", ".join(map(str, report.short_cells))
        selected_records = counted(report.selected, "record")
        planned = f"{report.plan.total} planned, of which {minimum} would do"
        size = f"{selected_records} selected, {planned}"
        sentence = (
            f"this batch cannot be blessed as it is: {size}; "
            f"cells that are short: {cells or 'none'}"
        )
        # Of a batch that is too small for any proof, the review itself says so.
        if report.check.needed == 0:
            way_out = f"goldwright resume {report.name} --as-filled"
            sentence += f"; before the first verdict, {way_out} takes what it holds for its plan"
        progress.note(sentence)


def _note_what_it_takes(
    batch: ReviewBatch, reviews: ReviewLog, review_pass: ReviewPass, progress: Progress
) -> None:
    """Say before anybody reviews what must be caught, or that no review would prove anything."""
    if batch.plan.is_return:
        progress.note(
            "each of these records is decided by itself, and no sample is drawn: keep or drop it; "
            "an export takes what was kept"
        )
        return
    review_state = ReviewState(batch.stage_files, fold_review_events(reviews.events))
    sample = len(review_state.events.sampled)
    planted = len(review_state.events.canaries)
    fewest = fewest_catches(review_state)
    records = counted(sample, "record")
    if fewest is None:
        canaries = counted(planted, "canary")
        size = f"a sample of {records} with {canaries}"
        progress.note(
            f"this batch cannot be blessed as it is: {size} proves nothing, "
            "even if each of them is judged right; plan more records"
        )
    elif fewest:
        number = f"{fewest} of the {planted}"
        if fewest == planted:
            number = f"all {planted}"
        answers = counted(planted, "falsified answer")
        further_records = _others_waiting(batch.plan, review_state, review_pass)
        progress.note(
            f"{answers} hidden among {records}{further_records}; the sample proves nothing "
            f"unless the two reviewers together keep out {number}"
        )


def _others_waiting(plan: Plan, review_state: ReviewState, review_pass: ReviewPass) -> str:
    """Say how many records this pass is shown beside the sample, so that its counts add up."""
    text = ""
    for queue in review_queues(plan, review_state, review_pass):
        if queue.name != "sample" and queue.items:
            records = counted(len(queue.items), "record")
            text += f", and {records} under “{queue.title}”"
    return text


def _note_missing_verdicts(
    batch: ReviewBatch, reviews: ReviewLog, run: str, progress: Progress
) -> None:
    """Say to an adjudicator what is missing.

    Raises:
        QualityGateError: One of the two reviewers has judged nothing, so they cannot differ.
    """
    events = fold_review_events(reviews.events)
    state = ReviewState(batch.stage_files, events)
    fates = record_fates(batch.plan, batch.stage_files, state.rulings)
    missing = spot_check(batch.plan, state, fates, seed=batch.seed).missing
    phrases = "; ".join(missing)
    heard = {event.sitting for event in events.verdicts.values()}
    if not heard.issuperset(INDEPENDENT_PASSES):
        reasons = f": {phrases}" if phrases else ""
        second = " --second" if FIRST in heard else ""
        raise QualityGateError(
            f"{run}: there is nothing to settle yet{reasons}; "
            f"go on with: goldwright review {run} --reviewer NAME{second}"
        )
    if missing:
        progress.note(f"before the batch can be blessed there is missing: {phrases}")


def serve_review(
    session: ReviewSession,
    run: str,
    *,
    port: int,
    token_bytes: Callable[[int], bytes],
    announce: Callable[[str], None],
) -> None:
    """Serve the review page until a signal comes.

    Args:
        session: What is reviewed.
        run: The name of the run, for the title of the page.
        port: The port on 127.0.0.1; 0 for any that is free.
        token_bytes: Draws so many unpredictable bytes, for the token of the page.
        announce: Is called with the address, which holds the token.

    Raises:
        InputError: The port is in use or is not a port.
    """
    token = new_token(token_bytes)

    def announce_address(bound_port: int) -> None:
        # Behind the hash, so that the token is never sent or logged as part of an address.
        announce(f"http://127.0.0.1:{bound_port}/#t={token}")

    # No named function: its type is starlette's, which only the web floor may import.
    serve(
        lambda bound_port: review_app(session, run=run, port=bound_port, token=token),
        port=port,
        announce=announce_address,
        stop=_never,
    )


def _never() -> bool:
    """Leave the end of the server to signals."""
    return False


def _clean_name(name: str) -> str:
    """Put single spaces between the words of a name.

    Raises:
        InputError: It is empty, too long, or holds characters that cannot be printed.
    """
    clean_name = " ".join(name.split())
    has_valid_length = 1 <= len(clean_name) <= MAX_NAME_LENGTH
    if not has_valid_length or not clean_name.isprintable():
        raise InputError(
            f"--reviewer: wanted a name of 1 to {MAX_NAME_LENGTH} printable characters"
        )
    return clean_name


def _refuse_other_reviewer(reviews: ReviewLog, reviewer: str, review_pass: ReviewPass) -> None:
    """Make sure that nobody is first and second reviewer of one sample."""
    other_pass = OTHER_PASS.get(review_pass)
    for event in reviews.events:
        if not isinstance(event, VerdictEvent) or event.sitting != other_pass:
            continue
        if same_person(event.reviewer, reviewer):
            raise InputError(
                f"--reviewer {reviewer}: gave verdicts as the {other_pass} reviewer; "
                "the two must be different people"
            )
