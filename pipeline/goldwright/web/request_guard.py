"""Who may speak to the review application: its own page in the reviewer's browser, and nobody else.

Every site the reviewer visits, and every program on the machine, can send requests to 127.0.0.1.
The guard stands before routing and lets through what was addressed to this server by name, comes
from its own page, and holds the token. Refusals say a status and nothing more.
"""

import base64
import hmac
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HeaderList = list[tuple[bytes, bytes]]

MOST_BODY_BYTES: Final = 64 * 1024
MOST_HEADER_BYTES: Final = 16 * 1024
WRONG_TOKENS: Final = 10
WRONG_TOKENS_SECONDS: Final = 60.0
TOKEN_BYTES: Final = 32

_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'none'; "
    b"img-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    b"require-trusted-types-for 'script'; trusted-types goldwright"
)
_SWITCHED_OFF: Final = (
    "accelerometer autoplay camera clipboard-read clipboard-write display-capture encrypted-media fullscreen "
    "geolocation gyroscope magnetometer microphone midi payment picture-in-picture publickey-credentials-get "
    "screen-wake-lock serial usb xr-spatial-tracking"
)
FIXED_HEADERS: Final = (
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
    (
        b"permissions-policy",
        ", ".join(f"{feature}=()" for feature in _SWITCHED_OFF.split()).encode(),
    ),
)
"""What every answer carries, whatever the application says."""

_NEVER_SENT: Final = frozenset({b"server", b"set-cookie", *(name for name, _ in FIXED_HEADERS)})
_OWN_SITE: Final = frozenset({b"same-origin", b"none"})
_PLAIN_PATH: Final = re.compile(r"/|(/(?!\.{1,2}(/|$))[^/\\%\x00-\x1f\x7f-\x9f\ufffd]+)+/?")
_JSON: Final = re.compile(rb'application/json(\s*;\s*charset=("utf-8"|utf-8))?', re.IGNORECASE)


def new_token(random_bytes: Callable[[int], bytes]) -> str:
    """Draw a secret of 256 bits, in the letters that a URL takes as they are."""
    return base64.urlsafe_b64encode(random_bytes(TOKEN_BYTES)).rstrip(b"=").decode("ascii")


