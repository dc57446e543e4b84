"""Coroutines that heed an interrupt, also while one of their steps computes for minutes.

asyncio turns the first SIGINT into a cancellation, which a loop only delivers between two steps.
From the first interrupt on, the loop is therefore asked again and again whether it still turns; one
that does not answer has its step cancelled where it is.
"""

import asyncio
import contextvars
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, TypeVar

# In seconds. Whoever pressed Ctrl-C waits twice as long at most: up to the first question, and
# from it to the next. A step that asks a provider or waits for a reply takes milliseconds.
_BETWEEN_QUESTIONS: Final = 0.8

T = TypeVar("T")

_interrupted = threading.Event()


def is_interrupted() -> bool:
    """Check whether an interrupt has come, so that nothing more is begun.

    Of several steps whose turn has come already, each would compute until it is found to be deaf.
    """
    return _interrupted.is_set()


def run_interruptibly(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a loop of its own.

    Where a loop is running in this thread already, as in a notebook, the new one gets a thread; the
    caller waits for it.

    Raises:
        KeyboardInterrupt: SIGINT came, or another signal took its way. What the loop was waiting
            for has been cancelled in order; a step that was deaf was broken off.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_run(work))
    return _run_in_thread(work)


def _run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    outcome: Future[T] = Future()
    started: Future[Callable[[], object]] = Future()

    async def run() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        started.set_result(lambda: loop.call_soon_threadsafe(task.cancel))
        # Whatever it ends in is the caller's.
        await asyncio.wait([task])
        if task.cancelled():
            outcome.set_exception(KeyboardInterrupt())
        elif (error := task.exception()) is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(task.result())

    # What the caller has set for this context holds in the thread as well.
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(lambda: asyncio.run(run()),), daemon=True)
    try:
        # An interrupt may come before this returns, when the thread is at work already.
        thread.start()
        return outcome.result()
    except KeyboardInterrupt:
        # Or before there is a thread: then nothing will ever be begun.
        with suppress(TimeoutError):
            if not outcome.done():
                started.result(timeout=_BETWEEN_QUESTIONS)()
                thread.join()
        raise


async def _run(work: Coroutine[Any, Any, T]) -> T:
    # Within the loop, for here asyncio has taken SIGINT already.
    with _impatient_after_interrupt(asyncio.get_running_loop()):
        return await work


@contextmanager
def _impatient_after_interrupt(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield
        return
    is_turning = True

    def answer() -> None:
        nonlocal is_turning
        is_turning = True

    def ask(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_turning
        if not is_turning:
            # Not KeyboardInterrupt, which would tear the loop down in the midst of its other
            # tasks: their own cancellation is under way.
            raise asyncio.CancelledError
        is_turning = False
        loop.call_soon_threadsafe(answer)

    def interrupt(number: int, frame: FrameType | None) -> None:
        _interrupted.set()
        signal.setitimer(signal.ITIMER_REAL, _BETWEEN_QUESTIONS, _BETWEEN_QUESTIONS)
        previous(number, frame)

    previous_alarm = signal.signal(signal.SIGALRM, ask)
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, previous)
        signal.signal(signal.SIGALRM, previous_alarm)
        _interrupted.clear()
