"""Who may use the review application: its own page in the reviewer's browser, and nobody else.

Every site the reviewer visits, and every program on the machine, can send requests to 127.0.0.1.
The guard stands before routing. It lets through what is addressed to this server by name, comes
from its own page and holds the token. A refusal is a status and nothing more.
"""

import base64
import hmac
import math
import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldwright.web.request_body import (
    RequestHeaders,
    RequestRefusalError,
    check_content_type,
    read_body,
    replay_body,
)

HeaderList = list[tuple[bytes, bytes]]

MOST_HEADER_BYTES: Final = 16 * 1024
# After this many wrong tokens in this many seconds, the next ones are refused unread.
WRONG_TOKENS: Final = 10
WRONG_TOKENS_SECONDS: Final = 60.0
TOKEN_BYTES: Final = 32

_CONTENT_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    b"font-src 'none'; img-src 'none'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types goldwright"
)
_DISABLED_FEATURES: Final = (
    "accelerometer autoplay camera clipboard-read clipboard-write display-capture encrypted-media "
    "fullscreen geolocation gyroscope magnetometer microphone midi payment picture-in-picture "
    "publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking"
)
_PERMISSIONS_POLICY: Final = _DISABLED_FEATURES.replace(" ", "=(), ") + "=()"
FIXED_HEADERS: Final = (
    (b"content-security-policy", _CONTENT_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
    (b"permissions-policy", _PERMISSIONS_POLICY.encode()),
)
"""What every response carries, whatever the application sets."""

_REMOVED_HEADERS: Final = frozenset({b"server", b"set-cookie", *dict(FIXED_HEADERS)})
# What browsers call the site of a request: its own page's, or the address bar's.
_OWN_SITE: Final = frozenset({b"same-origin", b"none"})
# No empty segment, no ``.`` or ``..``, no backslash, percent sign or control character: nothing
# that two readers of a path could understand in two ways.
_PLAIN_PATH: Final = re.compile(r"/|(/(?!\.{1,2}(/|$))[^/\\%\x00-\x1f\x7f-\x9f\ufffd]+)+/?")


def new_token(random_bytes: Callable[[int], bytes]) -> str:
    """Draw a secret of 256 bits, in letters that a URL takes as they are."""
    token = base64.urlsafe_b64encode(random_bytes(TOKEN_BYTES))
    return token.rstrip(b"=").decode("ascii")


class RequestGuard:
    """ASGI middleware that lets one page with one token through to the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        port: int,
        token: str,
        open_paths: frozenset[str],
        public_origin: str = "",
        expires_at: float = math.inf,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Put the guard before an application.

        Args:
            app: The application behind the guard.
            port: The port that requests name in their Host header.
            token: The secret that opens every path but the open ones.
            open_paths: Paths that may be read without the token, because they hold no data.
            public_origin: Where people reach the page through a proxy, as in
                ``https://review.example.org``; requests must then name this and nothing else.
            expires_at: When the token opens nothing any more, by ``seconds``.
            seconds: A clock that never goes back.

        Raises:
            ValueError: The token is empty.
        """
        if not token:
            raise ValueError("an empty token keeps nobody out")
        self._app = app
        host_names = ("127.0.0.1", "localhost", "[::1]")
        hosts = [f"{name}:{port}" for name in host_names]
        self._public_origin = public_origin.lower().encode()
        if public_origin:
            hosts = [public_origin.lower().partition("://")[2]]
        self._hosts = frozenset(host.encode() for host in hosts)
        self._expires_at = expires_at
        self._credentials = f"Bearer {token}".encode()
        self._open_paths = open_paths
        self._seconds = seconds
        self._wrong_tokens: deque[float] = deque()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or close one websocket."""
        if scope["type"] == "websocket":
            # 1008: the request violates the server's policy (RFC 6455).
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            raise ValueError(
                f"the review application answers HTTP requests, and no {scope['type']}"
            )
        response = _GuardedResponse(send)
        try:
            await self._serve(scope, receive, response)
        except RequestRefusalError as refusal:
            await response.refuse(refusal.status, refusal.headers)
        except BaseException:
            await response.refuse(500)
            raise
        # Only an application that answered nothing at all gets here without a response.
        await response.refuse(500)

    async def _serve(self, scope: Scope, receive: Receive, response: "_GuardedResponse") -> None:
        headers = RequestHeaders(scope)
        self._check_address(scope, headers)
        self._check_method(scope, headers)
        if not self._is_open(scope):
            self._check_sender(scope, headers)
            self._check_token(headers)
        if scope["method"] == "POST":
            check_content_type(headers)
            body = await read_body(headers, receive)
            receive = replay_body(body, receive)
        elif headers.announce_a_body():
            raise RequestRefusalError(400)
        await self._app(scope, receive, response.send)

    def _check_address(self, scope: Scope, headers: RequestHeaders) -> None:
        hosts = headers.all(b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise RequestRefusalError(421)
        target: bytes = scope.get("raw_path") or scope["path"].encode()
        head_size = headers.size + len(target) + len(scope["query_string"])
        if head_size > MOST_HEADER_BYTES:
            raise RequestRefusalError(431)
        path: str = scope["path"]
        # A slash that was written as %2F stands in the decoded path alone.
        slashes_sent = target.count(b"/")
        has_hidden_slash = slashes_sent != path.count("/")
        if has_hidden_slash or not _PLAIN_PATH.fullmatch(path):
            raise RequestRefusalError(400)

    def _check_method(self, scope: Scope, headers: RequestHeaders) -> None:
        if scope["method"] not in {"GET", "POST"}:
            raise RequestRefusalError(405, ((b"allow", b"GET, POST"),))
        if headers.all(b"upgrade"):
            raise RequestRefusalError(400)

    def _is_open(self, scope: Scope) -> bool:
        return scope["method"] == "GET" and scope["path"] in self._open_paths

    def _check_sender(self, scope: Scope, headers: RequestHeaders) -> None:
        host = headers.all(b"host")[0].lower()
        origins = headers.all(b"origin")
        # Browsers send no Origin with a GET of a page to its own server.
        may_lack_origin = scope["method"] == "GET"
        is_own_page = origins == [self._public_origin or b"http://" + host]
        if not is_own_page and (origins or not may_lack_origin):
            raise RequestRefusalError(403)
        sites = headers.all(b"sec-fetch-site")
        if len(sites) > 1 or not _OWN_SITE.issuperset(sites):
            raise RequestRefusalError(403)

    def is_opened_by(self, credentials: Sequence[bytes]) -> bool:
        """Whether the Authorization headers of a request hold the token, and it is still good."""
        # In constant time, so that answers do not tell how much of a guess was right.
        is_right = len(credentials) == 1 and hmac.compare_digest(credentials[0], self._credentials)
        return is_right and self._seconds() < self._expires_at

    def _check_token(self, headers: RequestHeaders) -> None:
        credentials = headers.all(b"authorization")
        if self.is_opened_by(credentials):
            return
        # A request without credentials is no guess and does not count as one.
        if credentials and not self._may_guess():
            raise RequestRefusalError(429)
        raise RequestRefusalError(401, ((b"www-authenticate", b"Bearer"),))

    def _may_guess(self) -> bool:
        current = self._seconds()
        while self._wrong_tokens and current - self._wrong_tokens[0] >= WRONG_TOKENS_SECONDS:
            self._wrong_tokens.popleft()
        if len(self._wrong_tokens) >= WRONG_TOKENS:
            return False
        self._wrong_tokens.append(current)
        return True


class _GuardedResponse:
    """The way back to the client: at most one response goes out, with the fixed headers."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._has_started = False

    async def send(self, message: Message) -> None:
        """Pass on what the application sends."""
        if message["type"] == "http.response.start":
            self._has_started = True
            permitted = _permitted(message.get("headers", ()))
            message = {**message, "headers": [*permitted, *FIXED_HEADERS]}
        await self._send(message)

    async def refuse(self, status: int, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        """Send a status and nothing more, unless a response is on its way."""
        if self._has_started:
            return
        body = b"%d\n" % status
        content_type = (b"content-type", b"text/plain; charset=utf-8")
        content_length = (b"content-length", b"%d" % len(body))
        all_headers = [content_type, content_length, *headers]
        start = {"type": "http.response.start", "status": status, "headers": all_headers}
        await self.send(start)
        await self.send({"type": "http.response.body", "body": body})


def _permitted(headers: HeaderList) -> HeaderList:
    """Leave out the headers that the guard sets itself or never sends."""
    permitted = []
    for raw_name, value in headers:
        name = raw_name.lower()
        if name not in _REMOVED_HEADERS and not name.startswith(b"access-control-"):
            permitted.append((name, value))
    return permitted
