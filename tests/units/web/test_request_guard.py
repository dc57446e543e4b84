import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from starlette.types import Message, Receive, Scope, Send

from goldwright.web.request_guard import RequestGuard, new_token

TOKEN = "s3cret-of-the-reviewer"  # noqa: S105  # made up
HOST = (b"host", b"127.0.0.1:8123")
BEARER = (b"authorization", b"Bearer s3cret-of-the-reviewer")
JSON = (b"content-type", b"application/json")
ORIGIN = (b"origin", b"http://127.0.0.1:8123")
Pairs = Sequence[tuple[bytes, bytes]]

EVERY_ANSWER = {
    b"content-security-policy": b"default-src 'none'; script-src 'self'; style-src 'self'; "
    b"connect-src 'self'; font-src 'none'; img-src 'none'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types goldwright",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-frame-options": b"DENY",
    b"cache-control": b"no-store",
    b"permissions-policy": b"accelerometer=(), autoplay=(), camera=(), clipboard-read=(), "
    b"clipboard-write=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), "
    b"gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), "
    b"publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), "
    b"xr-spatial-tracking=()",
}


@dataclass
class Application:
    """Answers everything, and keeps what reached it."""

    reached: list[tuple[str, str, bytes]] = field(default_factory=list)
    headers: Pairs = ((b"content-type", b"application/json"), (b"content-length", b"2"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = await receive()
        self.reached.append((scope["method"], scope["path"], message.get("body", b"")))
        await send({"type": "http.response.start", "status": 200, "headers": list(self.headers)})
        await send({"type": "http.response.body", "body": b"{}"})


@dataclass(frozen=True)
class Answer:
    status: int
    pairs: Pairs
    body: bytes

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.pairs)


def guarded(
    app: Callable[[Scope, Receive, Send], object] | None = None,
    seconds: Callable[[], float] = lambda: 0.0,
) -> RequestGuard:
    return RequestGuard(
        app or Application(),  # type: ignore[arg-type]  # tests hand over plain coroutines
        port=8123,
        token=TOKEN,
        open_paths=frozenset({"/", "/review.js"}),
        seconds=seconds,
    )


def ask(
    guard: RequestGuard,
    *headers: tuple[bytes, bytes],
    method: str = "GET",
    path: str = "/api/next",
    target: bytes | None = None,
    body: Sequence[bytes] = (b"",),
) -> Answer:
    raw = path.encode() if target is None else target
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": raw,
        "query_string": b"",
        "headers": list(headers),
    }
    incoming: list[Message] = [
        {"type": "http.request", "body": part, "more_body": index < len(body)}
        for index, part in enumerate(body, 1)
    ]
    sent = _converse(guard, scope, incoming)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return Answer(sent[0]["status"], sent[0]["headers"], sent[1]["body"])


def _converse(guard: RequestGuard, scope: Scope, incoming: Sequence[Message]) -> list[Message]:
    sent: list[Message] = []
    coming = list(incoming)

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent


def post(
    guard: RequestGuard, *headers: tuple[bytes, bytes], body: Sequence[bytes] = (b"{}",)
) -> Answer:
    return ask(guard, *headers, method="POST", path="/api/verdict", body=body)


