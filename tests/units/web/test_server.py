import asyncio
import itertools
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldwright.errors import InputError
from goldwright.web.protocol import ConnectionLimits
from goldwright.web.request_guard import RequestGuard
from goldwright.web.server import serve

pytestmark = pytest.mark.waits

TOKEN = "s3cret-of-the-reviewer"  # noqa: S105  # made up
BEARER = "Authorization: Bearer s3cret-of-the-reviewer\r\n"
SAFETY = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; font-src 'none'; img-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types goldwright",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "permissions-policy": "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), "
    "clipboard-write=(), display-capture=(), encrypted-media=(), fullscreen=(), "
    "geolocation=(), gyroscope=(), magnetometer=(), "
    "microphone=(), midi=(), payment=(), picture-in-picture=(), publickey-credentials-get=(), "
    "screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()",
}
QUICK = ConnectionLimits(request_seconds=0.4, idle_seconds=1)


@dataclass
class CarelessApplication:
    """Serves any file that a path leads to, takes any verdict, and falls over when told to."""

    folder: Path
    reached: list[tuple[str, str, int]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive()).get("body", b"") if scope["method"] == "POST" else b""
        self.reached.append((scope["method"], scope["path"], len(body)))
        if scope["path"] == "/slow":
            await asyncio.sleep(0.8)
        if scope["path"] == "/boom":
            raise RuntimeError("the careless application fell over")
        status, said = self._answer(scope["path"])
        headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(said))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": said})

    def _answer(self, path: str) -> tuple[int, bytes]:
        if path in {"/", "/data", "/verdict", "/slow"}:
            return 200, b"welcome"
        if path == "/huge":
            return 200, b"x" * 30_000_000
        for meant in (path, path.replace("\\", "/"), path.partition("\0")[0], unquote(path)):
            try:
                return 200, (self.folder / meant[1:]).read_bytes()
            except (OSError, ValueError):
                continue
        return 404, b"no such thing"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(frozen=True)
class Running:
    port: int
    app: CarelessApplication

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def say(self, request: str | bytes) -> list[Answer]:
        """Send bytes as they are, and read until the server has no more to say."""
        raw = (
            request
            if isinstance(request, bytes)
            else request.replace("{P}", str(self.port)).encode()
        )
        with self.connect() as connection:
            _send(connection, raw)
            return _answers(_read_all(connection))

    def get(self, path: str, headers: str = BEARER) -> list[Answer]:
        return self.say(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{{P}}\r\nConnection: close\r\n{headers}\r\n"
        )

    def post(self, headers: str, body: bytes = b"{}") -> list[Answer]:
        own = f"Host: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        head = f"POST /verdict HTTP/1.1\r\n{own}{BEARER}"
        return self.say((head + headers.replace("{P}", str(self.port)) + "\r\n").encode() + body)


def _send(connection: socket.socket, raw: bytes) -> None:
    try:
        connection.sendall(raw)
    except (BrokenPipeError, ConnectionResetError):
        return  # the server has heard enough; its answer can still be read


def _read_all(connection: socket.socket) -> bytes:
    read = b""
    try:
        while part := connection.recv(65536):
            read += part
    except ConnectionResetError:
        return read
    return read


def _next_answer(connection: socket.socket) -> Answer:
    """Read one answer whose body is short."""
    read = b""
    while not read.partition(b"\r\n\r\n")[2]:
        part = connection.recv(65536)
        assert part, "the server closed before it answered"
        read += part
    return _answers(read)[0]


def _answers(raw: bytes) -> list[Answer]:
    answers = []
    while raw:
        head, _, raw = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = [
            (name.lower(), value) for name, _, value in (line.partition(": ") for line in lines)
        ]
        length = int(dict(headers).get("content-length", "0"))
        answers.append(Answer(int(first.split()[1]), headers, raw[:length]))
        raw = raw[length:]
    return answers


