"""The views of a training round: the offer, its records with what is told of them, the summary."""

from dataclasses import dataclass

from starlette.responses import HTMLResponse, Response

from goldwright.errors import InputError
from goldwright.review.practice_desk import PRACTICE_ID
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView
from goldwright.review.training import TrainingRound
from goldwright.web.page_controls import OFFER_TOOLS, ToolButton
from goldwright.web.page_requests import TrainingRequest, VerdictRequest
from goldwright.web.practice_page import (
    make_practice_frame,
    make_practice_page,
    make_summary_page,
)
from goldwright.web.record_page import NO_OPTIONS, DisplayOptions
from goldwright.web.source_view import SourceView
from goldwright.web.templating import Templates


@dataclass(frozen=True, slots=True)
class OfferPage:
    """The page that offers a round of some records, with its buttons."""

    records: int
    tools: tuple[ToolButton, ...] = OFFER_TOOLS


def practice_place(query_id: str) -> int | None:
    """Give the place of a practice record by its id on the page; None for any other record."""
    match = PRACTICE_ID.fullmatch(query_id)
    return int(match[1]) if match else None


class TrainingViews:
    """The pages of the training rounds of one review session."""

    def __init__(
        self, session: ReviewSession, source: SourceView, templates: Templates, *, run: str
    ) -> None:
        self._session = session
        self._source = source
        self._templates = templates
        self._run = run

    def show(self, view: SessionView) -> Response | None:
        """Show the offer or the next practice record; None where the review is next."""
        desk = self._session.practice
        if desk.is_offered(view):
            frame = make_practice_frame(self._session, None, run=self._run)
            html = self._templates.render(
                "training_offer.html", frame=frame, page=OfferPage(desk.size(view))
            )
            return HTMLResponse(html)
        training = desk.latest(view)
        record = None if training is None else training.next_record
        return None if record is None else self.show_record(view, record.place)

    def show_record(
        self, view: SessionView, place: int, options: DisplayOptions = NO_OPTIONS
    ) -> Response:
        """Show a practice record, and what is told of the word on it.

        Raises:
            InputError: There is no such record, or its round has ended without a word on it.
        """
        training = self._round(view)
        if training.is_over and place not in training.words:
            raise InputError(f"practice-{place}: the practice records have ended")
        page = make_practice_page(self._session, view, training, place, self._source, options)
        frame = make_practice_frame(self._session, training, run=self._run)
        html = self._templates.render("record.html", frame=frame, page=page)
        return HTMLResponse(html)

    def show_summary(self, view: SessionView) -> Response:
        """Show how the latest round went.

        Raises:
            InputError: There was none.
        """
        training = self._round(view)
        frame = make_practice_frame(self._session, training, run=self._run)
        page = make_summary_page(self._session, view, training)
        return HTMLResponse(self._templates.render("training_end.html", frame=frame, page=page))

    def decide(self, body: TrainingRequest) -> None:
        """Begin a round, or do without one."""
        if body.what == "begin":
            self._session.practice.begin(key=body.key)
        else:
            self._session.practice.skip(key=body.key)

    def give_word(self, body: VerdictRequest) -> Response:
        """Write a word on a practice record, and show whether it was right.

        Raises:
            StaleReviewError: The round has gone on, in another tab.
            InputError: There is no such record, or the word lacks a reason.
        """
        place = practice_place(body.query_id)
        if place is None:
            raise InputError(f"{body.query_id}: is no practice record")
        note = body.note.strip() or None
        rounded_seconds = round(body.seconds, 1)
        self._session.practice.give_word(
            place,
            body.content,
            body.verdict,
            key=body.key,
            note=note,
            disputed=body.disputed,
            seconds=rounded_seconds,
        )
        return self.show_record(self._session.look(), place)

    def _round(self, view: SessionView) -> TrainingRound:
        training = self._session.practice.latest(view)
        if training is None or not training.records:
            raise InputError("there are no practice records of yours")
        return training