@pytest.mark.parametrize(
    "host", [b"127.0.0.1:8123", b"localhost:8123", b"LocalHost:8123", b"[::1]:8123"]
)
def test_a_request_that_names_this_server_is_let_in(host: bytes) -> None:
    assert ask(guarded(), (b"host", host), BEARER).status == 200


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [b""],
        [b"127.0.0.1:8123", b"127.0.0.1:8123"],
        [b"127.0.0.1:8123", b"evil.example"],
        [b"127.0.0.1"],
        [b"127.0.0.1:8124"],
        [b"127.0.0.1:8123 "],
        [b"127.0.0.1:8123, evil.example"],
        [b"::1:8123"],
        [b"127.0.0.1:08123"],
        [b"127.0.0.1:8123\x00"],
    ],
)
def test_a_request_that_names_another_server_is_misdirected(hosts: list[bytes]) -> None:
    app = Application()

    answer = ask(guarded(app), *((b"host", host) for host in hosts), BEARER)

    assert (answer.status, app.reached) == (421, [])


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("http://127.0.0.1:8123/", b"http://127.0.0.1:8123/"),
        ("*", b"*"),
        ("", b""),
        ("/../etc/passwd", b"/../etc/passwd"),
        ("/..", b"/%2e%2e"),
        ("/a/./b", b"/a/./b"),
        ("/a\x00b", b"/a%00b"),
        ("/a\\b", b"/a%5cb"),
        ("//etc/passwd", b"//etc/passwd"),
        ("/a/b", b"/a%2fb"),
        ("/%2e%2e", b"/%252e%252e"),
        ("/a\nb", b"/a%0ab"),
        ("/review.js\n", b"/review.js%0a"),
        ("/\ufffd", b"/%ff"),
    ],
)
def test_a_target_that_is_no_plain_path_is_a_bad_request(path: str, target: bytes) -> None:
    app = Application()

    answer = ask(guarded(app), HOST, BEARER, path=path, target=target)

    assert (answer.status, app.reached) == (400, [])


@pytest.mark.parametrize(
    "path", ["/", "/api/next", "/api/q-0001:b", "/api/", "/a..b/.c/...", "/größe"]
)
def test_a_plain_path_reaches_the_application(path: str) -> None:
    app = Application()

    answer = ask(guarded(app), HOST, BEARER, path=path)

    assert (answer.status, app.reached) == (200, [("GET", path, b"")])


@pytest.mark.parametrize(
    "method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "BREW"]
)
def test_only_get_and_post_are_methods(method: str) -> None:
    answer = ask(guarded(), HOST, BEARER, method=method)

    assert (answer.status, answer.headers[b"allow"]) == (405, b"GET, POST")


def test_a_request_to_switch_protocols_is_a_bad_request() -> None:
    assert ask(guarded(), HOST, BEARER, (b"upgrade", b"websocket"), path="/").status == 400


def test_a_websocket_is_closed() -> None:
    sent = _converse(guarded(), {"type": "websocket", "path": "/", "headers": [HOST, BEARER]}, [])

    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_no_other_conversation_is_held() -> None:
    with pytest.raises(ValueError, match="no lifespan"):
        _converse(guarded(), {"type": "lifespan"}, [])


@pytest.mark.parametrize(
    "credentials",
    [
        [],
        [b""],
        [b"Bearer"],
        [b"Bearer "],
        [b"s3cret-of-the-reviewer"],
        [b"Bearer s3cret-of-the-reviewe"],
        [b"Bearer s3cret-of-the-reviewer "],
        [b"Bearer  s3cret-of-the-reviewer"],
        [b"Bearer S3CRET-OF-THE-REVIEWER"],
        [b"Basic s3cret-of-the-reviewer"],
        [b"Bearer \xff\xfe"],
        [b"Bearer s3cret-of-the-reviewer", b"Bearer s3cret-of-the-reviewer"],
    ],
)
def test_without_the_token_no_data_is_given(credentials: list[bytes]) -> None:
    app = Application()

    answer = ask(guarded(app), HOST, *((b"authorization", value) for value in credentials))

    assert (answer.status, answer.body, app.reached) == (401, b"401\n", [])


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/review.js", 200), ("/review.j", 401), ("/review.js/", 401)]
)
def test_the_empty_page_needs_no_token_and_nothing_beside_it(path: str, status: int) -> None:
    assert ask(guarded(), HOST, path=path).status == status


def test_a_post_to_an_open_path_needs_the_token() -> None:
    assert ask(guarded(), HOST, ORIGIN, JSON, method="POST", path="/").status == 401


def test_a_token_in_the_query_opens_nothing() -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/next",
        "raw_path": b"/api/next",
        "query_string": b"token=s3cret-of-the-reviewer"
        b"&authorization=Bearer%20s3cret-of-the-reviewer",
        "headers": [HOST],
    }

    assert _converse(guarded(), scope, [])[0]["status"] == 401


