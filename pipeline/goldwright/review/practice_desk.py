"""One person's training rounds on a run: when they are offered, and how their words are written."""

import re
from collections.abc import Callable
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.records import (
    AnyReviewEvent,
    HumanVerdict,
    PracticeEvent,
    PracticeRecord,
    ReviewPass,
    TrainingEvent,
    TrainingSkipEvent,
)
from goldwright.review.passes import INDEPENDENT_PASSES
from goldwright.review.person_names import same_person
from goldwright.review.practice_answers import is_right
from goldwright.review.practice_choice import (
    PracticeRequest,
    choose_practice,
    round_size,
)
from goldwright.review.record_content import RecordContent
from goldwright.review.review_files import ReviewFiles
from goldwright.review.review_rules import StaleReviewError, check_note, check_reason
from goldwright.review.session_view import SessionView
from goldwright.review.training import TrainingRound, latest_round
from goldwright.snapshot import Snapshot

TrainingMode = Literal["offer", "begin", "off"]
"""Whether a round is offered to who is new, begun whoever it is, or none is shown at all."""

PRACTICE_ID: Final = re.compile(r"practice-([1-9][0-9]?)")
"""How pages name the practice record at a place: not by the record it was made of."""


class PracticeDesk:
    """The training rounds of one person over one run.

    Every method that writes takes a key that its caller draws; a second call with the same key
    writes nothing and gives the same event.
    """

    def __init__(
        self,
        files: ReviewFiles,
        snapshot: Snapshot,
        *,
        reviewer: str,
        review_pass: ReviewPass,
        read_time: Callable[[], str],
        mode: TrainingMode,
        scripted: bool,
    ) -> None:
        """Open a desk; nothing is read before the first look.

        Args:
            files: The records and the review events of the run.
            snapshot: The codebase of the run.
            reviewer: The person's name.
            review_pass: The pass that they are about to take part in.
            read_time: The current time, as records write it.
            mode: Whether a round is offered.
            scripted: Whether what is said comes through a pipe.
        """
        self._files = files
        self._snapshot = snapshot
        self._reviewer = reviewer
        self._review_pass = review_pass
        self._now = read_time
        self._mode = mode
        self._scripted = scripted

    def latest(self, view: SessionView) -> TrainingRound | None:
        """The latest round of this person; None where they have none or want none."""
        if self._mode == "off":
            return None
        return latest_round(view.review_state.events.trainings, self._reviewer)

    def is_offered(self, view: SessionView) -> bool:
        """Whether the person is to be asked: they are new to the batch, and it has records left."""
        events = view.review_state.events
        if self._mode != "offer" or self.latest(view) is not None:
            return False
        if events.sample is None or view.review_pass not in INDEPENDENT_PASSES:
            return False
        verdicts = events.verdicts.values()
        decisions = events.decisions.values()
        words = (*verdicts, *decisions)
        if any(same_person(word.reviewer, self._reviewer) for word in words):
            return False
        return self.size(view) > 0

    def size(self, view: SessionView) -> int:
        """How many records a round would have; 0 where the batch holds too few."""
        return round_size(view.batch, view.review_state)

    def begin(self, *, key: str) -> None:
        """Begin a round, unless the person is in the midst of one.

        Raises:
            InputError: The sample is not drawn yet, or the batch holds too little beside it.
        """
        latest = self.latest(self._files.look())
        if latest is not None and not latest.is_over:
            return

        def make_event(view: SessionView, number: int) -> TrainingEvent:
            if view.review_state.events.sample is None:
                raise InputError(
                    "the practice records: the sample is not drawn yet, and they must be none of it"
                )
            begun = view.review_state.events.trainings
            rounds = [training for training in begun if training.records]
            trainings = [
                training for training in rounds if same_person(training.reviewer, self._reviewer)
            ]
            seen_ids = {record.query_id for training in trainings for record in training.records}
            attempt = len(trainings) + 1
            request = PracticeRequest(view.batch, view.review_state, attempt, frozenset(seen_ids))
            records = choose_practice(request, self._snapshot)
            if not records:
                raise InputError(
                    "the practice records: the batch holds too little beside its sample for them"
                )
            return TrainingEvent(
                number=number,
                key=key,
                reviewer=self._reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                sitting=self._review_pass,
                attempt=attempt,
                records=records,
            )

        self._files.write(key, make_event)

    def skip(self, *, key: str) -> None:
        """Do without a round, or end the one that goes on.

        Raises:
            InputError: There is none to skip.
        """

        def make_event(view: SessionView, number: int) -> TrainingSkipEvent:
            latest = self.latest(view)
            is_going_on = latest is not None and not latest.is_over
            if not is_going_on and not self.is_offered(view):
                raise InputError("there are no practice records to skip")
            return TrainingSkipEvent(
                number=number,
                key=key,
                reviewer=self._reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                sitting=self._review_pass,
            )

        self._files.write(key, make_event)

    def give_word(
        self,
        place: int,
        content: str,
        verdict: HumanVerdict,
        *,
        key: str,
        note: str | None = None,
        disputed: tuple[str, ...] = (),
        seconds: float = 0.0,
    ) -> AnyReviewEvent:
        """Write a word on a practice record; it is on disk when the call returns.

        Args:
            place: The place of the record in the round.
            content: The digest of what the person saw.
            verdict: What they would say of it.
            key: The key of this call.
            note: What is wrong, as the person put it.
            disputed: The ids of the claims at fault.
            seconds: How long the record was on screen.

        Raises:
            StaleReviewError: The round has gone on, in another tab.
            InputError: The word condemns the record without a reason.
        """
        check_note(note or "")
        check_reason(verdict, note, disputed)

        def make_event(view: SessionView, number: int) -> PracticeEvent:
            record, shown_content = self.find(view, place)
            latest = self.latest(view)
            is_open = latest is not None and not latest.is_over and place not in latest.words
            if not is_open or shown_content.digest != content:
                raise StaleReviewError(
                    "this practice record has its word already; nothing is written"
                )
            return PracticeEvent(
                number=number,
                key=key,
                reviewer=self._reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                sitting=self._review_pass,
                place=place,
                verdict=verdict,
                right=is_right(record, verdict),
                note=note,
                disputed=disputed,
                seconds=seconds,
            )

        return self._files.write(key, make_event)

    def find(self, view: SessionView, place: int) -> tuple[PracticeRecord, RecordContent]:
        """Find the record at a place of the latest round, with what is shown of it.

        Raises:
            InputError: There is none.
        """
        latest = self.latest(view)
        record = latest.record(place) if latest is not None else None
        candidates = view.batch.stage_files.candidates.done
        if record is None or record.query_id not in candidates:
            raise InputError(f"practice-{place}: is no record of a training round of yours")
        return record, RecordContent(candidates[record.query_id], record.answer)
