"""The review page: a shell without data, and views that its script asks for with the token.

Handlers run one after another on one thread. Each reads what is new in the files of the run first,
so a runner, another tab or another reviewer may be at work at the same time.
"""

import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from importlib import resources
from typing import Final

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from goldwright.errors import GoldwrightError, InputError
from goldwright.records import FileRange
from goldwright.review.passes import ADJUDICATION
from goldwright.review.record_edits import ClaimChange, edit_record
from goldwright.review.review_rules import StaleReviewError
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import RecordView, SessionView
from goldwright.text import counted
from goldwright.web.agreement_page import agreement_state, make_agreement_page
from goldwright.web.code_search import search_codebase
from goldwright.web.notice_pages import make_end_page, make_overview_page
from goldwright.web.page_frame import make_frame
from goldwright.web.page_requests import (
    DecisionRequest,
    EditRequest,
    LookRequest,
    RecordRequest,
    TrainingRequest,
    UndoRequest,
    VerdictRequest,
    parse_page_request,
)
from goldwright.web.record_page import NO_OPTIONS, DisplayOptions, make_record_page
from goldwright.web.request_guard import RequestGuard
from goldwright.web.source_view import SourceView
from goldwright.web.templating import Templates
from goldwright.web.training_views import TrainingViews, practice_place

OPEN_PATHS: Final = {"/": "text/html", "/review.js": "text/javascript", "/review.css": "text/css"}
"""The paths that are served without the token, with their media types; none of them holds data."""

_STATIC_FILES: Final = {
    "/": ("templates", "shell.html"),
    "/review.js": ("static", "review.js"),
    "/review.css": ("static", "review.css"),
}
# What the script of the page makes of a refusal depends on the status: after a conflict it shows
# the record as it is now, otherwise the message alone.
_NOTHING_NEW: Final = 204
_CONFLICT: Final = 409
_UNPROCESSABLE: Final = 422
_UNAVAILABLE: Final = 503
_BUG: Final = 500
# Seven digits: no file of a snapshot has more lines than that.
_LINE: Final = re.compile(r"[1-9][0-9]{0,6}")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
# The command line makes a report of every error that is logged.
_LOGGER: Final = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Response]]


def review_app(
    session: ReviewSession,
    *,
    run: str,
    port: int,
    token: str,
    public_origin: str = "",
    expires_at: float = math.inf,
) -> RequestGuard:
    """Make the application for one review session.

    Args:
        session: The session.
        run: The name of the run.
        port: The port that requests name in their Host header.
        token: The secret without which nothing but the empty shell is served.
        public_origin: Where a proxy lets people in, as in ``https://review.example.org``; empty
            where the page is for this machine.
        expires_at: When the token opens nothing any more, in seconds of ``time.monotonic``.
    """
    app = Starlette(routes=[*_static_routes(), *_view_routes(session, run)])
    return RequestGuard(
        app,
        port=port,
        token=token,
        open_paths=frozenset(OPEN_PATHS),
        public_origin=public_origin,
        expires_at=expires_at,
        seconds=time.monotonic,
    )