@contextmanager
def running(
    folder: Path, limits: ConnectionLimits | None = None, seconds: Callable[[], float] | None = None
) -> Iterator[Running]:
    app = CarelessApplication(folder)
    ports: list[int] = []
    ready, over = threading.Event(), threading.Event()
    ticks = itertools.count(0, 100)

    def make_app(port: int) -> ASGIApp:
        clock = seconds or (lambda: float(next(ticks)))
        return RequestGuard(app, port=port, token=TOKEN, open_paths=frozenset({"/"}), seconds=clock)

    def announce(port: int) -> None:
        ports.append(port)
        ready.set()

    settings = {"port": 0, "announce": announce, "stop": over.is_set, "limits": limits}
    thread = threading.Thread(target=serve, args=(make_app,), kwargs=settings)
    thread.start()
    try:
        assert ready.wait(5)
        yield Running(ports[0], app)
    finally:
        over.set()
        thread.join(5)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server in a folder of its own, beside a secret."""
    folder = tmp_path_factory.mktemp("web") / "public"
    folder.mkdir()
    (folder.parent / "secret.txt").write_text("the secret of the machine")
    with running(folder) as started:
        yield started


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:{P}",
        "localhost:{P}",
        "LOCALHOST:{P}",
        "LocalHost:{P}",
        "[::1]:{P}",
        "   127.0.0.1:{P}   ",
        "\t127.0.0.1:{P}\t",
    ],
)
def test_the_server_answers_to_its_own_names(server: Running, host: str) -> None:
    (answer,) = server.say(
        f"GET /data HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{BEARER}\r\n"
    )

    assert (answer.status, answer.body) == (200, b"welcome")


@pytest.mark.parametrize(
    "lines",
    [
        "Host: evil.com",
        "Host: evil.com:{P}",
        "Host: 127.0.0.1",
        "Host: localhost",
        "Host: 127.0.0.1.evil.com:{P}",
        "Host: localhost.evil.com:{P}",
        "Host: [::ffff:127.0.0.1]:{P}",
        "Host: [::ffff:7f00:1]:{P}",
        "Host: [0:0:0:0:0:0:0:1]:{P}",
        "Host: ::1:{P}",
        "Host: [::]:{P}",
        "Host:",
        "Host: ",
        "Host: :{P}",
        "Host: 127.0.0.1:",
        "Host: 127.0.0.1:1",
        "Host: 127.0.0.1:0{P}",
        "Host: 127.0.0.1:{P}0",
        "Host: 127.0.0.1:{P}:{P}",
        "Host: 127.0.0.1:{P}.",
        "Host: 127.0.0.1.:{P}",
        "Host: localhost.:{P}",
        "Host: 0.0.0.0:{P}",
        "Host: 0:{P}",
        "Host: 127.1:{P}",
        "Host: 127.0.0.2:{P}",
        "Host: 2130706433:{P}",
        "Host: 0x7f000001:{P}",
        "Host: 0177.0.0.1:{P}",
        "Host: user@127.0.0.1:{P}",
        "Host: user:pass@localhost:{P}",
        "Host: 127.0.0.1:{P}@evil.com",
        "Host: evil.com#127.0.0.1:{P}",
        "Host: http://127.0.0.1:{P}",
        "Host: 127.0.0.1:{P}/",
        "Host: 127.0.0.1:{P}, evil.com",
        "Host: 127.0.0.1 :{P}",
        "Host: 127.0.0.1\t:{P}",
        "Host: 127.0.0.1:{P}\r\n evil.com",
        "Host: lócalhost:{P}",
        "Host: ⓛocalhost:{P}",
        "Host: 127。0。0。1:{P}",
        "X-Forwarded-Host: 127.0.0.1:{P}\r\nHost: evil.com",
        "Forwarded: host=127.0.0.1:{P}\r\nHost: evil.com",
    ],
)
def test_a_request_to_another_name_is_misdirected(server: Running, lines: str) -> None:
    before = len(server.app.reached)

    (answer,) = server.say(f"GET /data HTTP/1.1\r\n{lines}\r\nConnection: close\r\n{BEARER}\r\n")

    assert (answer.status, answer.body) == (421, b"421\n")
    assert len(server.app.reached) == before


@pytest.mark.parametrize(
    "request_text",
    [
        "GET /data HTTP/1.1\r\nHost: evil.com\r\nHost: 127.0.0.1:{P}\r\n",
        "GET /data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nHost: 127.0.0.1:{P}\r\n",
        "GET /data HTTP/1.1\r\n",
        "GET /data HTTP/1.0\r\n",
        "GET /data HTTP/1.0\r\nHost: evil.com\r\n",
        "GET /data HTTP/1.1\r\nHost : 127.0.0.1:{P}\r\n",
        "GET /data HTTP/1.1\r\n Host: 127.0.0.1:{P}\r\n",
        "GET /data HTTP/1.1\r\nHost: 127.0.0.1:{P}\x00\r\n",
        "GET http://127.0.0.1:{P}/data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "GET http://evil.com/data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "GET //evil.com/data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "GET 127.0.0.1:{P} HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "GET data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "CONNECT 127.0.0.1:{P} HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "GET /data\r\nHost: 127.0.0.1:{P}\r\n",
        "GET /data HTTP/1.1 \r\nHost: 127.0.0.1:{P}\r\n",
        "GET  /data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "\r\nGET /data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\r\nHost: 127.0.0.1:{P}\r\n",
        "GET /dätä HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n",
    ],
)
def test_a_request_that_is_not_plainly_addressed_here_is_refused(
    server: Running, request_text: str
) -> None:
    before = len(server.app.reached)

    answers = server.say(f"{request_text}Connection: close\r\n{BEARER}\r\n")

    assert [answer.status for answer in answers] in ([400], [421])
    assert len(server.app.reached) == before


@pytest.mark.parametrize(
    "method", ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "get", "PROPFIND"]
)
def test_no_other_method_is_answered(server: Running, method: str) -> None:
    before = len(server.app.reached)

    (answer,) = server.say(
        f"{method} /data HTTP/1.1\r\nHost: 127.0.0.1:{{P}}\r\nConnection: close\r\n{BEARER}\r\n"
    )

    assert answer.status == 405
    assert len(server.app.reached) == before


def test_a_preflight_of_another_site_gets_no_permission(server: Running) -> None:
    asked = "Origin: http://evil.com\r\nAccess-Control-Request-Method: POST\r\n"

    (answer,) = server.say(
        f"OPTIONS /verdict HTTP/1.1\r\nHost: 127.0.0.1:{{P}}\r\nConnection: close\r\n{asked}\r\n"
    )

    assert answer.status == 405
    assert [name for name, _ in answer.headers if name.startswith("access-control")] == []


@pytest.mark.parametrize("headers", [BEARER, ""])
@pytest.mark.parametrize("path", ["/", "/data"])
def test_no_websocket_is_opened(server: Running, path: str, headers: str) -> None:
    before = len(server.app.reached)
    upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    own = "Host: 127.0.0.1:{P}\r\nConnection: close, Upgrade\r\n"

    (answer,) = server.say(f"GET {path} HTTP/1.1\r\n{own}{upgrade}{headers}\r\n")

    assert answer.status == 400
    assert len(server.app.reached) == before


JSON = "Content-Type: application/json\r\nContent-Length: 2\r\n"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Origin: http://127.0.0.1:{P}\r\n", 200),
        ("Origin: http://127.0.0.1:{P}\r\nSec-Fetch-Site: same-origin\r\n", 200),
        ("Origin: http://127.0.0.1:{P}\r\nSec-Fetch-Site: none\r\n", 200),
        ("Origin: http://127.0.0.1:{P}\r\nSec-Fetch-Site: same-site\r\n", 403),
        ("Origin: http://127.0.0.1:{P}\r\nSec-Fetch-Site: cross-site\r\n", 403),
        ("Origin: http://127.0.0.1:{P}\r\nSec-Fetch-Site: \r\n", 403),
        (
            (
                "Origin: http://127.0.0.1:{P}\r\n"
                "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n"
            ),
            403,
        ),
        ("Origin: http://127.0.0.1:{P}\r\nsec-fetch-site: cross-site\r\n", 403),
        ("", 403),
        ("Sec-Fetch-Site: same-origin\r\n", 403),
        ("Referer: http://127.0.0.1:{P}/\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Origin:\r\n", 403),
        ("Origin: http://evil.com\r\n", 403),
        ("Origin: http://evil.com:{P}\r\n", 403),
        ("Origin: https://127.0.0.1:{P}\r\n", 403),
        ("Origin: http://127.0.0.1\r\n", 403),
        ("Origin: http://127.0.0.1:1\r\n", 403),
        ("Origin: http://localhost:{P}\r\n", 403),
        ("Origin: http://127.0.0.1.evil.com:{P}\r\n", 403),
        ("Origin: http://127.0.0.1:{P}/\r\n", 403),
        ("Origin: http://127.0.0.1:{P} http://evil.com\r\n", 403),
        ("Origin: http://127.0.0.1:{P}\r\nOrigin: http://evil.com\r\n", 403),
        ("Origin: file://\r\n", 403),
        ("Origin: chrome-extension://abcdefgh\r\n", 403),
        ("Origin: 127.0.0.1:{P}\r\n", 403),
    ],
)
def test_a_verdict_comes_from_the_own_page(server: Running, headers: str, status: int) -> None:
    before = len(server.app.reached)

    (answer,) = server.post(headers + JSON)

    assert answer.status == status
    assert server.app.reached[before:] == ([("POST", "/verdict", 2)] if status == 200 else [])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Sec-Fetch-Site: none\r\n", 200),
        ("Sec-Fetch-Site: same-origin\r\n", 200),
        ("Origin: http://127.0.0.1:{P}\r\n", 200),
        ("Sec-Fetch-Site: same-site\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", 403),
        ("Origin: http://evil.com\r\n", 403),
        ("Origin: null\r\n", 403),
    ],
)
def test_data_is_read_by_the_own_page(server: Running, headers: str, status: int) -> None:
    (answer,) = server.get("/data", BEARER + headers)

    assert answer.status == status


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_what_a_form_of_another_site_can_send_is_refused(server: Running, kind: str) -> None:
    (answer,) = server.post(
        f"Origin: http://127.0.0.1:{{P}}\r\nContent-Type: {kind}\r\nContent-Length: 2\r\n"
    )

    assert answer.status == 415


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (BEARER, 200),
        ("authorization:Bearer s3cret-of-the-reviewer  \r\n", 200),
        ("", 401),
        ("Authorization:\r\n", 401),
        ("Authorization: Bearer\r\n", 401),
        ("Authorization: Bearer s3cret-of-the-reviewe\r\n", 401),
        ("Authorization: Bearer s3cret-of-the-reviewerr\r\n", 401),
        ("Authorization: bEARER S3CRET-of-the-reviewer\r\n", 401),
        ("Authorization: Basic s3cret-of-the-reviewer\r\n", 401),
        ("Authorization: Bearer é\r\n", 401),
        (BEARER + BEARER, 401),
        ("Authorization: Bearer x\r\n" + BEARER, 401),
        ("Cookie: token=s3cret-of-the-reviewer\r\n", 401),
        ("Proxy-Authorization: Bearer s3cret-of-the-reviewer\r\n", 401),
        ("X-Token: s3cret-of-the-reviewer\r\n", 401),
    ],
)
def test_data_needs_the_token(server: Running, headers: str, status: int) -> None:
    (answer,) = server.get("/data", headers)

    assert answer.status == status
    assert (answer.body == b"welcome") == (status == 200)


def test_the_page_itself_needs_no_token(server: Running) -> None:
    assert [answer.status for answer in server.get("/", "")] == [200]


def test_a_stranger_who_guesses_is_slowed_and_the_reviewer_is_not(tmp_path: Path) -> None:
    with running(tmp_path, seconds=lambda: 7.0) as server:
        guesses = [
            server.get("/data", f"Authorization: Bearer guess-{number}\r\n")[0]
            for number in range(13)
        ]

        assert [answer.status for answer in guesses] == [401] * 10 + [429] * 3
        assert server.get("/data")[0].status == 200


@pytest.mark.parametrize("headers", [BEARER, ""])
@pytest.mark.parametrize(
    "target",
    [
        "/../secret.txt",
        "/../../../../../../etc/passwd",
        "/./../secret.txt",
        "/data/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/%2E%2E/secret.txt",
        "/.%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%2fsecret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/%252e%252e/secret.txt",
        "/%c0%ae%c0%ae/secret.txt",
        "/..;/secret.txt",
        "/../secret.txt%00",
        "/../secret.txt%00.js",
        "/%00/../secret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/%2Fetc%2Fpasswd",
        "\\etc\\passwd",
        "/\\etc\\passwd",
        "../secret.txt",
        "file:///etc/passwd",
        "/C:/Windows/win.ini",
        "/~root/.ssh/id_rsa",
        "/" + "../" * 500 + "etc/passwd",
        "/%",
        "/%zz",
        "/data%0d%0aX-Injected:%20yes",
    ],
)
def test_no_target_leads_out_of_the_folder(server: Running, target: str, headers: str) -> None:
    (answer,) = server.get(target, headers)

    assert answer.status in {400, 401, 404}
    assert b"secret" not in answer.body
    assert b"root:" not in answer.body
    assert "x-injected" not in dict(answer.headers)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..\\secret.txt",
        "/../secret.txt\0.js",
        "/%2e%2e%2fsecret.txt",
    ],
)
def test_the_folder_is_kept_by_the_guard_and_not_by_the_application(
    server: Running, path: str
) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(server.app({"method": "GET", "path": path}, receive, send))

    assert sent[1]["body"] == b"the secret of the machine"


def test_a_target_of_20_kb_is_refused(server: Running) -> None:
    assert [answer.status for answer in server.get("/" + "a" * 20_000)] == [431]


@pytest.mark.parametrize(("size", "status"), [(65536, 200), (65537, 413), (1_000_000, 413)])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_may_have_64_kib(server: Running, chunked: bool, size: int, status: int) -> None:
    before = len(server.app.reached)
    framing = "Transfer-Encoding: chunked\r\n" if chunked else f"Content-Length: {size}\r\n"
    body = _chunked(size) if chunked else b"x" * size

    (answer,) = server.post(
        f"Origin: http://127.0.0.1:{{P}}\r\nContent-Type: application/json\r\n{framing}", body
    )

    assert answer.status == status
    assert server.app.reached[before:] == ([("POST", "/verdict", size)] if status == 200 else [])


def _chunked(size: int) -> bytes:
    pieces = [8192] * (size // 8192) + ([size % 8192] if size % 8192 else [])
    return b"".join(b"%x\r\n" % piece + b"x" * piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"


def test_a_flood_is_cut_off(server: Running) -> None:
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    head = f"POST /verdict HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n"
    sent = 0
    with server.connect() as connection:
        connection.sendall(head.encode())
        with suppress(BrokenPipeError, ConnectionResetError):
            while sent < 1000:
                connection.sendall(b"100000\r\n" + b"x" * 1_048_576 + b"\r\n")
                sent += 1

    assert sent < 30


@pytest.mark.parametrize(
    ("length", "statuses"), [("1", [200, 400]), ("0", [200, 400]), ("-1", [400]), ("2, 3", [400])]
)
def test_a_length_that_lies_gains_nothing(
    server: Running, length: str, statuses: list[int]
) -> None:
    address = f"127.0.0.1:{server.port}"
    origin = f"Origin: http://{address}\r\n"
    head = f"POST /verdict HTTP/1.1\r\nHost: {address}\r\n{BEARER}{origin}"
    framing = f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"

    assert [
        answer.status for answer in server.say((head + framing).encode() + b"{}{}{}\r\n\r\n")
    ] == statuses


def test_a_request_hidden_in_a_body_is_never_heard(server: Running) -> None:
    before = len(server.app.reached)
    hidden = f"GET /data HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{BEARER}\r\n".encode()
    framing = (
        f"Content-Length: {len(hidden)}\r\nContent-Type: text/plain\r\nOrigin: http://evil.com\r\n"
    )

    assert [answer.status for answer in server.post(framing, hidden)] == [403]
    assert len(server.app.reached) == before


def test_headers_of_17_kb_are_refused_whole_or_in_parts(server: Running) -> None:
    head = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\nX-Long: "
        + "a" * 17_000
    )

    assert [answer.status for answer in server.say(head + "\r\n\r\n")] == [431]
    assert [answer.status for answer in server.say(head)] == [431]


def test_headers_of_16_kb_are_heard(server: Running) -> None:
    assert [
        answer.status for answer in server.get("/data", BEARER + "X-Long: " + "a" * 16_000 + "\r\n")
    ] == [200]


def test_garbage_after_a_refusal_ends_the_connection_quietly(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    head = f"POST /verdict HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(head.encode())
        assert _next_answer(connection).status == 403
        connection.sendall(b"no chunk at all\r\n")
        assert connection.recv(65536) == b""

    assert caplog.records == []


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{P}", "http://evil.com"])
def test_garbage_in_a_body_is_a_bad_request(
    server: Running, caplog: pytest.LogCaptureFixture, origin: str
) -> None:
    before = len(server.app.reached)
    framing = (
        f"Origin: {origin}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    )

    assert [answer.status for answer in server.post(framing, b"no chunk at all\r\n")] == [400]
    assert len(server.app.reached) == before
    assert caplog.records == []


def test_garbage_after_a_request_for_headers_alone_is_a_bad_request(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    head = "HEAD /data HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nTransfer-Encoding: chunked\r\n\r\n"

    assert [answer.status for answer in server.say(head + "no chunk at all\r\n")] == [400]
    assert caplog.records == []


def _one_answer_of_each_status(server: Running) -> dict[int, Answer]:
    own = "Origin: http://127.0.0.1:{P}\r\n"
    answers = [
        server.get("/data"),
        server.get("/nothing"),
        server.get("//"),
        server.get("/data", ""),
        server.get("/data", BEARER + "Origin: null\r\n"),
        server.say("PUT / HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nConnection: close\r\n\r\n"),
        server.post(
            own + "Content-Type: application/json\r\nContent-Length: 65537\r\n", b"x" * 65537
        ),
        server.post(own + "Content-Type: text/plain\r\nContent-Length: 2\r\n"),
        server.say("GET / HTTP/1.0\r\n\r\n"),
        server.say(b"GET / HTTP/1.1\r\nX: " + b"a" * 20_000),
        server.get("/boom"),
    ]
    return {answer.status: answer for (answer,) in answers}


def test_every_answer_carries_the_same_safety_headers(server: Running) -> None:
    answers = _one_answer_of_each_status(server)
    answers[-400] = server.say("no HTTP at all\r\n\r\n")[0]

    assert sorted(answers) == [-400, 200, 400, 401, 403, 404, 405, 413, 415, 421, 431, 500]
    for answer in answers.values():
        assert [(name, value) for name, value in answer.headers if name in SAFETY] == list(
            SAFETY.items()
        )
        rest = {name for name, _ in answer.headers} - set(SAFETY)
        assert rest <= {"content-type", "content-length", "connection", "allow", "www-authenticate"}


def test_a_bug_of_the_application_shows_nothing_to_the_client(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    (answer,) = server.get("/boom")

    assert (answer.status, answer.body) == (500, b"500\n")
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_requests_leave_no_trace_on_the_terminal(
    server: Running, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    server.get("/data?t=s3cret")
    server.get("//")
    server.say("garbage\r\n\r\n")
    server.say(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n"
        "Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n"
    )

    assert (capfd.readouterr(), caplog.records) == (("", ""), [])


def test_one_connection_serves_many_requests_without_delay(server: Running) -> None:
    ask = f"GET /data HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{BEARER}\r\n".encode()
    began = time.monotonic()
    with server.connect() as connection:
        for _ in range(50):
            connection.sendall(ask)
            assert _next_answer(connection).status == 200

    assert (
        time.monotonic() - began < 1.5
    )  # 40 ms are lost with every answer that waits for an acknowledgement


@pytest.mark.parametrize(("kind", "status"), [("application/json", 200), ("text/plain", 415)])
def test_one_connection_may_bring_many_bodies(server: Running, kind: str, status: int) -> None:
    own = f"Host: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\n{BEARER}"
    head = f"POST /verdict HTTP/1.1\r\n{own}Content-Type: {kind}\r\nContent-Length: 65536\r\n\r\n"
    with server.connect() as connection:
        for _ in range(40):
            connection.sendall(head.encode())
            # A refusal comes before the body does.
            statuses = [_next_answer(connection).status] if status == 415 else []
            connection.sendall(b"x" * 65536)
            assert (statuses or [_next_answer(connection).status]) == [status]


def test_each_request_of_a_burst_is_checked(server: Running) -> None:
    own = f"Host: 127.0.0.1:{server.port}\r\n"
    good = f"GET /data HTTP/1.1\r\n{own}{BEARER}\r\n"
    elsewhere = f"GET /data HTTP/1.1\r\nHost: evil.com\r\n{BEARER}\r\n"
    last = f"GET /data HTTP/1.1\r\n{own}Connection: close\r\n\r\n"

    assert [answer.status for answer in server.say(good + elsewhere + last)] == [200, 421, 401]


def _seconds_until_closed(
    connection: socket.socket, drip: bytes = b"", pause: float = 0.05
) -> float:
    began = time.monotonic()
    connection.settimeout(pause)
    while time.monotonic() - began < 4:
        try:
            connection.sendall(drip)
            if connection.recv(65536) == b"":
                break
        except TimeoutError:
            continue
        except (BrokenPipeError, ConnectionResetError):
            break
    return time.monotonic() - began


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of little patience: 0.4 s for a request, 1 s between two."""
    with running(tmp_path_factory.mktemp("quick"), QUICK) as started:
        yield started


