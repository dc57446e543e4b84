"""A telephone exchange: subclasses that override nothing, coroutines, defaults of every form.

Its files hold what the other samples leave out: clauses that only log, values that are never
dropped, names that are looked up twice.
"""

WIRES = '''"""Wires, and those who dial over them."""

from __future__ import annotations

from abc import ABC, abstractmethod


class WireError(Exception):
    """A wire over which nobody can be heard."""


class WireDialer(ABC):
    """Reaches a number over a wire."""

    pace = None
    tone = ""

    @abstractmethod
    async def dial(self, number: str) -> bool:
        """Dial a number, and say whether anybody answers."""

    @abstractmethod
    def hang_up(self) -> None:
        """End the call."""

    def redial(self, number):
        """Dial a number once more."""
        return self.dial(number)


class PulseDialer(WireDialer):
    """Dials with clicks."""

    pace = 10
    tone = "click"

    async def dial(self, number: str) -> bool:
        return number.isdigit()

    def hang_up(self) -> None:
        self.pace = 10


class ToneDialer(WireDialer):
    """Dials with tones."""

    pace = 30
    tone = "beep"

    async def dial(self, number: str) -> bool:
        return len(number) > 2

    def hang_up(self) -> None:
        self.tone = "beep"


class RoomCleaner:
    """Keeps the rooms of the exchange clean."""

    def sweep(self, room):
        """Sweep a room."""
        return f"{room} is swept"

    def lock(self, room):
        """Lock a room."""
        return f"{room} is locked"


class Directory:
    """The names of all who have a telephone."""

    def __init__(self, names):
        self.names = names
        self._sorted = None

    def listing(self):
        """Give the names in their order, which are sorted at the first call."""
        if self._sorted is None:
            self._sorted = sorted(self.names)
        return self._sorted


def splice(wire, length):
    """Ensure that the two ends of a wire hold together under the road."""
    if wire.is_rusty:
        raise WireError("rust has eaten more than half of the copper")
    wire.length = length
    return wire


def strength_of(wire, options, book=None):
    """Work out how strong the current in a wire must be."""
    metal = getattr(options, "metal", "copper")
    volts = options.volts if options.volts is not None else 48
    owner = wire.owner or wire.builder
    if book is None:
        book = Directory([owner])
    return (metal, volts, owner, book.listing())


def ring(wire, times=3, pause=2, is_loud=False):
    """Ring the bell at the end of a wire."""
    for _ in range(times):
        wire.ring(pause, is_loud)
    return times * pause
'''

EXCHANGE = '''"""The room in which calls are put through."""

import logging
import warnings

from exchange.wires import (
    Directory,
    RoomCleaner,
    WireDialer,
    WireError,
    ring,
    splice,
    strength_of,
)

logger = logging.getLogger(__name__)


class NightCleaner(RoomCleaner):
    """Comes when nobody is there."""

    def lock(self, room):
        return f"{room} is locked twice"


class DayCleaner(RoomCleaner):
    """Comes at noon."""


class SundayCleaner(RoomCleaner):
    """Comes once a week."""


async def put_through(dialer: WireDialer, number):
    """Put a call through, and end it when nobody answers."""
    is_there = await dialer.dial(number)
    if not is_there:
        dialer.hang_up()
    return is_there


def mend_street(wires):
    """Mend all wires below a street."""
    for wire in wires:
        splice(wire, 80)
    return len(wires)


def mend_house(wire):
    """Mend the wire that leads into a house."""
    mended = splice(wire, 20)
    ring(mended)
    return mended


def mend_harbour(wires, options):
    """Mend the wires that lie below the water."""
    strong = [splice(wire, 300) for wire in wires]
    return [strength_of(wire, options) for wire in strong]


def try_wire(wire):
    """Ring over a wire for as long as it takes."""
    seconds = ring(wire, times=9, is_loud=True)
    if seconds > 10:
        logger.info("somebody was woken up by the test")
    return seconds


def connect(first, second):
    """Plug two wires together."""
    if first is second:
        raise WireError("nobody can talk with himself on one line")
    first.other = second
    return first


def connect_kindly(first, second):
    """Plug two wires together, and wake nobody up."""
    try:
        connect(first, second)
    except WireError:
        logger.warning("two who wanted to talk were left alone")
    ring(first, times=1)


def connect_all(pairs):
    """Plug many wires together."""
    done = 0
    for first, second in pairs:
        try:
            connect(first, second)
        except WireError:
            logger.error("a pair of wires was passed over in the row")
        else:
            done += 1
    return done


def call_by_hand(first, second):
    """Let the two ends call each other by hand."""
    warnings.warn("calls by hand are slow (use connect_all)", DeprecationWarning, stacklevel=2)
    if not first:
        return None
    book = Directory([first, second])
    return book.listing()
'''

TELEPHONE = {"exchange/wires.py": WIRES, "exchange/room.py": EXCHANGE}
