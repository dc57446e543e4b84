"""Threads that the program does not wait for: one that makes calls, one that runs an event loop."""

from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from inspect import isawaitable
from queue import SimpleQueue
from threading import Thread
from typing import Final, TypeAlias, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

Result = TypeVar("Result")

# A call, and the future of its result.
_QueuedCall: TypeAlias = tuple[Callable[[], object], "Future[object]"]

# Seconds for an event loop to end before it is abandoned.
_PATIENCE_AT_END: Final = 1.0


class EventLoopThread:
    """An event loop in a thread of its own, which never keeps the program from ending."""

    def __init__(self) -> None:
        started: Future[BlockingPortal] = Future()
        run = partial(anyio.run, _run_portal, started)
        self._thread = Thread(target=run, daemon=True)
        self._thread.start()
        self._portal = started.result()

    def start(self, function: Callable[[], Awaitable[Result]]) -> "Future[Result]":
        """Start a coroutine; cancelling its future cancels it."""
        return self._portal.start_task_soon(function)

    def close(self) -> None:
        """Cancel all tasks and end the loop; a loop that does not end is abandoned."""
        cancel_all = partial(self._portal.stop, cancel_remaining=True)
        stop = partial(self._portal.call, cancel_all)
        # Where a coroutine blocks the loop, this call blocks as well, so another thread makes it.
        Thread(target=stop, daemon=True).start()
        self._thread.join(_PATIENCE_AT_END)


class CallThread:
    """Makes calls one after the other in one thread, and awaits results that can be awaited.

    All calls share that thread, and all awaited results share one event loop. Objects that belong
    to either (a connection to SQLite, a client of asyncio) can therefore serve every call.
    """

    def __init__(self) -> None:
        self._event_loop: EventLoopThread | None = None
        # None ends the thread.
        self._calls: SimpleQueue[_QueuedCall | None] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    def start(self, call: Callable[[], object]) -> "Future[object]":
        """Queue a call behind those before it.

        Its future holds whatever it raises, ``SystemExit`` included.
        """
        future: Future[object] = Future()
        self._calls.put((call, future))
        return future

    def close(self) -> None:
        """End the thread once it is idle."""
        self._calls.put(None)
        if self._event_loop is not None:
            self._event_loop.close()

    def _run(self) -> None:
        for call, future in iter(self._calls.get, None):
            try:
                future.set_result(self._result_of(call))
            except BaseException as error:  # noqa: BLE001  # raised where the future is waited for
                future.set_exception(error)

    def _result_of(self, call: Callable[[], object]) -> object:
        result = call()
        if not isawaitable(result):
            return result
        if self._event_loop is None:
            self._event_loop = EventLoopThread()
        future = self._event_loop.start(partial(_await_result, result))
        return future.result()


async def _run_portal(started: "Future[BlockingPortal]") -> None:
    async with BlockingPortal() as portal:
        started.set_result(portal)
        await portal.sleep_until_stopped()


async def _await_result(result: Awaitable[object]) -> object:
    # An awaitable need not be a coroutine, which is all that a portal starts.
    return await result