class PageViews:
    """The handlers of one review session."""

    def __init__(self, session: ReviewSession, *, run: str) -> None:
        self._session = session
        self._run = run
        self._source = SourceView(session.snapshot)
        self._templates = Templates()
        self._training = TrainingViews(session, self._source, self._templates, run=run)

    async def view(self, request: Request) -> Response:
        """Show the record that is asked for, or else the next open one, or else the end."""
        # A sample is written at most once, so its key need not stay the same if this is repeated.
        key = f"sample-{id(request):x}"
        view = self._session.draw_sample(key=key)
        parameters = request.query_params
        query_id = parameters.get("at")
        if not query_id:
            return self._training.show(view) or self._show_next(view, after=None)
        whole_file = parameters.get("whole")
        version = parameters.get("version")
        line = parameters.get("line", "")
        options = DisplayOptions(whole_file, version, int(line) if _LINE.fullmatch(line) else 1)
        place = practice_place(query_id)
        if place is not None:
            return self._training.show_record(view, place, options)
        return self._show_record(view, query_id, options)

    async def training(self, request: Request) -> Response:
        """Begin a training round, or do without it; show what comes next."""
        body = parse_page_request(await request.body(), TrainingRequest)
        self._training.decide(body)
        view = self._session.look()
        return self._training.show(view) or self._show_next(view, after=None)

    async def practice(self, request: Request) -> Response:
        """Write a word on a practice record and say whether it was right."""
        body = parse_page_request(await request.body(), VerdictRequest)
        return self._training.give_word(body)

    async def practised(self, _request: Request) -> Response:
        """Show how many words of the latest training round were right."""
        return self._training.show_summary(self._session.look())

    async def find(self, request: Request) -> Response:
        """Show the entities and lines of the codebase that hold a text."""
        text = request.query_params.get("text", "")
        results = search_codebase(self._session.snapshot, text)
        return HTMLResponse(self._templates.render("find.html", results=results))

    async def overview(self, _request: Request) -> Response:
        """Show all queues with their records."""
        view = self._session.look()
        frame = make_frame(self._session, view, None, run=self._run)
        page = make_overview_page(view)
        return HTMLResponse(self._templates.render("overview.html", frame=frame, page=page))

    async def agreement(self, request: Request) -> Response:
        """Show how far two reviewers agree, to those who may see it; nothing where that is known.

        A page that shows it already names its state, and since when it is open.
        """
        view = self._session.look()
        if request.query_params.get("state") == agreement_state(self._session, view):
            return Response(status_code=_NOTHING_NEW)
        frame = make_frame(self._session, view, None, run=self._run)
        opened = request.query_params.get("opened", "")
        number = int(opened) if _NUMBER.fullmatch(opened) else None
        page = make_agreement_page(self._session, view, number)
        return HTMLResponse(self._templates.render("agreement.html", frame=frame, page=page))

    async def verdict(self, request: Request) -> Response:
        """Write a verdict and show the next record."""
        body = parse_page_request(await request.body(), VerdictRequest)
        on_screen = _on_screen(body)
        note = body.note.strip() or None
        seconds = round(body.seconds, 1)
        self._session.give_verdict(
            body.query_id,
            on_screen,
            body.verdict,
            key=body.key,
            note=note,
            disputed=body.disputed,
            seconds=seconds,
        )
        return self._show_next(self._session.look(), after=body.query_id)

    async def decision(self, request: Request) -> Response:
        """Write a decision and show the next record."""
        body = parse_page_request(await request.body(), DecisionRequest)
        on_screen = _on_screen(body)
        words = body.words.strip()
        self._session.decide(body.query_id, on_screen, body.decision, key=body.key, words=words)
        return self._show_next(self._session.look(), after=body.query_id)

    async def edit(self, request: Request) -> Response:
        """Write an edit of one claim and show the record again."""
        body = parse_page_request(await request.body(), EditRequest)
        # The claim may be gone or renumbered after the edit, so a repeated request ends here.
        if self._session.is_written(body.key):
            return self._show_record(self._session.look(), body.query_id)
        if body.lines is not None:
            self._check_lines(body.lines)
        if body.entity_id is not None and self._session.snapshot.entity(body.entity_id) is None:
            raise InputError(f"{body.entity_id}: is no entity of the snapshot; search for one")
        view = self._session.look()
        content = view.content(body.query_id)
        if view.review_pass == ADJUDICATION:
            # What is edited is the version that was on screen, whoever wrote it.
            versions = view.review_state.versions(body.query_id)
            content = versions.get(body.content, content)
        change = ClaimChange(body.claim_id, body.text, body.lines, body.entity_id, body.role)
        edit = edit_record(content, change)
        self._session.edit(
            body.query_id,
            _on_screen(body),
            edit.change.field,
            edit.change.after,
            edit.change.citations,
            key=body.key,
            files=edit.files,
            evidence=edit.evidence,
            named_lines=edit.named_lines,
        )
        return self._show_record(self._session.look(), body.query_id)

    async def look(self, request: Request) -> Response:
        """Write down that a person looked at the code of changed claims; show the record again."""
        body = parse_page_request(await request.body(), LookRequest)
        self._session.note_look(body.query_id, body.claims, key=body.key)
        return self._show_record(self._session.look(), body.query_id)

    async def undo(self, request: Request) -> Response:
        """Undo the last event of this reviewer and show the record it was about."""
        body = parse_page_request(await request.body(), UndoRequest)
        query_id = self._session.undo(key=body.key)
        return self._show_record(self._session.look(), query_id)

    def _check_lines(self, lines: FileRange) -> None:
        snapshot = self._session.snapshot
        if not snapshot.has_text(lines.file):
            raise InputError(f"{lines.file}: is no file of the snapshot; wanted one that is")
        count = snapshot.line_count(lines.file)
        if lines.end > count:
            expectation = f"wanted lines from 1 to {count}, found {lines.end}"
            raise InputError(f"{lines.file}: has {counted(count, 'line')}; {expectation}")

    def _show_next(self, view: SessionView, *, after: str | None) -> Response:
        """Show the next open record behind another one, or the end where none is open."""
        item = view.next_open(after)
        if item is None:
            return self._show_end(view)
        return self._show_record(view, item.query_id)

    def _show_record(
        self, view: SessionView, query_id: str, options: DisplayOptions = NO_OPTIONS
    ) -> Response:
        item = view.item(query_id)
        page = make_record_page(self._session, view, item, self._source, options)
        frame = make_frame(self._session, view, item, run=self._run)
        html = self._templates.render("record.html", frame=frame, page=page)
        task = BackgroundTask(self._highlight_next, view, query_id)
        return HTMLResponse(html, background=task)

    def _show_end(self, view: SessionView) -> Response:
        frame = make_frame(self._session, view, None, run=self._run)
        page = make_end_page(view)
        return HTMLResponse(self._templates.render("end.html", frame=frame, page=page))

    async def _highlight_next(self, view: SessionView, query_id: str) -> None:
        """Highlight the source of the next record while the person reads this one."""
        item = view.next_open(query_id)
        if item is not None and item.query_id != query_id:
            # The page itself is thrown away: the source view keeps the highlighted files.
            make_record_page(self._session, view, item, self._source, NO_OPTIONS)


