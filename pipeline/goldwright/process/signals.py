"""Signals that end a command: each is said in a line and ends in 128 and its number.

=================  ============================================================================
while it loads     the process ends at once; nothing has begun
while it works     the first one stops the work in order, the second one at once
once it has ended  the process ends at once, by the signal itself
=================  ============================================================================
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Final

ENDING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

# Work that is stopped by the first signal waits for answers that are paid for, the second one ends
# the waiting; what then still holds the process up is cut off by the third.
_MOST_SIGNALS: Final = 2
_STDERR: Final = 2


@dataclass
class Stop:
    """The signals that came while a command was at work.

    Attributes:
        number: The first of them, None as long as there was none.
        count: How many there were.
    """

    number: int | None = None
    count: int = 0

    @property
    def exit_code(self) -> int:
        """What the process ends in; where no signal was seen, it was an interrupt."""
        return exit_code_of(self.number or signal.SIGINT)


def exit_code_of(number: int) -> int:
    """Give 128 and the number of a signal, as shells have it."""
    return 128 + number


def end_at_once() -> None:
    """From here on a signal ends the process at once, in a line and with its code."""
    for number in _heeded_signals():
        signal.signal(number, _end)


def end_without_words() -> None:
    """From here on a signal ends the process as it would end any other."""
    for number in _heeded_signals():
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Let a signal end the process at once while the block runs; nothing may be under way."""
    previous_handlers = {number: signal.getsignal(number) for number in _heeded_signals()}
    end_at_once()
    try:
        yield
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


@contextmanager
def stop_in_order() -> Iterator[Stop]:
    """Let every signal take the way of SIGINT, which asyncio makes an orderly cancellation."""
    stop = Stop()

    def interrupt(number: int, _frame: FrameType | None) -> None:
        stop.number = stop.number or number
        stop.count += 1
        if stop.count > _MOST_SIGNALS:
            _end(stop.number, None)
        signal.raise_signal(signal.SIGINT)

    previous_handlers = {}
    # asyncio cancels in order only where SIGINT has its usual handler, which the background job of
    # a script, ignoring SIGINT from birth, does not have.
    previous_handlers[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in _heeded_signals():
        if number != signal.SIGINT:
            previous_handlers[number] = signal.signal(number, interrupt)
    try:
        yield stop
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


def _heeded_signals() -> Iterator[signal.Signals]:
    """Give the signals that nobody asked to have ignored, as ``nohup`` does with SIGHUP."""
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            yield number


def _end(number: int, _frame: FrameType | None) -> None:
    # Not by sys.stderr, which the code that was interrupted may be writing to.
    with suppress(OSError):
        os.write(_STDERR, b"goldwright: stopped\n")
    os._exit(exit_code_of(number))
