"""Sharing a provider: so many calls at a time, one pause for all, fewer when it is overloaded.

The number at a time follows additive increase, multiplicative decrease. It starts at what the user
allows, shrinks to 0.7 of itself when the provider asks for less, at most once in ten seconds, and
grows by one after as many replies in a row as are allowed at a time.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Final, NamedTuple

from goldwright.llm.port import Provider, ProviderFault, Reply, Request
from goldwright.llm.retry_policies import LONGEST_RETRY_AFTER, RETRY_POLICIES

SHRINK: Final = 0.7
# Calls under way when the provider complains will complain too; they count as one complaint.
SECONDS_BETWEEN_SHRINKS: Final = 10.0
SHORTEST_PAUSE: Final = 1.0
"""Seconds to pause after a rate limit that does not say how long."""

Sleep = Callable[[float], Awaitable[None]]


class _Waiter(NamedTuple):
    """A call in the queue; waiters sort by whether their work is new, then by arrival."""

    is_new: bool
    number: int
    admission: asyncio.Future[None]


class ConcurrencyLimit:
    """The shared limit of one model: a place for each call under way, and one pause for all.

    Attributes:
        most: The most calls at a time that the user allows.
        allowed: The calls at a time that are allowed now; fractions are rounded down.
        active: The calls that hold a place.
    """

    def __init__(self, most: int, *, seconds: Callable[[], float], sleep: Sleep) -> None:
        """Start at the most.

        Args:
            most: Calls at a time.
            seconds: A monotonic clock.
            sleep: Waits for some seconds of that clock.
        """
        self.most = most
        self.allowed = float(most)
        self.active = 0
        self._seconds = seconds
        self._sleep = sleep
        self._paused_until = float("-inf")
        self._shrunk_at = float("-inf")
        self._replies_in_a_row = 0
        self._numbers = count()
        self._queue: list[_Waiter] = []

    async def acquire(self, *, is_new: bool) -> None:
        """Take a place when one is free and nobody is paused.

        Work that was begun goes before new work.
        """
        # Nobody overtakes those who wait, even where a place is free.
        if self._queue or self.active >= int(self.allowed):
            await self._wait_for_place(is_new=is_new)
        else:
            self.active += 1
        try:
            await self._wait_for_pause()
        except BaseException:
            # A cancellation too: the place would be lost for good.
            self.release()
            raise

    def release(self) -> None:
        """Give a place back."""
        self.active -= 1
        self._admit()

    def pause(self, seconds: float) -> None:
        """Let no call begin for so many seconds."""
        end = self._seconds() + min(seconds, LONGEST_RETRY_AFTER)
        self._paused_until = max(self._paused_until, end)

    def slow_down(self) -> None:
        """Allow fewer calls at a time."""
        self._replies_in_a_row = 0
        seconds = self._seconds()
        if seconds - self._shrunk_at >= SECONDS_BETWEEN_SHRINKS:
            self._shrunk_at = seconds
            self.allowed = max(1.0, self.allowed * SHRINK)

    def speed_up(self) -> None:
        """Count a reply, and allow one call more after a window without complaints."""
        self._replies_in_a_row += 1
        if self._replies_in_a_row >= self.allowed and self.allowed < self.most:
            self._replies_in_a_row = 0
            self.allowed = min(self.allowed + 1, float(self.most))
            self._admit()

    async def _wait_for_place(self, *, is_new: bool) -> None:
        admission = asyncio.get_running_loop().create_future()
        waiter = _Waiter(is_new, next(self._numbers), admission)
        heapq.heappush(self._queue, waiter)
        try:
            await waiter.admission
        except asyncio.CancelledError:
            # Cancelled in the moment of its admission: the place is its own already.
            if waiter.admission.done() and not waiter.admission.cancelled():
                self.release()
            raise

    async def _wait_for_pause(self) -> None:
        # The pause may be prolonged by others in the meantime.
        while (seconds := self._paused_until - self._seconds()) > 0:
            await self._sleep(seconds)

    def _admit(self) -> None:
        while self._queue and self.active < int(self.allowed):
            admission = heapq.heappop(self._queue).admission
            # Who was cancelled while waiting takes no place.
            if not admission.done():
                self.active += 1
                admission.set_result(None)


class LimitedProvider:
    """A provider that is asked within a shared limit."""

    def __init__(self, inner: Provider, limit: ConcurrencyLimit) -> None:
        self._inner = inner
        self._limit = limit

    async def ask(self, request: Request) -> Reply:
        """Answer a request when it is its turn."""
        # A conversation of one turn is a work item's first request.
        is_new = len(request.turns) <= 1
        await self._limit.acquire(is_new=is_new)
        try:
            reply = await self._inner.ask(request)
        except ProviderFault as fault:
            self._adjust_limit(fault)
            raise
        finally:
            self._limit.release()
        self._limit.speed_up()
        return reply

    def _adjust_limit(self, fault: ProviderFault) -> None:
        if RETRY_POLICIES[fault.kind].slows:
            self._limit.slow_down()
        if fault.retry_after is not None:
            self._limit.pause(fault.retry_after)
        elif fault.kind == "rate_limited":
            self._limit.pause(SHORTEST_PAUSE)