def test_the_eleventh_wrong_token_in_a_minute_is_one_too_many() -> None:
    clock = iter(range(0, 33, 3))
    guard = guarded(seconds=lambda: float(next(clock)))
    wrong = (b"authorization", b"Bearer guess")

    assert [ask(guard, HOST, wrong).status for _ in range(11)] == [401] * 10 + [429]


def test_wrong_tokens_do_not_lock_out_the_reviewer() -> None:
    guard = guarded()
    wrong = (b"authorization", b"Bearer guess")

    statuses = [ask(guard, HOST, wrong).status for _ in range(20)]

    assert statuses == [401] * 10 + [429] * 10
    assert ask(guard, HOST, BEARER).status == 200
    assert ask(guard, HOST).status == 401


@pytest.mark.parametrize(("now", "status"), [(59.9, 429), (60.0, 401)])
def test_after_a_minute_wrong_tokens_are_merely_wrong_again(now: float, status: int) -> None:
    times = [0.0] * 11 + [now]
    guard = guarded(seconds=lambda: times.pop(0))
    wrong = (b"authorization", b"Bearer guess")
    for _ in range(11):
        ask(guard, HOST, wrong)

    assert ask(guard, HOST, wrong).status == status


def test_missing_tokens_do_not_count_as_guesses() -> None:
    guard = guarded()
    for _ in range(20):
        ask(guard, HOST)

    assert ask(guard, HOST, (b"authorization", b"Bearer guess")).status == 401


def test_strangers_sites_cannot_use_up_the_guesses() -> None:
    guard = guarded()
    wrong = (b"authorization", b"Bearer guess")
    for _ in range(20):
        ask(guard, HOST, wrong, (b"sec-fetch-site", b"cross-site"))

    assert ask(guard, HOST, wrong).status == 401


def test_an_empty_token_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="empty token"):
        RequestGuard(
            Application(), port=8123, token="", open_paths=frozenset(), seconds=lambda: 0.0
        )


def test_a_post_of_the_own_page_reaches_the_application_whole() -> None:
    app = Application()

    answer = post(guarded(app), HOST, BEARER, ORIGIN, JSON, body=[b'{"verdict":', b' "good"', b"}"])

    assert answer.status == 200
    assert app.reached == [("POST", "/api/verdict", b'{"verdict": "good"}')]


def test_what_comes_after_a_body_is_handed_on() -> None:
    told: list[str] = []

    async def listen(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        told.extend([(await receive())["type"], (await receive())["type"]])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    post(guarded(listen), HOST, BEARER, ORIGIN, JSON)

    assert told == ["http.request", "http.disconnect"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (b"application/json", 200),
        (b"Application/JSON", 200),
        (b"application/json; charset=utf-8", 200),
        (b'application/json;charset="UTF-8"', 200),
        (b"", 415),
        (b"text/plain", 415),
        (b"application/x-www-form-urlencoded", 415),
        (b"multipart/form-data; boundary=x", 415),
        (b"text/plain; application/json", 415),
        (b"application/jsonp", 415),
        (b"application/json, text/plain", 415),
        (b"application/json; charset=utf-7", 415),
        (b"application/json; charset=utf-8; x=y", 415),
        (b"application/json\n", 415),
    ],
)
def test_only_json_is_taken(kind: bytes, status: int) -> None:
    assert post(guarded(), HOST, BEARER, ORIGIN, (b"content-type", kind)).status == status


@pytest.mark.parametrize("kinds", [[], [JSON, JSON], [JSON, (b"content-type", b"text/plain")]])
def test_the_kind_of_a_body_is_told_once(kinds: list[tuple[bytes, bytes]]) -> None:
    assert post(guarded(), HOST, BEARER, ORIGIN, *kinds).status == 415


