"""The review page: a shell without data, and views that the page's script asks for with its token.

Handlers run one after the other on one thread; each reads what is new in the files of the run
first, so a runner, another tab or another reviewer may be at work beside them.
"""

import time
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Final

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from goldwright.errors import GoldwrightError, InputError
from goldwright.records import FileRange
from goldwright.review.claim_edits import amendment
from goldwright.review.session import RecordView, ReviewSession, SessionView, StaleReviewError
from goldwright.web.page_models import end_page, frame, overview_page, record_page
from goldwright.web.page_requests import (
    DecisionRequest,
    EditRequest,
    RecordRequest,
    UndoRequest,
    VerdictRequest,
    read_ask,
)
from goldwright.web.request_guard import RequestGuard
from goldwright.web.source_view import SourceView
from goldwright.web.templating import Templates

OPEN_PATHS: Final = {"/": "text/html", "/review.js": "text/javascript", "/review.css": "text/css"}
_FILES: Final = {"/": "shell.html", "/review.js": "review.js", "/review.css": "review.css"}
_CONFLICT: Final = 409
_REFUSED: Final = 422
_FAILED: Final = 503

Handler = Callable[[Request], Awaitable[Response]]


def review_app(session: ReviewSession, *, run: str, port: int, token: str) -> ASGIApp:
    """Make the application for one person's sitting; nothing of it answers without the token but
    the empty shell.
    """
    views = PageViews(session, run=run)
    routes = [
        *(Route(path, _file(path), methods=["GET"]) for path in OPEN_PATHS),
        Route("/view", _told(views.view), methods=["GET"]),
        Route("/overview", _told(views.overview), methods=["GET"]),
        Route("/verdict", _told(views.verdict), methods=["POST"]),
        Route("/decision", _told(views.decision), methods=["POST"]),
        Route("/edit", _told(views.edit), methods=["POST"]),
        Route("/undo", _told(views.undo), methods=["POST"]),
    ]
    return RequestGuard(
        Starlette(routes=routes),
        port=port,
        token=token,
        open_paths=frozenset(OPEN_PATHS),
        seconds=time.monotonic,
    )


class PageViews:
    """The views over one room."""

    def __init__(self, session: ReviewSession, *, run: str) -> None:
        self._session = session
        self._run = run
        self._source = SourceView(session.snapshot)
        self._templates = Templates()

    async def view(self, request: Request) -> Response:
        """One record: the one that is asked for, else the next without a word, else the end."""
        scene = self._session.draw_sample(key=_sample_key(request))
        asked = request.query_params.get("at")
        item = scene.item(asked) if asked else scene.next_open(None)
        if item is None:
            return self._end(scene)
        return self._record(
            scene,
            item.query_id,
            whole=request.query_params.get("whole"),
            version=request.query_params.get("version"),
        )

    async def overview(self, request: Request) -> Response:  # noqa: ARG002  # every handler is given one
        """All lanes with their records."""
        scene = self._session.look()
        around = frame(self._session, scene, None, run=self._run)
        return HTMLResponse(
            self._templates.render("overview.html", frame=around, page=overview_page(scene))
        )

    async def verdict(self, request: Request) -> Response:
        """Write a verdict and show the next record."""
        ask = read_ask(await request.body(), VerdictRequest)
        self._session.give_verdict(
            ask.query_id,
            _seen(ask),
            ask.verdict,
            key=ask.key,
            note=ask.note.strip() or None,
            disputed=ask.disputed,
            seconds=round(ask.seconds, 1),
        )
        return self._next(ask.query_id)

    async def decision(self, request: Request) -> Response:
        """Write a decision and show the next record."""
        ask = read_ask(await request.body(), DecisionRequest)
        self._session.decide(
            ask.query_id, _seen(ask), ask.decision, key=ask.key, words=ask.words.strip()
        )
        return self._next(ask.query_id)

    async def edit(self, request: Request) -> Response:
        """Write another text for a claim and show the record again."""
        ask = read_ask(await request.body(), EditRequest)
        if self._session.has_heard(ask.key):
            return self._record(self._session.look(), ask.query_id)
        if ask.lines is not None:
            self._check_lines(ask.lines)
        scene = self._session.look()
        content = scene.content(ask.query_id)
        if scene.sitting == "adjudication":
            content = scene.review_state.versions(ask.query_id).get(ask.content, content)
        change = amendment(content.answer, ask.claim_id, ask.text, ask.lines)
        self._session.edit(
            ask.query_id, _seen(ask), change.field, change.after, change.citations, key=ask.key
        )
        return self._record(self._session.look(), ask.query_id)

    async def undo(self, request: Request) -> Response:
        """Take the last word back and show the record it was about."""
        ask = read_ask(await request.body(), UndoRequest)
        query_id = self._session.undo(key=ask.key)
        return self._record(self._session.look(), query_id)

    def _check_lines(self, lines: FileRange) -> None:
        snapshot = self._session.snapshot
        if not snapshot.has_text(lines.file):
            raise InputError(f"{lines.file}: is no file of the snapshot; wanted one that is")
        count = snapshot.line_count(lines.file)
        if lines.end > count:
            raise InputError(
                f"{lines.file}: has {count} lines; wanted lines from 1 to {count}, found {lines.end}"
            )

    def _next(self, query_id: str) -> Response:
        scene = self._session.look()
        item = scene.next_open(query_id)
        return self._record(scene, item.query_id) if item else self._end(scene)

    def _record(
        self,
        scene: SessionView,
        query_id: str,
        *,
        whole: str | None = None,
        version: str | None = None,
    ) -> Response:
        item = scene.item(query_id)
        page = record_page(self._session, scene, item, self._source, whole=whole, version=version)
        around = frame(self._session, scene, item, run=self._run)
        text = self._templates.render("record.html", frame=around, page=page)
        return HTMLResponse(text, background=BackgroundTask(self._warm, scene, query_id))

    def _end(self, scene: SessionView) -> Response:
        around = frame(self._session, scene, None, run=self._run)
        return HTMLResponse(self._templates.render("end.html", frame=around, page=end_page(scene)))

    async def _warm(self, scene: SessionView, query_id: str) -> None:
        """Highlight what the next record cites while the person reads this one."""
        item = scene.next_open(query_id)
        if item is not None and item.query_id != query_id:
            record_page(self._session, scene, item, self._source)


def _told(handler: Handler) -> Handler:
    """Answer an expected error with its one line; the page says it and shows the record anew."""

    async def told(request: Request) -> Response:
        try:
            return await handler(request)
        except StaleReviewError as error:
            return JSONResponse({"message": str(error)}, status_code=_CONFLICT)
        except InputError as error:
            return JSONResponse({"message": str(error)}, status_code=_REFUSED)
        except GoldwrightError as error:
            return JSONResponse({"message": str(error)}, status_code=_FAILED)

    return told


def _file(path: str) -> Handler:
    folder = "templates" if path == "/" else "static"
    data = resources.files("goldwright.web").joinpath(folder, _FILES[path]).read_bytes()

    async def send(_request: Request) -> Response:
        return Response(data, media_type=OPEN_PATHS[path])

    return send


def _seen(ask: RecordRequest) -> RecordView:
    return RecordView(ask.content, ask.last)


def _sample_key(request: Request) -> str:
    return f"sample-{id(request):x}"
