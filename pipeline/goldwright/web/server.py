"""The review server: one socket on 127.0.0.1, served until it is asked to stop."""

import errno
import socket
from collections.abc import Callable
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from goldwright.errors import InputError
from goldwright.web.protocol import ConnectionLimits, protocol_with
from goldwright.web.request_guard import MOST_HEADER_BYTES

HOST: Final = "127.0.0.1"
HIGHEST_PORT: Final = 65535
BACKLOG: Final = 64


def serve(
    make_app: Callable[[int], ASGIApp],
    *,
    port: int,
    announce: Callable[[int], None],
    stop: Callable[[], bool],
    limits: ConnectionLimits | None = None,
) -> None:
    """Serve until a signal comes or ``stop`` says so; requests in progress are finished first.

    A signal is raised again once the server has ended, so SIGINT leaves as KeyboardInterrupt.

    Args:
        make_app: Makes the application for the port that was bound.
        port: The port to bind on 127.0.0.1; 0 takes any free one.
        announce: Is told the port once requests are answered.
        stop: Is asked ten times a second whether to end.
        limits: What one connection, and all of them, may take.

    Raises:
        InputError: The port is in use, may not be bound, or is no port at all.
    """
    with _listen(port) as listener:
        bound_port: int = listener.getsockname()[1]
        app = make_app(bound_port)
        config = _config(app, limits or ConnectionLimits())
        server = _AnnouncingServer(config, announce=lambda: announce(bound_port), stop=stop)
        server.run(sockets=[listener])


def _listen(port: int) -> socket.socket:
    if not 0 <= port <= HIGHEST_PORT:
        raise InputError(
            f"--port {port}: a port is a number from 1 to {HIGHEST_PORT}, or 0 for any free one"
        )
    # With the protocol named, asyncio sends each answer at once (TCP_NODELAY).
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # A server that ended a moment ago must not stand in the way of the next one.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        reason = f"cannot be bound ({error.strerror})"
        if error.errno == errno.EADDRINUSE:
            reason = "is in use"
        raise InputError(
            f"--port {port}: the port {reason}; name another one, or 0 for any free one"
        ) from error
    return listener


def _config(app: ASGIApp, limits: ConnectionLimits) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=protocol_with(limits),
        ws="none",
        lifespan="off",
        interface="asgi3",
        workers=1,
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=limits.ending_seconds,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
    )


class _AnnouncingServer(uvicorn.Server):
    """Tells when it is ready, and asks whether to stop; uvicorn ticks ten times a second."""

    def __init__(
        self, config: uvicorn.Config, *, announce: Callable[[], None], stop: Callable[[], bool]
    ) -> None:
        super().__init__(config)
        self._announce = announce
        self._stop = stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    async def on_tick(self, counter: int) -> bool:
        is_over = await super().on_tick(counter)
        return is_over or self._stop()