def _static_routes() -> Iterator[Route]:
    for path in OPEN_PATHS:
        yield Route(path, _static_file(path), methods=["GET"])


def _view_routes(session: ReviewSession, run: str) -> Iterator[Route]:
    views = PageViews(session, run=run)
    yield _route("GET", "/view", views.view)
    yield _route("GET", "/overview", views.overview)
    yield _route("GET", "/agreement", views.agreement)
    yield _route("GET", "/find", views.find)
    yield _route("POST", "/verdict", views.verdict)
    yield _route("POST", "/decision", views.decision)
    yield _route("POST", "/edit", views.edit)
    yield _route("POST", "/look", views.look)
    yield _route("POST", "/undo", views.undo)
    yield _route("POST", "/training", views.training)
    yield _route("POST", "/practice", views.practice)
    yield _route("GET", "/practised", views.practised)


def _route(method: str, path: str, handler: Handler) -> Route:
    return Route(path, with_error_responses(handler), methods=[method])


def with_error_responses(handler: Handler) -> Handler:
    """Answer an expected error with its message, which the page shows."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except StaleReviewError as error:
            return _error_response(error, _CONFLICT)
        except InputError as error:
            return _error_response(error, _UNPROCESSABLE)
        except GoldwrightError as error:
            return _error_response(error, _UNAVAILABLE)
        except Exception as error:
            # One request must not cost all the others.
            _LOGGER.exception("a request failed")
            return _error_response(_describe_bug(error), _BUG)

    return handle


def _describe_bug(error: Exception) -> str:
    # Only its kind: the message of a foreign error may hold anything.
    kind = type(error).__name__
    return f"this request failed in a way that nobody foresaw ({kind}); the terminal says more"


def _error_response(error: object, status: int) -> Response:
    return JSONResponse({"message": str(error)}, status_code=status)


def _static_file(path: str) -> Handler:
    folder, name = _STATIC_FILES[path]
    package = resources.files("goldwright.web")
    data = package.joinpath(folder, name).read_bytes()

    async def send(_request: Request) -> Response:
        return Response(data, media_type=OPEN_PATHS[path])

    return send


def _on_screen(body: RecordRequest) -> RecordView:
    return RecordView(body.content, body.last)
