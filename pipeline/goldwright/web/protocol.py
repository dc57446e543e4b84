"""HTTP/1.1 with an end to every patience: what one connection may hold, and for how long.

uvicorn waits for ever for a request that does not end and for a client that does not read. Here
every wait has a deadline, and a connection that misses one is cut.
"""

import asyncio
from dataclasses import dataclass
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from goldwright.web.request_guard import FIXED_HEADERS, MOST_HEADER_BYTES

MOST_BYTES_READ: Final = 2 * 1024 * 1024
"""A refused body is read and dropped up to here, so that the refusal arrives; then the connection
is cut.
"""

_REQUEST_IS_AWAITED: Final = frozenset({h11.IDLE, h11.SEND_BODY})


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What the server grants to strangers and browsers alike.

    ``request_seconds`` bounds the time from the first byte of a request to its last, the wait for
    that first byte on a new connection, and the time a client may take to go on reading its answer.
    ``idle_seconds`` bounds the wait between two requests, ``ending_seconds`` how long requests in
    progress may take when the server ends.
    """

    request_seconds: float = 10.0
    idle_seconds: int = 5
    ending_seconds: int = 1
    connections: int = 32


def protocol_within(granted: ConnectionLimits) -> type[H11Protocol]:
    """The protocol that keeps to these limits, as a class, for uvicorn makes one object a
    connection.
    """

    class Granted(BoundedProtocol):
        limits = granted

    return Granted


class BoundedProtocol(H11Protocol):
    """One connection of a browser, a script or a stranger."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()

    _to_receive: asyncio.TimerHandle | None = None
    _to_be_read: asyncio.TimerHandle | None = None
    _bytes_read: int = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Take the connection if there is room, and wait for its first byte."""
        if len(self.connections) >= self.limits.connections:
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        # Every byte that the client leaves unread pauses writing, and so starts a clock.
        transport.set_write_buffer_limits(high=0)
        self._to_receive = self._cut_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and its deadlines."""
        self._forget_receiving()
        self._forget_reader()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, within the time and the bytes of one request."""
        if self._is_between_requests():
            self._forget_receiving()
        self._bytes_read += len(data)
        if self._bytes_read > MOST_BYTES_READ:
            self.transport.abort()
            return
        super().data_received(data)

    def handle_events(self) -> None:
        """Work on what came; the clock runs while a request is incomplete."""
        last_cycle = self.cycle
        super().handle_events()
        if self.cycle is not last_cycle:
            self._bytes_read = 0
        is_received = self.conn.their_state not in _REQUEST_IS_AWAITED
        if is_received or self.timeout_keep_alive_task is not None:
            self._forget_receiving()
        elif self._to_receive is None:
            self._to_receive = self._cut_later()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, with the headers of every answer, if one can still be given."""
        del msg
        is_answerable = self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}
        _hang_up(self.cycle)
        if is_answerable:
            self._say(431 if len(self.conn.trailing_data[0]) > MOST_HEADER_BYTES else 400)
        self.transport.close()

    def pause_writing(self) -> None:
        """Give the client a while to go on reading."""
        super().pause_writing()
        self._to_be_read = self._cut_later()

    def resume_writing(self) -> None:
        """Go on; the client reads."""
        super().resume_writing()
        self._forget_reader()

    def shutdown(self) -> None:
        """End at once unless a complete request is being answered."""
        if _is_being_answered(self.cycle):
            self.cycle.keep_alive = False
            return
        self.transport.close()

    def _is_between_requests(self) -> bool:
        return self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def _say(self, status: int) -> None:
        headers = [(b"content-length", b"0"), (b"connection", b"close"), *FIXED_HEADERS]
        for event in (h11.Response(status_code=status, headers=headers), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")

    def _cut_later(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.limits.request_seconds, self.transport.abort)

    def _forget_receiving(self) -> None:
        if self._to_receive is not None:
            self._to_receive.cancel()
            self._to_receive = None

    def _forget_reader(self) -> None:
        if self._to_be_read is not None:
            self._to_be_read.cancel()
            self._to_be_read = None


def _is_being_answered(cycle: RequestResponseCycle | None) -> bool:
    return cycle is not None and not cycle.response_complete and not cycle.more_body


def _hang_up(cycle: RequestResponseCycle | None) -> None:
    if cycle is not None and not cycle.response_complete:
        cycle.disconnected = True
        cycle.message_event.set()