@pytest.mark.parametrize(
    "origins",
    [
        [],
        [b""],
        [b"null"],
        [b"http://evil.example"],
        [b"http://127.0.0.1:8124"],
        [b"http://127.0.0.1"],
        [b"https://127.0.0.1:8123"],
        [b"http://localhost:8123"],
        [b"http://127.0.0.1:8123/"],
        [b"http://127.0.0.1:8123.evil.example"],
        [b"http://127.0.0.1:8123", b"http://127.0.0.1:8123"],
    ],
)
def test_a_post_from_elsewhere_is_refused(origins: list[bytes]) -> None:
    app = Application()

    answer = post(guarded(app), HOST, BEARER, JSON, *((b"origin", value) for value in origins))

    assert (answer.status, app.reached) == (403, [])


@pytest.mark.parametrize(
    ("sites", "status"),
    [
        ([], 200),
        ([b"same-origin"], 200),
        ([b"none"], 200),
        ([b"same-site"], 403),
        ([b"cross-site"], 403),
        ([b""], 403),
        ([b"Same-Origin"], 403),
        ([b"same-origin", b"same-origin"], 403),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_the_browser_says_of_the_sender_is_heard(
    method: str, sites: list[bytes], status: int
) -> None:
    fetched = [(b"sec-fetch-site", site) for site in sites]

    assert ask(guarded(), HOST, BEARER, ORIGIN, JSON, *fetched, method=method).status == status


@pytest.mark.parametrize(
    ("origin", "status"), [(b"http://127.0.0.1:8123", 200), (b"null", 403), (b"http://e.vil", 403)]
)
def test_data_is_read_by_the_own_page_alone(origin: bytes, status: int) -> None:
    assert ask(guarded(), HOST, BEARER, (b"origin", origin)).status == status


def test_the_own_page_is_own_by_each_of_its_names() -> None:
    guard = guarded()
    for name in (b"localhost:8123", b"[::1]:8123"):
        assert (
            post(guard, (b"host", name), (b"origin", b"http://" + name), BEARER, JSON).status == 200
        )


@pytest.mark.parametrize(("size", "status"), [(65536, 200), (65537, 413)])
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_may_have_64_kib(announced: bool, size: int, status: int) -> None:
    length = [(b"content-length", b"%d" % size)] if announced else []

    answer = post(
        guarded(), HOST, BEARER, ORIGIN, JSON, *length, body=[b"x" * 65536, b"x" * (size - 65536)]
    )

    assert answer.status == status


def test_too_long_a_body_is_refused_before_it_comes() -> None:
    answer = post(
        guarded(), HOST, BEARER, ORIGIN, JSON, (b"content-length", b"1000000000"), body=[]
    )

    assert answer.status == 413


@pytest.mark.parametrize(
    "framing",
    [
        [(b"content-length", b"-1")],
        [(b"content-length", b"0x10")],
        [(b"content-length", b"2"), (b"content-length", b"3")],
        [(b"content-length", b"2"), (b"transfer-encoding", b"chunked")],
    ],
)
def test_a_length_that_can_be_read_in_two_ways_is_refused(
    framing: list[tuple[bytes, bytes]],
) -> None:
    assert post(guarded(), HOST, BEARER, ORIGIN, JSON, *framing).status == 400


@pytest.mark.parametrize(
    ("framing", "status"),
    [
        ((b"content-length", b"0"), 200),
        ((b"content-length", b"1"), 400),
        ((b"transfer-encoding", b"chunked"), 400),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/next"])
def test_a_get_has_no_body(path: str, framing: tuple[bytes, bytes], status: int) -> None:
    assert ask(guarded(), HOST, BEARER, framing, path=path).status == status


def test_a_body_that_breaks_off_never_reaches_the_application() -> None:
    app = Application()
    headers = [HOST, BEARER, ORIGIN, JSON]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v",
        "raw_path": b"/v",
        "query_string": b"",
        "headers": headers,
    }

    sent = _converse(
        guarded(app), scope, [{"type": "http.request", "body": b"{", "more_body": True}]
    )

    assert (sent[0]["status"], app.reached) == (400, [])


@pytest.mark.parametrize(("size", "status"), [(16000, 200), (16384, 431)])
def test_headers_may_have_16_kib(size: int, status: int) -> None:
    assert ask(guarded(), HOST, BEARER, (b"x-long", b"a" * size)).status == status


def test_the_applications_own_words_on_safety_are_not_passed_on() -> None:
    app = Application(
        headers=[
            (b"content-type", b"application/json"),
            (b"Server", b"toy"),
            (b"set-cookie", b"a=b"),
            (b"Access-Control-Allow-Origin", b"*"),
            (b"access-control-allow-credentials", b"true"),
            (b"Cache-Control", b"public"),
            (b"content-security-policy", b"default-src *"),
            (b"etag", b'"1"'),
        ]
    )

    answer = ask(guarded(app), HOST, BEARER)

    assert list(answer.pairs) == [
        (b"content-type", b"application/json"),
        (b"etag", b'"1"'),
        *EVERY_ANSWER.items(),
    ]


def _answers_of_each_kind() -> dict[int, Answer]:
    guard = guarded()
    wrong = (b"authorization", b"Bearer guess")
    for _ in range(10):
        ask(guard, HOST, wrong)
    answers = [
        ask(guarded(), HOST, BEARER),
        ask(guarded(), HOST, BEARER, path="//"),
        ask(guarded(), HOST),
        ask(guarded(), HOST, BEARER, (b"origin", b"null")),
        ask(guarded(), HOST, BEARER, method="PUT"),
        post(guarded(), HOST, BEARER, ORIGIN, JSON, body=[b"x" * 65537]),
        post(guarded(), HOST, BEARER, ORIGIN),
        ask(guarded()),
        ask(guard, HOST, wrong),
        ask(guarded(), HOST, (b"x-long", b"a" * 16384)),
        ask(guarded(_say_nothing), HOST, BEARER),
    ]
    return {answer.status: answer for answer in answers}


async def _say_nothing(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive, send


def test_every_answer_has_the_same_headers_once() -> None:
    answers = _answers_of_each_kind()

    assert sorted(answers) == [200, 400, 401, 403, 405, 413, 415, 421, 429, 431, 500]
    for answer in answers.values():
        fixed = [(name, value) for name, value in answer.pairs if name in EVERY_ANSWER]
        assert fixed == list(EVERY_ANSWER.items())


def test_a_refusal_says_its_status_and_nothing_more() -> None:
    refusals = _answers_of_each_kind()
    del refusals[200]
    described = {b"content-type", b"content-length", b"allow", b"www-authenticate"}

    for status, answer in refusals.items():
        assert answer.body == b"%d\n" % status
        assert set(answer.headers) - set(EVERY_ANSWER) <= described


def test_a_bug_of_the_application_is_a_plain_500_and_stays_a_bug() -> None:
    async def fail(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive, send
        raise RuntimeError("the reviewer's note")

    sent: list[Message] = []

    async def converse() -> None:
        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [HOST],
        }
        await guarded(fail)(scope, receive, send)

    with pytest.raises(RuntimeError):
        asyncio.run(converse())

    assert (sent[0]["status"], sent[1]["body"]) == (500, b"500\n")
    assert len(sent) == 2


def test_a_bug_in_the_middle_of_an_answer_adds_nothing_to_it() -> None:
    async def break_off(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError

    sent: list[Message] = []

    async def converse() -> None:
        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [HOST],
        }
        await guarded(break_off)(scope, _never, send)

    with pytest.raises(RuntimeError):
        asyncio.run(converse())

    assert [message["type"] for message in sent] == ["http.response.start"]


async def _never() -> Message:
    raise AssertionError


def test_a_token_holds_256_bits_in_letters_that_urls_take() -> None:
    asked: list[int] = []

    def random_bytes(count: int) -> bytes:
        asked.append(count)
        return b"\xfb\xff" * 16

    assert new_token(random_bytes) == "-__7__v_-__7__v_-__7__v_-__7__v_-__7__v_-_8"
    assert asked == [32]
