"""Several people at one review: each has a link of their own, and the page behind it is theirs."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from goldwright.web.request_body import RequestHeaders
from goldwright.web.request_guard import RequestGuard


class PersonalLinks:
    """ASGI application that hands each request to the page of whoever holds its token."""

    def __init__(self, guards: Sequence[RequestGuard]) -> None:
        """Take the guards of all pages, one at least.

        Raises:
            ValueError: There is none.
        """
        if not guards:
            raise ValueError("nobody was invited")
        self._guards = tuple(guards)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; one whose token is nobody's is refused by the first guard."""
        app: ASGIApp = self._guards[0]
        if scope["type"] == "http":
            credentials = RequestHeaders(scope).all(b"authorization")
            # All are asked, so that the time tells nothing about whose token it is.
            opened = [guard for guard in self._guards if guard.is_opened_by(credentials)]
            app = opened[0] if opened else app
        await app(scope, receive, send)