VERDICT = (
    f"POST /verdict HTTP/1.1\r\nHost: 127.0.0.1:{{P}}\r\nOrigin: http://127.0.0.1:{{P}}\r\n{BEARER}"
)


@pytest.mark.parametrize(
    ("opening", "drip"),
    [
        ("", b""),
        ("G", b""),
        ("GET / HTTP/1.1\r\n", b"X: y\r\n"),
        ("GET / HTTP/1.1\r\nX: ", b"y"),
        (VERDICT + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n", b"x"),
        (
            VERDICT + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\nx\r\n",
        ),
        (VERDICT + "Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n", b"x"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n\r\nGET / HTTP/1.1\r\n", b"X: y\r\n"),
    ],
)
def test_a_request_that_drips_is_cut_off_in_time(quick: Running, opening: str, drip: bytes) -> None:
    with quick.connect() as connection:
        connection.sendall(opening.replace("{P}", str(quick.port)).encode())

        assert 0.2 < _seconds_until_closed(connection, drip) < 1.5

    assert quick.get("/data")[0].status == 200


def test_an_idle_browser_is_let_go_without_a_word(quick: Running) -> None:
    with quick.connect() as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{quick.port}\r\n\r\n".encode())
        assert _next_answer(connection).status == 200
        began = time.monotonic()

        assert connection.recv(65536) == b""
        assert 0.7 < time.monotonic() - began < 3


def test_an_application_may_take_longer_than_a_request(quick: Running) -> None:
    assert [answer.body for answer in quick.get("/slow")] == [b"welcome"]


def test_the_clock_of_a_request_starts_with_its_first_byte(tmp_path: Path) -> None:
    with (
        running(tmp_path, ConnectionLimits(request_seconds=1)) as server,
        server.connect() as connection,
    ):
        time.sleep(0.6)
        connection.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.6)
        connection.sendall(f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode())

        assert _next_answer(connection).status == 200


@pytest.mark.parametrize("ending", ["", "Connection: close\r\n"])
def test_a_client_that_does_not_read_is_cut_off(tmp_path: Path, ending: str) -> None:
    with (
        running(tmp_path, ConnectionLimits(request_seconds=0.4, idle_seconds=60)) as server,
        socket.socket() as connection,
    ):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(
            f"GET /huge HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{ending}{BEARER}\r\n".encode()
        )
        time.sleep(0.8)
        connection.settimeout(2)

        assert len(_read_all(connection)) < 30_000_000


def test_a_client_that_reads_gets_all_and_may_ask_again(tmp_path: Path) -> None:
    with (
        running(tmp_path, ConnectionLimits(request_seconds=0.5, idle_seconds=60)) as server,
        server.connect() as connection,
    ):
        ask = f"GET /huge HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{BEARER}\r\n".encode()
        for _ in range(2):
            connection.sendall(ask)
            assert len(_read_past(connection, 30_000_000)) > 30_000_000
            time.sleep(0.8)


def _read_past(connection: socket.socket, size: int) -> bytes:
    read = bytearray()
    while not read.endswith(b"x") or len(read) <= size:
        part = connection.recv(1_048_576)
        assert part, "the server closed before it had said all"
        read += part
    return bytes(read)


def test_of_40_connections_32_are_held_and_the_room_comes_back(tmp_path: Path) -> None:
    with running(tmp_path) as server, ExitStack() as stack:
        crowd = [stack.enter_context(server.connect()) for _ in range(40)]
        for connection in crowd:
            _send(connection, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())

        answers = [_first_bytes(connection)[:12] for connection in crowd]
        for connection in crowd:
            connection.close()

        assert answers.count(b"HTTP/1.1 200") == 32
        assert answers.count(b"") == 8
        assert _eventually(lambda: [answer.status for answer in server.get("/data")] == [200])


def _first_bytes(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""


def _eventually(claim: Callable[[], bool]) -> bool:
    for _ in range(40):
        if claim():
            return True
        time.sleep(0.05)
    return False


def test_the_server_listens_on_loopback_alone(server: Running) -> None:
    with socket.socket() as stranger:
        stranger.settimeout(2)
        assert stranger.connect_ex(("127.0.0.2", server.port)) != 0


@pytest.mark.parametrize("port", [-1, 65536, 10**9])
def test_a_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(
        InputError,
        match=rf"^--port {port}: a port is a number from 1 to 65535, or 0 for any free one$",
    ):
        serve(_no_app, port=port, announce=_nobody, stop=lambda: True)


def test_a_port_in_use_is_named(server: Running) -> None:
    wanted = rf"^--port {server.port}: the port is in use; name another one, or 0 for any free one$"
    with pytest.raises(InputError, match=wanted):
        serve(_no_app, port=server.port, announce=_nobody, stop=lambda: True)


def test_a_port_is_free_again_once_the_server_has_ended(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.get("/")[0].status == 200
        port = server.port
    announced: list[int] = []

    def make_app(bound: int) -> ASGIApp:
        return RequestGuard(
            CarelessApplication(tmp_path),
            port=bound,
            token=TOKEN,
            open_paths=frozenset(),
            seconds=lambda: 0.0,
        )

    serve(make_app, port=port, announce=announced.append, stop=lambda: True)

    assert announced == [port]


def _no_app(port: int) -> ASGIApp:
    raise AssertionError(port)


def _nobody(port: int) -> None:
    raise AssertionError(port)


SLOW_SERVER = """
import asyncio
import signal
import sys
from goldwright.web.request_guard import RequestGuard
from goldwright.web.server import serve

async def app(scope, receive, send):
    print("in progress", flush=True)
    await asyncio.sleep(float(sys.argv[1]))
    headers = [(b"content-length", b"4")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"done"})

def make_app(port):
    return RequestGuard(app, port=port, token="t", open_paths=frozenset({"/"}), seconds=lambda: 0.0)

def announce(port):
    print(port, flush=True)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
try:
    serve(make_app, port=0, announce=announce, stop=lambda: False)
except KeyboardInterrupt:
    sys.exit(130)
"""


@contextmanager
def _process(app_seconds: float) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-c", SLOW_SERVER, str(app_seconds)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15)])
def test_a_signal_lets_the_verdict_in_progress_finish(number: signal.Signals, code: int) -> None:
    with _process(0.5) as (process, port), ExitStack() as stack:
        busy, idle = (
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 5)) for _ in range(2)
        )
        half = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
        own = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        own += "Authorization: Bearer t\r\n"
        half.sendall(f"POST /verdict HTTP/1.1\r\n{own}{JSON}\r\n{{".encode())
        busy.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert process.stdout is not None
        assert process.stdout.readline() == "in progress\n"
        idle.sendall(b"POST / HT")
        began = time.monotonic()
        process.send_signal(number)

        assert [answer.body for answer in _answers(_read_all(busy))] == [b"done"]
        assert process.communicate(timeout=5) == ("", "")
        assert (process.returncode, time.monotonic() - began < 2) == (code, True)


def test_a_signal_ends_the_server_though_a_request_hangs() -> None:
    with _process(60) as (process, port), socket.create_connection(("127.0.0.1", port), 5) as busy:
        busy.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert process.stdout is not None
        assert process.stdout.readline() == "in progress\n"
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)

        assert process.wait(timeout=5) == -15
        assert time.monotonic() - began < 2
