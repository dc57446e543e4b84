"""Sharing a provider: so many calls at a time and a second, one pause for all.

The number at a time follows additive increase, multiplicative decrease. It starts at what the user
allows, shrinks to 0.7 of itself when the provider asks for less, at most once in ten seconds, and
grows by one after as many replies in a row as are allowed at a time.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import Final, NamedTuple

from goldwright.llm.port import Provider, ProviderFault, Reply, Request
from goldwright.llm.request_rate import RequestRate
from goldwright.llm.retry_policies import LONGEST_RETRY_AFTER, RETRY_POLICIES
from goldwright.llm.stated_limits import LISTENER, StatedLimits

SHRINK: Final = 0.7
# Calls under way when the provider complains will complain too; they count as one complaint.
SECONDS_BETWEEN_SHRINKS: Final = 10.0
SHORTEST_PAUSE: Final = 1.0
"""Seconds to pause after a rate limit that does not say how long."""

BYTES_PER_TOKEN: Final = 4
"""Of English and code; which tokens a provider counts is known to it alone."""

Sleep = Callable[[float], Awaitable[None]]


class _Waiter(NamedTuple):
    """A call in the queue; waiters sort by whether their work is new, then by arrival."""

    is_new: bool
    number: int
    admission: asyncio.Future[None]


class _Turn(NamedTuple):
    """A call that has a place and may not begin yet; they sort as those in the queue."""

    is_new: bool
    number: int
    began_at: asyncio.Future[float]


class ConcurrencyLimit:
    """The shared limit of one model: a place for each call under way, and one pause for all.

    Attributes:
        most: The most calls at a time that the user allows.
        allowed: The calls at a time that are allowed now; fractions are rounded down.
        active: The calls that hold a place.
    """

    def __init__(
        self,
        most: int,
        *,
        rate: RequestRate,
        seconds: Callable[[], float],
        sleep: Sleep,
        stated: StatedLimits | None = None,
    ) -> None:
        """Start at the most.

        Args:
            most: Calls at a time.
            rate: Calls a second.
            seconds: A monotonic clock.
            sleep: Waits for some seconds of that clock.
            stated: What the provider says is left; ``None`` where that is not listened to.
        """
        self.most = most
        self.allowed = float(most)
        self.active = 0
        self.rate = rate
        self.stated = stated
        self._seconds = seconds
        self._sleep = sleep
        self._paused_until = float("-inf")
        self._shrunk_at = float("-inf")
        self._replies_in_a_row = 0
        self._numbers = count()
        self._queue: list[_Waiter] = []
        self._turns: list[_Turn] = []
        self._giving: asyncio.Task[None] | None = None

    async def acquire(self, *, is_new: bool) -> float:
        """Take a place when one is free, and begin when nobody is paused and the rate allows.

        Work that was begun goes before new work.

        Returns:
            The moment at which the call begins.
        """
        # Nobody overtakes those who wait, even where a place is free.
        if self._queue or self.active >= int(self.allowed):
            await self._wait_for_place(is_new=is_new)
        else:
            self.active += 1
        try:
            return await self._wait_for_turn(is_new=is_new)
        except BaseException:
            # A cancellation too: the place would be lost for good.
            self.release()
            raise

    def release(self) -> None:
        """Give a place back."""
        self.active -= 1
        self._admit()

    def pause(self, seconds: float) -> None:
        """Let no call begin for some seconds."""
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

    async def _wait_for_turn(self, *, is_new: bool) -> float:
        if not self._turns and self._seconds_to_wait() <= 0:
            return self._begin()
        began_at = asyncio.get_running_loop().create_future()
        waiter = _Turn(is_new, next(self._numbers), began_at)
        heapq.heappush(self._turns, waiter)
        if self._giving is None or self._giving.done():
            self._giving = asyncio.create_task(self._give_turns())
        return await waiter.began_at

    async def _give_turns(self) -> None:
        """Let those who have a place begin, one by one, until nobody waits."""
        while self._turns:
            # The pause may be prolonged in the meantime, and a call come that goes first.
            while (seconds := self._seconds_to_wait()) > 0:
                await self._sleep(seconds)
            began_at = heapq.heappop(self._turns).began_at
            # Who was cancelled while waiting takes no turn.
            if not began_at.done():
                began_at.set_result(self._begin())

    def _begin(self) -> float:
        began_at = self.rate.begin()
        if self.stated is not None:
            self.stated.begin(began_at)
        return began_at

    def _seconds_to_wait(self) -> float:
        stated = 0.0 if self.stated is None else self.stated.seconds_to_wait()
        pause_left = self._paused_until - self._seconds()
        learned = max(pause_left, self.rate.seconds_to_wait())
        return max(learned, stated)

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
        stated = self._limit.stated
        if stated is not None:
            stated.expect(request.input_bytes / BYTES_PER_TOKEN)
        began_at = await self._limit.acquire(is_new=is_new)
        if stated is not None:
            LISTENER.set(partial(stated.hear, began_at=began_at))
        try:
            reply = await self._inner.ask(request)
        except ProviderFault as fault:
            self._adjust_limit(fault, began_at)
            raise
        finally:
            self._limit.release()
        self._limit.speed_up()
        return reply

    def _adjust_limit(self, fault: ProviderFault, began_at: float) -> None:
        if fault.kind == "rate_limited":
            stated = self._limit.stated
            if stated is not None:
                stated.refuse(began_at)
            stated_rate = 0.0 if stated is None else stated.rate()
            self._limit.rate.refuse(began_at, stated_rate)
        if RETRY_POLICIES[fault.kind].slows:
            self._limit.slow_down()
        if fault.retry_after is not None:
            self._limit.pause(fault.retry_after)
        elif fault.kind == "rate_limited":
            self._limit.pause(SHORTEST_PAUSE)
