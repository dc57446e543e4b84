"""HTTP/1.1 in which every wait ends: what one connection may hold, and for how long.

uvicorn waits for ever for a request that does not end and for a client that does not read. Here
every wait has a deadline, and a connection that misses one is aborted.
"""

import asyncio
from dataclasses import dataclass
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from goldwright.web.request_guard import FIXED_HEADERS, MOST_HEADER_BYTES

MOST_BYTES_READ: Final = 2 * 1024 * 1024
"""A refused body is read and dropped up to here, so that the client gets to see the refusal; then
the connection is aborted.
"""

_AWAITED_STATES: Final = frozenset({h11.IDLE, h11.SEND_BODY})
"""The states of a client whose request is incomplete."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What the server grants to every client.

    Attributes:
        request_seconds: The longest time from the first byte of a request to its last, for the
            first byte on a new connection, and for a client to go on reading its response.
        idle_seconds: The longest wait between two requests.
        ending_seconds: How long requests in progress may take when the server ends.
        connections: The most connections at a time.
    """

    request_seconds: float = 10.0
    idle_seconds: int = 5
    ending_seconds: int = 1
    connections: int = 32


def protocol_with(connection_limits: ConnectionLimits) -> type[H11Protocol]:
    """Make a protocol with these limits: a class, because uvicorn makes an object a connection."""

    class LimitedProtocol(BoundedProtocol):
        limits = connection_limits

    return LimitedProtocol


class BoundedProtocol(H11Protocol):
    """One connection of a client."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()

    _receive_deadline: asyncio.TimerHandle | None = None
    _read_deadline: asyncio.TimerHandle | None = None
    _bytes_read: int = 0

    def connection_made(  # type: ignore[override]  # as uvicorn's own
        self, transport: asyncio.Transport
    ) -> None:
        """Take the connection if there is room, and wait for its first byte."""
        if len(self.connections) >= self.limits.connections:
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        # With no room to buffer, every byte that the client leaves unread pauses writing, and so
        # starts the deadline for reading.
        transport.set_write_buffer_limits(high=0)
        self._receive_deadline = self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and its deadlines."""
        self._cancel_receive_deadline()
        self._cancel_read_deadline()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, within the time and the bytes of one request."""
        if self._is_between_requests():
            self._cancel_receive_deadline()
        self._bytes_read += len(data)
        if self._bytes_read > MOST_BYTES_READ:
            self.transport.abort()
            return
        super().data_received(data)

    def handle_events(self) -> None:
        """Work on what came; the deadline runs while a request is incomplete."""
        last_cycle = self.cycle
        super().handle_events()
        if self.cycle is not last_cycle:
            self._bytes_read = 0
        is_complete = self.conn.their_state not in _AWAITED_STATES
        is_kept_alive = self.timeout_keep_alive_task is not None
        if is_complete or is_kept_alive:
            self._cancel_receive_deadline()
        elif self._receive_deadline is None:
            self._receive_deadline = self._abort_later()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, with the fixed headers, if a response can still be sent."""
        del msg
        can_respond = self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}
        _disconnect(self.cycle)
        if can_respond:
            # h11 gives up in the same way on headers beyond its limit.
            unread, _ = self.conn.trailing_data
            status = 431 if len(unread) > MOST_HEADER_BYTES else 400
            self._send_status(status)
        self.transport.close()

    def pause_writing(self) -> None:
        """Give the client a while to go on reading."""
        super().pause_writing()
        self._read_deadline = self._abort_later()

    def resume_writing(self) -> None:
        """Go on, since the client reads."""
        super().resume_writing()
        self._cancel_read_deadline()

    def shutdown(self) -> None:
        """End at once, unless a complete request is being answered."""
        if _is_being_answered(self.cycle):
            self.cycle.keep_alive = False
            return
        self.transport.close()

    def _is_between_requests(self) -> bool:
        unread, _ = self.conn.trailing_data
        return self.conn.their_state is h11.IDLE and not unread

    def _send_status(self, status: int) -> None:
        headers = [(b"content-length", b"0"), (b"connection", b"close"), *FIXED_HEADERS]
        response = h11.Response(status_code=status, headers=headers)
        for event in (response, h11.EndOfMessage()):
            data = self.conn.send(event) or b""
            self.transport.write(data)

    def _abort_later(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.limits.request_seconds, self.transport.abort)

    def _cancel_receive_deadline(self) -> None:
        if self._receive_deadline is not None:
            self._receive_deadline.cancel()
            self._receive_deadline = None

    def _cancel_read_deadline(self) -> None:
        if self._read_deadline is not None:
            self._read_deadline.cancel()
            self._read_deadline = None


def _is_being_answered(cycle: RequestResponseCycle | None) -> bool:
    return cycle is not None and not cycle.response_complete and not cycle.more_body


def _disconnect(cycle: RequestResponseCycle | None) -> None:
    """Wake an application that waits for more of a request that is given up."""
    if cycle is not None and not cycle.response_complete:
        cycle.disconnected = True
        cycle.message_event.set()
