"""A model server on the loopback interface: the providers' wire protocols, with a script for a
model.
"""

import asyncio
import contextlib
import hashlib
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import unquote

import msgspec

from scripted.anthropic_wire import MESSAGES
from scripted.batches import BatchDesk
from scripted.event_streams import (
    EVENT_STREAM,
    EVENT_WRITERS,
    LAST_CHUNK,
    Event,
    EventWriter,
    chunk,
)
from scripted.google_wire import GENERATE_CONTENT
from scripted.openai_wire import CHAT, RESPONSES
from scripted.wire import (
    THINKING_TOKENS,
    Brain,
    Heard,
    Json,
    Piece,
    PromptCache,
    RequestError,
    Say,
    Tokens,
    Wire,
    bearer,
    prefix_tokens,
    spoken_tokens,
)

FaultKind = Literal[
    "status",
    "reset_before",
    "close_before",
    "cut_body",
    "truncated_json",
    "empty",
    "garbage",
    "wrong_shape",
    "hang",
    "trickle",
    "slow",
    "say",
    "cut_after",
    "reset_after",
    "end_early",
    "error_event",
    "bad_event",
    "stall",
]
# What becomes of the faults of streams where nobody asked for a stream.
UNSTREAMED: Mapping[str, FaultKind] = {
    "cut_after": "cut_body",
    "reset_after": "cut_body",
    "end_early": "truncated_json",
    "error_event": "status",
    "bad_event": "truncated_json",
    "stall": "hang",
}
STREAMED = frozenset({"cut_body", "truncated_json", "wrong_shape", *UNSTREAMED})
HEAD_LIMIT = 1 << 20
MOST_TRICKLED_BYTES = 20
STATUS_OF_A_LEFT_CLIENT = 499
SECONDS_TO_WRITE_DOWN = 0.5
SECONDS_TO_SEE_WHO_LEFT = 0.01
SECONDS_TO_READ_BEFORE_A_RESET = 0.05
STATUS_OF_AN_OVERLOAD = 529
NO_USAGE = MappingProxyType({"fresh": 0, "cached": 0, "written": 0, "output": 0})
JSON_TYPE = "application/json"
HALF_SAID = Say(text="A reply that never arrives in one piece.")
PATHS = {"/v1/messages": MESSAGES, "/v1/responses": RESPONSES, "/v1/chat/completions": CHAT}
GOOGLE_PATH = re.compile(
    r"/v1(?:beta1?)?(?:/projects/[^/]+/locations/[^/]+/publishers/google)?"
    r"/models/(?P<model>[^:]+):(?P<method>generateContent|streamGenerateContent)"
)
# As clouds name a model of Anthropic: in the path, or as Anthropic does below a folder.
RENTED_PATH = re.compile(
    r"/model/(?P<bedrock>[^/]+)/invoke|/projects/[^/]+/locations/[^/]+/publishers/anthropic"
    r"/models/(?P<vertex>[^/:]+):(?:rawPredict|streamRawPredict)"
)
AZURE_PATH = "/anthropic/v1/messages"


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request; ``status`` without a body gets the provider's own error.

    The last six kinds befall streams, once so many ``events`` of a reply are sent; the last of them
    never is.
    """

    kind: FaultKind
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Json | None = None
    seconds: float = 0.0
    say: Say | None = None
    events: int = 3


@dataclass(frozen=True)
class Entry:
    """What became of one request; status 0 means that nothing was answered, 499 that the client
    left.

    ``usage`` counts each token once, as fresh, cached, written or output; nothing of it was billed
    when it is all 0. Of a stream that broke off, the input is billed and what was said till then.
    """

    serial: int
    protocol: str
    model: str
    began: float
    ended: float
    status: int
    fault: str | None
    key_digest: str
    usage: Mapping[str, int]
    body_digest: str
    in_flight: int


NO_FAULT = Fault("slow")
Faults = Callable[[int, Heard], Fault | None]
BatchFaults = Callable[[int, str], Fault | None]
"""What goes wrong with a request about batches, by its number and path: a status at once, with a
body where there is one, or a connection that is reset when the request has been carried out."""
Latency = Callable[[int], float]
Headers = Callable[[int], Mapping[str, str]]
"""What the head of a good reply holds besides, by the number of its request."""


@dataclass(frozen=True)
class _Request:
    """An HTTP request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def keeps_alive(self) -> bool:
        """Tell whether another request may follow on the connection."""
        return self.headers.get("connection", "").lower() != "close"


