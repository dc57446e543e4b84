"""The files of a run under review: what they hold now, and one more event, written in a turn."""

from collections.abc import Callable
from functools import partial

from goldwright.errors import InputError
from goldwright.journal import ReviewLog
from goldwright.records import AnyReviewEvent, ReviewPass
from goldwright.review.folded_events import fold_review_events
from goldwright.review.review_state import ReviewState
from goldwright.review.session_view import ReviewBatch, SessionView

MakeEvent = Callable[[SessionView, int], AnyReviewEvent]
"""Checks what a person wants to write against a view, and makes the event of a number."""


class ReviewFiles:
    """The records of a run and the review events about them, as one review pass may see them."""

    def __init__(
        self, read_batch: Callable[[], ReviewBatch], reviews: ReviewLog, review_pass: ReviewPass
    ) -> None:
        """Start without reading anything.

        Args:
            read_batch: Reads the run again; gives the same object while nothing changed.
            reviews: The file of review events.
            review_pass: The pass that looks.
        """
        self._read_batch = read_batch
        self._reviews = reviews
        self._review_pass = review_pass
        self._view: SessionView | None = None

    def look(self) -> SessionView:
        """Read what is new in the files; the same view as before while nothing is."""
        batch = self._read_batch()
        has_new_events = self._reviews.refresh()
        view = self._view
        if view is None or has_new_events or batch is not view.batch:
            events = fold_review_events(self._reviews.events)
            review_state = ReviewState(batch.stage_files, events)
            view = SessionView(batch, review_state, self._review_pass)
            self._view = view
        return view

    def look_again(self) -> SessionView:
        """Make a new view, whatever was read before."""
        # Events written by this process are in the log already, so a refresh would not report them.
        self._view = None
        return self.look()

    def find(self, key: str) -> AnyReviewEvent | None:
        """Find the event of a key among those that were read or written so far."""
        return self._reviews.find(key)

    def write(self, key: str, make_event: MakeEvent) -> AnyReviewEvent:
        """Write one event, once for a key."""
        # All checks are made while the file is locked: nobody writes between a check and its event.
        with self._reviews.turn() as write:
            earlier_event = self._reviews.find(key)
            if earlier_event is not None:
                return earlier_event
            view = self.look_again()
            replaced_by = view.review_state.events.replaced_by
            # A batch that failed is not reviewed until it passes: its replacement is.
            if replaced_by is not None:
                raise InputError(f"{replaced_by} replaces this run; review that one")
            event = write(partial(make_event, view))
        self.look_again()
        return event

    def write_sample(
        self, make_event: Callable[[int], AnyReviewEvent], *, extends: int | None = None
    ) -> None:
        """Write the event of a sample, unless another one was drawn meanwhile.

        Args:
            make_event: Makes the event of a number.
            extends: The number of the sample that it adds to; None for a first one.
        """
        with self._reviews.turn() as write:
            # Another session may have drawn one while this one was at it.
            events = fold_review_events(self._reviews.events)
            newest = events.sample.number if events.sample else None
            if newest == extends:
                write(make_event)
