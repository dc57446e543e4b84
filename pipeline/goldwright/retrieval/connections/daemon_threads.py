"""Threads that nobody has to wait for: one that makes calls, and one that runs an event loop."""

from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from inspect import isawaitable
from queue import SimpleQueue
from threading import Thread
from typing import Final, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

Result = TypeVar("Result")
_PATIENCE_AT_END: Final = 1.0


class EventLoopThread:
    """An event loop in a thread of its own; the program ends whether or not what runs there does."""

    def __init__(self) -> None:
        started: Future[BlockingPortal] = Future()
        self._thread = Thread(target=anyio.run, args=(_serve, started), daemon=True)
        self._thread.start()
        self._portal = started.result()

    def start(self, function: Callable[[], Awaitable[Result]]) -> "Future[Result]":
        """Start a coroutine; to cancel its future cancels it."""
        return self._portal.start_task_soon(function)

    def close(self) -> None:
        """Cancel what still runs and end the loop; what does not heed that is left to itself after
        a second.
        """
        # Where a coroutine blocks the loop, so does telling it to stop: that waits in a thread of
        # its own.
        Thread(target=self._portal.call, args=(self._portal.stop, True), daemon=True).start()
        self._thread.join(_PATIENCE_AT_END)


class CallThread:
    """Makes calls one after the other in one thread, and awaits what they give where it can be
    awaited.

    All calls share that thread, and all that is awaited shares one event loop, so that what is
    bound to either (a connection to SQLite, a client of asyncio) serves every call.
    """

    def __init__(self) -> None:
        self._loop: EventLoopThread | None = None
        self._calls: SimpleQueue[tuple[Callable[[], object], Future[object]] | None] = SimpleQueue()
        Thread(target=self._work, daemon=True).start()

    def start(self, call: Callable[[], object]) -> "Future[object]":
        """Have a call made after those before it; whatever it raises stands in the future,
        ``SystemExit`` too.
        """
        future: Future[object] = Future()
        self._calls.put((call, future))
        return future

    def close(self) -> None:
        """End the thread once it is free."""
        self._calls.put(None)
        if self._loop is not None:
            self._loop.close()

    def _work(self) -> None:
        for call, future in iter(self._calls.get, None):
            try:
                future.set_result(self._made(call))
            except BaseException as error:  # noqa: BLE001  # it is raised again where the call is waited for
                future.set_exception(error)

    def _made(self, call: Callable[[], object]) -> object:
        result = call()
        if not isawaitable(result):
            return result
        self._loop = self._loop or EventLoopThread()
        return self._loop.start(lambda: _awaited(result)).result()


async def _serve(started: "Future[BlockingPortal]") -> None:
    async with BlockingPortal() as portal:
        started.set_result(portal)
        await portal.sleep_until_stopped()


async def _awaited(result: Awaitable[object]) -> object:
    return await result