@dataclass(frozen=True)
class _Question:
    """A request that was understood; ``known`` is what the cache knew of it when it came."""

    wire: Wire
    heard: Heard
    pieces: tuple[Piece, ...]
    known: tuple[int, int]
    writer: EventWriter | None


@dataclass
class _Exchange:
    """A request on its way to an answer, and what is to be logged of it."""

    serial: int
    request: _Request
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    in_flight: int
    began: float
    wire: Wire | None = None
    model: str = ""
    status: int = 0
    fault: str | None = None
    key: str = ""
    usage: Mapping[str, int] = field(default_factory=lambda: dict(NO_USAGE))
    open: bool = True


class ScriptedServer:
    """Answer the SDKs of three providers with what a brain says.

    ``thinking`` adds a thought to replies with tool calls, which the client has to echo; it is
    billed as ``thought_tokens``.
    """

    def __init__(
        self,
        brain: Brain,
        *,
        faults: Faults | None = None,
        latency: Latency | None = None,
        thinking: bool = True,
        thought_tokens: int = THINKING_TOKENS,
        batch_faults: BatchFaults | None = None,
        headers: Headers | None = None,
    ) -> None:
        self.log: list[Entry] = []
        self.brain_errors: list[Exception] = []
        self.connections = 0
        self.batches = BatchDesk(self._answer_entry)
        self._brain = brain
        self._faults = faults or _no_fault
        self._batch_faults = batch_faults or _no_batch_fault
        self._latency = latency or _no_latency
        self._headers = headers or _no_headers
        self._thinking = thinking
        self._thought_tokens = thought_tokens
        self._cache = PromptCache()
        self._serial = 0
        self._in_flight = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        """Listen on a free port and return it."""
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, limit=HEAD_LIMIT, backlog=1024
        )
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """Stop listening and drop every connection."""
        if self._server:
            self._server.close()
        await asyncio.sleep(SECONDS_TO_SEE_WHO_LEFT)
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    @property
    def is_busy(self) -> bool:
        """Whether an exchange is under way that is not in the log yet."""
        return self._in_flight > 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        if task:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        try:
            while request := await _read_request(reader):
                if not await self._exchange(request, reader, writer):
                    break
        except (asyncio.CancelledError, ConnectionError):
            pass  # the server closes, or the client is gone
        finally:
            writer.close()

    async def _exchange(
        self, request: _Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        self._serial += 1
        self._in_flight += 1
        exchange = _Exchange(
            self._serial, request, reader, writer, self._in_flight, time.monotonic()
        )
        try:
            await self._answer(exchange)
        except ConnectionError:
            exchange.status, exchange.open = STATUS_OF_A_LEFT_CLIENT, False
        finally:
            self.log.append(_entry(exchange))
            self._in_flight -= 1
        return exchange.open and request.keeps_alive

    async def _answer(self, exchange: _Exchange) -> None:
        path = exchange.request.path.partition("?")[0]
        try:
            if self.batches.takes(path):
                await self._answer_about_batches(exchange, path)
                return
            question = self._understand(exchange)
            fault = self._faults(exchange.serial, question.heard)
            exchange.fault = fault.kind if fault else None
            if fault is None or fault.kind in ("say", "slow", "trickle"):
                await self._answer_with_brain(exchange, question, fault or NO_FAULT)
            else:
                await self._answer_with_fault(exchange, question, fault)
        except RequestError as error:
            shape = (exchange.wire or MESSAGES).error_body(error.status, error.code, error.message)
            await _send(exchange, error.status, shape)

    async def _answer_about_batches(self, exchange: _Exchange, path: str) -> None:
        """Take a batch in or tell of one; a fault befalls the answer, when all is done."""
        request = exchange.request
        fault = self._batch_faults(exchange.serial, path)
        if fault is not None and fault.kind == "status":
            exchange.fault = fault.kind
            body = b"{}" if fault.body is None else fault.body
            await _send(exchange, fault.status, body)
            return
        query = request.path.partition("?")[2]
        reply = self.batches.handle(path, request.body, request.headers, request.method, query)
        if fault is not None:
            exchange.fault = fault.kind
            _hang_up(exchange, resets=True)
            return
        kind = {"content-type": "application/binary"} if isinstance(reply, bytes) else {}
        await _send(exchange, HTTPStatus.OK, reply, kind)

    def _answer_entry(self, wire: Wire, body: Json, model: str) -> tuple[Json, Mapping[str, int]]:
        heard = wire.decode(body, model, self._thinking)
        pieces = wire.pieces(body)
        question = _Question(wire, heard, pieces, self._cache.read(heard.model, pieces), None)
        say = self._think(heard)
        tokens = _count(question, say, self._thought(question, say))
        self._serial += 1
        reply = wire.encode(say, heard, tokens, self._serial)
        self._cache.keep(heard.model, pieces)
        return reply, {name: getattr(tokens, name) for name in NO_USAGE}

    def _understand(self, exchange: _Exchange) -> _Question:
        path, _, query = exchange.request.path.partition("?")
        google = GOOGLE_PATH.fullmatch(path)
        rented = RENTED_PATH.fullmatch(path)
        messages = MESSAGES if rented or path == AZURE_PATH else PATHS.get(path)
        wire = exchange.wire = GENERATE_CONTENT if google else messages
        if wire is None:
            raise RequestError(HTTPStatus.NOT_FOUND, "", f"Not found: {path}")
        headers = exchange.request.headers
        # A cloud has its own way of naming who asks, and the version is in the body.
        is_in_cloud = rented is not None or (google is not None and "/projects/" in path)
        exchange.key = bearer(headers) if is_in_cloud else wire.key_of(headers)
        body = _json_in(exchange.request.body)
        if rented:
            body = _as_anthropic_has_it(body, unquote(rented["bedrock"] or rented["vertex"]))
        try:
            heard = wire.decode(body, unquote(google["model"]) if google else "", self._thinking)
            pieces = wire.pieces(body)
            writer = _event_writer(wire, body, google["method"] if google else "", query)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RequestError(
                HTTPStatus.BAD_REQUEST, "", f"A field has a wrong type: {error!r}"
            ) from error
        exchange.model = heard.model
        return _Question(wire, heard, pieces, self._cache.read(heard.model, pieces), writer)

    async def _answer_with_brain(
        self, exchange: _Exchange, question: _Question, fault: Fault
    ) -> None:
        delay = self._latency(exchange.serial) + (fault.seconds if fault.kind == "slow" else 0.0)
        if delay > 0 and await _client_leaves(exchange.reader, delay):
            _leave(exchange)
            return
        reply, tokens = self._reply(exchange, question, fault.say or self._think(question.heard))
        seconds = fault.seconds if fault.kind == "trickle" else 0.0
        headers = self._headers(exchange.serial)
        if question.writer:
            events = list(question.writer.events(reply, tokens))
            await _send_events(exchange, events, seconds, headers)
        elif fault.kind == "trickle":
            await _trickle(exchange, reply, seconds)
        else:
            await _send(exchange, HTTPStatus.OK, reply, headers)

    def _think(self, heard: Heard) -> Say:
        try:
            return self._brain(heard)
        except RequestError:
            raise
        except Exception as error:
            # A script's mistake has to reach the test that wrote it.
            self.brain_errors.append(error)
            raise RequestError(
                HTTPStatus.INTERNAL_SERVER_ERROR, "", f"The script failed: {error!r}"
            ) from error

    def _reply(self, exchange: _Exchange, question: _Question, say: Say) -> tuple[Json, Tokens]:
        wire, heard = question.wire, question.heard
        tokens = _count(question, say, self._thought(question, say))
        reply = wire.encode(say, heard, tokens, exchange.serial)
        self._cache.keep(heard.model, question.pieces)
        exchange.usage = {name: getattr(tokens, name) for name in NO_USAGE}
        return reply, tokens

    def _thought(self, question: _Question, say: Say) -> int:
        thinks = self._thinking and question.wire.thinks(question.heard, say)
        return self._thought_tokens if thinks else 0

    async def _answer_with_fault(
        self, exchange: _Exchange, question: _Question, fault: Fault
    ) -> None:
        if question.writer and fault.kind in STREAMED:
            await self._break_stream(exchange, question, question.writer, fault)
            return
        match UNSTREAMED.get(fault.kind, fault.kind):
            case "status":
                body = _error_of(question.wire, fault) if fault.body is None else fault.body
                status = fault.status or STATUS_OF_AN_OVERLOAD
                await _send(exchange, status, body, fault.headers)
            case "reset_before" | "close_before":
                _hang_up(exchange, resets=fault.kind == "reset_before")
            case "hang":
                await _hang(exchange, fault.seconds or None)
            case "empty":
                kind = {"content-type": EVENT_STREAM} if question.writer else {}
                await _send(exchange, HTTPStatus.OK, b"", {**kind, **fault.headers})
            case "garbage":
                page = (
                    b"<html><body>Bad gateway</body></html>" if fault.body is None else fault.body
                )
                await _send(
                    exchange, HTTPStatus.OK, page, {"content-type": "text/html", **fault.headers}
                )
            case "wrong_shape":
                shape = question.wire.wrong_shape if fault.body is None else fault.body
                await _send(exchange, HTTPStatus.OK, shape, fault.headers)
            case kind:
                reply, _ = self._reply(exchange, question, fault.say or HALF_SAID)
                await _send_half(exchange, _encoded(reply), admits=kind == "truncated_json")

    async def _break_stream(
        self, exchange: _Exchange, question: _Question, writer: EventWriter, fault: Fault
    ) -> None:
        if fault.kind == "wrong_shape":
            shape = question.wire.wrong_shape if fault.body is None else fault.body
            frames = (
                [shape]
                if isinstance(shape, bytes)
                else [Event(event).frame() for event in writer.misshapen(shape)]
            )
            await _send(exchange, HTTPStatus.OK, b"".join(frames), {"content-type": EVENT_STREAM})
            return
        reply, tokens = self._reply(exchange, question, fault.say or HALF_SAID)
        events = list(writer.events(reply, tokens))
        frames = [event.frame() for event in events]
        if fault.kind in ("cut_body", "truncated_json"):
            sent = b"".join(frames)[: sum(map(len, frames)) // 2]
            whole = sum(total <= len(sent) for total in accumulate(map(len, frames)))
        else:
            whole = min(fault.events, len(events) - 1)
            sent = b"".join(frames[:whole])
        exchange.usage = {**exchange.usage, "output": events[whole - 1].output if whole else 0}
        await _begin_stream(exchange, fault.headers)
        if fault.kind == "error_event":
            error = writer.error(fault.status, "Scripted.", _error_of(question.wire, fault))
            sent += Event(error).frame()
        elif fault.kind == "bad_event":
            sent += writer.broken
        exchange.writer.write(chunk(sent) if sent else b"")
        await _end_stream(exchange, fault)


@dataclass(frozen=True)
class Running:
    """A server that runs in a thread of its own."""

    url: str
    server: ScriptedServer

    @property
    def log(self) -> list[Entry]:
        """What became of the requests so far, in the order of their ends."""
        until = time.monotonic() + SECONDS_TO_WRITE_DOWN
        while self.server.is_busy and time.monotonic() < until:
            time.sleep(
                0.001
            )  # a client may hold the whole answer before the server has noted that it sent it
        return self.server.log


@contextlib.contextmanager
def serve_in_thread(
    brain: Brain,
    *,
    faults: Faults | None = None,
    latency: Latency | None = None,
    thinking: bool = True,
    thought_tokens: int = THINKING_TOKENS,
    batch_faults: BatchFaults | None = None,
    headers: Headers | None = None,
) -> Iterator[Running]:
    """Run a server in a daemon thread, and raise at the end what the brain raised."""
    server = ScriptedServer(
        brain,
        faults=faults,
        latency=latency,
        thinking=thinking,
        thought_tokens=thought_tokens,
        batch_faults=batch_faults,
        headers=headers,
    )
    started: Future[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    thread = threading.Thread(
        target=lambda: asyncio.run(_run(server, started)), name="scripted-server", daemon=True
    )
    thread.start()
    port, loop, stop = started.result(timeout=10)
    try:
        yield Running(f"http://127.0.0.1:{port}", server)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=10)
    if server.brain_errors:
        raise server.brain_errors[0]


async def _run(
    server: ScriptedServer, started: "Future[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]]"
) -> None:
    stop = asyncio.Event()
    try:
        port = await server.start()
    except OSError as error:
        started.set_exception(error)
        return
    started.set_result((port, asyncio.get_running_loop(), stop))
    await stop.wait()
    await server.close()


async def _read_request(reader: asyncio.StreamReader) -> _Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        fields = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in fields}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = first.split(" ")
    return _Request(method, path, headers, body)


def _json_in(body: bytes) -> Json:
    try:
        value = msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        raise RequestError(
            HTTPStatus.BAD_REQUEST, "", f"The request body is not valid JSON: {error}"
        ) from error
    if not isinstance(value, dict):
        raise RequestError(HTTPStatus.BAD_REQUEST, "", "The request body is not an object")
    return value


def _event_writer(wire: Wire, body: Json, method: str, query: str) -> EventWriter | None:
    if wire.protocol != "google":
        return EVENT_WRITERS[wire.protocol] if body.get("stream") else None
    if method == "generateContent":
        return None
    if query != "alt=sse":
        raise RequestError(HTTPStatus.BAD_REQUEST, "", "This server streams by alt=sse alone.")
    return EVENT_WRITERS["google"]


def _error_of(wire: Wire, fault: Fault) -> Json:
    status = fault.status or STATUS_OF_AN_OVERLOAD
    known = status in set(HTTPStatus)
    return wire.error_body(status, "", HTTPStatus(status).phrase if known else "Scripted")


def _count(question: _Question, say: Say, thinking: int) -> Tokens:
    cached, marked = question.known
    whole = prefix_tokens(question.pieces)[-1]
    written = max(0, marked - cached) if question.wire.reports_writes else 0
    return Tokens(
        whole - cached - written, cached, written, spoken_tokens(say) + thinking, thinking
    )


async def _send(
    exchange: _Exchange,
    status: int,
    body: bytes | Json,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> None:
    content = _encoded(body)
    exchange.writer.write(_head(exchange, status, len(content), headers) + content)
    exchange.status = status
    await exchange.writer.drain()


async def _begin_stream(
    exchange: _Exchange, headers: Mapping[str, str] = MappingProxyType({})
) -> None:
    exchange.writer.write(_head(exchange, HTTPStatus.OK, None, headers))
    exchange.status = HTTPStatus.OK
    await exchange.writer.drain()


async def _end_stream(exchange: _Exchange, fault: Fault) -> None:
    if fault.kind in ("truncated_json", "end_early", "error_event", "bad_event"):
        exchange.writer.write(LAST_CHUNK)
        await exchange.writer.drain()
        return
    await exchange.writer.drain()
    if fault.kind == "stall":
        if await _client_leaves(exchange.reader, fault.seconds or None):
            _leave(exchange)
            return
    elif fault.kind == "reset_after":
        # A reset throws away what was not read yet.
        await asyncio.sleep(SECONDS_TO_READ_BEFORE_A_RESET)
    _hang_up(exchange, resets=fault.kind == "reset_after")


async def _send_events(
    exchange: _Exchange, events: Sequence[Event], seconds: float, headers: Mapping[str, str]
) -> None:
    """Send a whole stream, at once or spread over some seconds."""
    if not seconds:
        body = b"".join(chunk(event.frame()) for event in events) + LAST_CHUNK
        exchange.writer.write(_head(exchange, HTTPStatus.OK, None, headers) + body)
        exchange.status = HTTPStatus.OK
        await exchange.writer.drain()
        return
    await _begin_stream(exchange, headers)
    for event in events:
        exchange.writer.write(chunk(event.frame()))
        exchange.usage = {**exchange.usage, "output": event.output}
        if await _client_leaves(exchange.reader, seconds / len(events)):
            _leave(exchange)
            return
    exchange.writer.write(LAST_CHUNK)
    await exchange.writer.drain()


async def _send_half(exchange: _Exchange, whole: bytes, *, admits: bool) -> None:
    half = whole[: len(whole) // 2]
    if admits:
        await _send(exchange, HTTPStatus.OK, half)
        return
    exchange.writer.write(_head(exchange, HTTPStatus.OK, len(whole), {}) + half)
    exchange.status, exchange.open = HTTPStatus.OK, False
    await exchange.writer.drain()


async def _trickle(exchange: _Exchange, body: Json, seconds: float) -> None:
    content = _encoded(body)
    drops = min(len(content), MOST_TRICKLED_BYTES)
    exchange.writer.write(_head(exchange, HTTPStatus.OK, len(content), {}))
    exchange.status = HTTPStatus.OK
    for at in range(drops):
        exchange.writer.write(content[at : at + 1])
        if await _client_leaves(exchange.reader, seconds / drops):
            _leave(exchange)
            return
    exchange.writer.write(content[drops:])
    await exchange.writer.drain()


async def _hang(exchange: _Exchange, seconds: float | None) -> None:
    if await _client_leaves(exchange.reader, seconds):
        _leave(exchange)
    else:
        _hang_up(exchange, resets=False)


async def _client_leaves(reader: asyncio.StreamReader, seconds: float | None) -> bool:
    """Wait, and tell whether the client left meanwhile; a client sends nothing before its answer is
    there.
    """
    try:
        async with asyncio.timeout(seconds):
            return not await reader.read(1)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def _leave(exchange: _Exchange) -> None:
    exchange.status, exchange.open = STATUS_OF_A_LEFT_CLIENT, False


def _hang_up(exchange: _Exchange, *, resets: bool) -> None:
    exchange.open = False
    if resets:
        at_once = struct.pack("ii", 1, 0)
        exchange.writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, at_once
        )
        exchange.writer.transport.abort()


def _head(
    exchange: _Exchange, status: int, length: int | None, headers: Mapping[str, str]
) -> bytes:
    """Write the head of an answer; one without a length is a stream."""
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Scripted"
    request_id = f"req_{exchange.serial:08}"
    body = (
        {"content-type": EVENT_STREAM, "transfer-encoding": "chunked"}
        if length is None
        else {"content-type": JSON_TYPE, "content-length": str(length)}
    )
    fields = {
        **body,
        "request-id": request_id,
        "x-request-id": request_id,
        **headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {int(status)} {phrase}\r\n{lines}\r\n".encode("latin-1")


def _encoded(body: bytes | Json) -> bytes:
    return body if isinstance(body, bytes) else msgspec.json.encode(body, enc_hook=_plain)


def _plain(value: Any) -> dict[str, object]:
    return dict(value)


def _entry(exchange: _Exchange) -> Entry:
    return Entry(
        serial=exchange.serial,
        protocol=exchange.wire.protocol if exchange.wire else "",
        model=exchange.model,
        began=exchange.began,
        ended=time.monotonic(),
        status=int(exchange.status),
        fault=exchange.fault,
        key_digest=hashlib.sha256(exchange.key.encode()).hexdigest()[:16] if exchange.key else "",
        usage=exchange.usage,
        body_digest=hashlib.sha256(exchange.request.body).hexdigest(),
        in_flight=exchange.in_flight,
    )


def _no_fault(_serial: int, _heard: Heard) -> Fault | None:
    return None


def _as_anthropic_has_it(body: Json, model: str) -> dict[str, Any]:
    """A request to a cloud with the model that it names, under Anthropic's own name of it."""
    if body.get("anthropic_version") is None:
        raise RequestError(HTTPStatus.BAD_REQUEST, "", "anthropic_version: Field required")
    name = model.rpartition("anthropic.")[2].removesuffix("-v1:0").replace("@", "-")
    kept = {key: value for key, value in body.items() if key != "anthropic_version"}
    return {**kept, "model": name}


def _no_batch_fault(_serial: int, _path: str) -> Fault | None:
    return None


def _no_headers(_serial: int) -> Mapping[str, str]:
    return {}


def _no_latency(_serial: int) -> float:
    return 0.0
