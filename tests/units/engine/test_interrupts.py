"""An interrupt is heeded soon: between two steps in order, and within a step that never ends."""

import asyncio
import contextvars
import os
import signal
import threading
import time
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from goldwright.engine import interrupts
from goldwright.engine.interrupts import run_interruptibly
from goldwright.engine.work import Executor, LocalExecutor

PAUSE = 0.05
LONG = 20.0
# One of each; a contract asks for those that are missing.
CASE_EXECUTORS: tuple[Executor, ...] = (LocalExecutor(),)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(interrupts, "_BETWEEN_QUESTIONS", PAUSE)
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, previous)


def _interrupt_soon() -> None:
    threading.Timer(PAUSE, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_a_step_that_computes_for_long_is_broken_off() -> None:
    async def compute() -> None:
        _interrupt_soon()
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            pass

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(compute())
            group.create_task(asyncio.sleep(LONG))

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work())
    assert time.monotonic() - begun < LONG / 2


@pytest.mark.parametrize("executor", CASE_EXECUTORS, ids=lambda executor: type(executor).__name__)
def test_of_several_steps_whose_turn_has_come_none_begins_after_an_interrupt(
    executor: Executor,
) -> None:
    """Otherwise each of them would compute until it is found to be deaf."""
    begun: list[int] = []

    async def compute(number: int) -> None:
        begun.append(number)
        _interrupt_soon()
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            pass

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(3):
                group.create_task(executor.compute(compute, number))

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work())
    assert begun == [0]
    assert not interrupts.is_interrupted()


def test_what_waits_for_a_reply_may_wait_to_its_end() -> None:
    """Replies that are paid for are waited for, however long: the loop turns all the while."""
    replies = []

    async def ask() -> None:
        _interrupt_soon()
        try:
            await asyncio.sleep(LONG)
        finally:
            await asyncio.sleep(PAUSE * 10)
            replies.append("reply")

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(ask())
    assert replies == ["reply"]


def in_a_notebook(work: Coroutine[Any, Any, int]) -> int:
    """Call it as a cell does: where a loop is running."""

    async def cell() -> int:
        return run_interruptibly(work)

    return asyncio.run(cell())


def test_where_a_loop_is_running_the_work_has_a_thread_of_its_own() -> None:
    place = contextvars.ContextVar("place", default="none")

    async def work() -> int:
        await asyncio.sleep(0)
        assert threading.current_thread() is not threading.main_thread()
        return len(place.get())

    async def fail() -> int:
        raise ValueError("this cell fails")

    place.set("here")
    assert in_a_notebook(work()) == len("here")
    with pytest.raises(ValueError, match="this cell fails"):
        in_a_notebook(fail())


def test_an_interrupted_cell_leaves_nothing_that_goes_on() -> None:
    replies = []

    async def ask() -> int:
        _interrupt_soon()
        try:
            await asyncio.sleep(LONG)
        finally:
            await asyncio.sleep(PAUSE)
            replies.append("reply")
        return 0

    async def cell() -> None:
        # A kernel has the interrupt raised in the cell, and not its loop cancelled.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyboardInterrupt):
            run_interruptibly(ask())

    asyncio.run(cell())
    assert replies == ["reply"]


@pytest.mark.parametrize("is_started", [True, False])
def test_an_interrupt_while_the_thread_of_a_cell_starts_leaves_nothing_either(
    monkeypatch: pytest.MonkeyPatch, *, is_started: bool
) -> None:
    ends = []
    start = threading.Thread.start

    def start_interrupted(thread: threading.Thread) -> None:
        if is_started:
            start(thread)
        signal.raise_signal(signal.SIGINT)

    async def ask() -> None:
        try:
            await asyncio.sleep(LONG)
        finally:
            ends.append("cancelled")

    async def cell() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        monkeypatch.setattr(threading.Thread, "start", start_interrupted)
        work = ask()
        with pytest.raises(KeyboardInterrupt):
            run_interruptibly(work)
        work.close()

    asyncio.run(cell())
    assert ends == ["cancelled"] * is_started


def test_work_that_nobody_interrupts_has_its_result() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert run_interruptibly(work()) == 7