class RequestGuard:
    """ASGI middleware that lets one page with one token through to the application.

    Args:
        app: The application behind the guard.
        port: The port that requests name in their Host header.
        token: The secret that opens every path but the open ones.
        open_paths: Paths that may be read without the token, for they hold no data.
        seconds: A clock that never goes back.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        port: int,
        token: str,
        open_paths: frozenset[str],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        if not token:
            raise ValueError("an empty token keeps nobody out")
        self._app = app
        self._hosts = frozenset(
            f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost", "[::1]")
        )
        self._credentials = f"Bearer {token}".encode()
        self._open_paths = open_paths
        self._seconds = seconds
        self._wrong_tokens: deque[float] = deque()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or close one websocket."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            raise ValueError(
                f"the review application answers HTTP requests, and no {scope['type']}"
            )
        answer = _Answer(send)
        try:
            await self._serve(scope, receive, answer)
        except _RefusedError as refused:
            await answer.refuse(refused.status, refused.headers)
        except BaseException:
            await answer.refuse(500)
            raise
        await answer.refuse(500)

    async def _serve(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        headers = _Headers(scope)
        self._check_address(scope, headers)
        self._check_method(scope, headers)
        if not self._is_open(scope):
            self._check_sender(scope, headers)
            self._check_token(headers)
        if scope["method"] == "POST":
            _check_kind(headers)
            receive = _replayed(await _whole_body(headers, receive), receive)
        elif headers.announce_a_body():
            raise _RefusedError(400)
        await self._app(scope, receive, answer.send)

    def _check_address(self, scope: Scope, headers: "_Headers") -> None:
        if len(headers.all(b"host")) != 1 or headers.all(b"host")[0].lower() not in self._hosts:
            raise _RefusedError(421)
        target: bytes = scope.get("raw_path") or scope["path"].encode()
        if headers.size + len(target) + len(scope["query_string"]) > MOST_HEADER_BYTES:
            raise _RefusedError(431)
        path: str = scope["path"]
        if not _PLAIN_PATH.fullmatch(path) or target.count(b"/") != path.count("/"):
            raise _RefusedError(400)

    def _check_method(self, scope: Scope, headers: "_Headers") -> None:
        if scope["method"] not in {"GET", "POST"}:
            raise _RefusedError(405, ((b"allow", b"GET, POST"),))
        if headers.all(b"upgrade"):
            raise _RefusedError(400)

    def _is_open(self, scope: Scope) -> bool:
        return scope["method"] == "GET" and scope["path"] in self._open_paths

    def _check_sender(self, scope: Scope, headers: "_Headers") -> None:
        own = [b"http://" + headers.all(b"host")[0].lower()]
        origins = headers.all(b"origin")
        is_own = origins == own or (not origins and scope["method"] == "GET")
        sites = headers.all(b"sec-fetch-site")
        if not is_own or len(sites) > 1 or not _OWN_SITE.issuperset(sites):
            raise _RefusedError(403)

    def _check_token(self, headers: "_Headers") -> None:
        given = headers.all(b"authorization")
        if len(given) == 1 and hmac.compare_digest(given[0], self._credentials):
            return
        if given and not self._may_try_again():
            raise _RefusedError(429)
        raise _RefusedError(401, ((b"www-authenticate", b"Bearer"),))

    def _may_try_again(self) -> bool:
        now = self._seconds()
        while self._wrong_tokens and now - self._wrong_tokens[0] >= WRONG_TOKENS_SECONDS:
            self._wrong_tokens.popleft()
        if len(self._wrong_tokens) >= WRONG_TOKENS:
            return False
        self._wrong_tokens.append(now)
        return True


class _RefusedError(Exception):
    def __init__(self, status: int, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers


class _Headers:
    """The headers of one request by name; ``size`` counts the bytes they took on the way."""

    def __init__(self, scope: Scope) -> None:
        pairs: HeaderList = list(scope["headers"])
        self.size = sum(len(name) + len(value) + len(b": \r\n") for name, value in pairs)
        values: dict[bytes, list[bytes]] = {}
        for name, value in pairs:
            values.setdefault(name, []).append(value)
        self._values: Mapping[bytes, list[bytes]] = values

    def all(self, name: bytes) -> list[bytes]:
        return self._values.get(name, [])

    def announce_a_body(self) -> bool:
        return bool(self.all(b"transfer-encoding")) or any(
            length != b"0" for length in self.all(b"content-length")
        )


class _Answer:
    """The way back: every answer leaves with the fixed headers, and at most one leaves."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._is_begun = True
            message = {
                **message,
                "headers": [*_cleaned(message.get("headers", ())), *FIXED_HEADERS],
            }
        await self._send(message)

    async def refuse(self, status: int, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        """Say the status and nothing more, unless an answer is on its way."""
        if self._is_begun:
            return
        body = b"%d\n" % status
        described = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
            *headers,
        ]
        await self.send({"type": "http.response.start", "status": status, "headers": described})
        await self.send({"type": "http.response.body", "body": body})


def _cleaned(headers: HeaderList) -> HeaderList:
    kept = [(name.lower(), value) for name, value in headers]
    return [
        (name, value)
        for name, value in kept
        if name not in _NEVER_SENT and not name.startswith(b"access-control-")
    ]


def _check_kind(headers: _Headers) -> None:
    kinds = headers.all(b"content-type")
    if len(kinds) != 1 or not _JSON.fullmatch(kinds[0]):
        raise _RefusedError(415)


async def _whole_body(headers: _Headers, receive: Receive) -> bytes:
    lengths = headers.all(b"content-length")
    if len(lengths) + len(headers.all(b"transfer-encoding")) > 1 or not all(
        length.isdigit() for length in lengths
    ):
        raise _RefusedError(400)
    if any(int(length) > MOST_BODY_BYTES for length in lengths):
        raise _RefusedError(413)
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _RefusedError(400)
        body += message.get("body", b"")
        if len(body) > MOST_BODY_BYTES:
            raise _RefusedError(413)
        more = message.get("more_body", False)
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Hand over a body that was read, then whatever comes after it."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay
