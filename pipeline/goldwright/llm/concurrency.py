"""Sharing a provider: so many at a time, all waiting when it says so, and fewer when it is short of
breath.

The number at a time follows additive increase, multiplicative decrease: it begins at what the user
allows, shrinks to 0.7 of itself when the provider slows us, at most once in ten seconds, and grows
by one after as many replies in a row as are allowed at a time.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Final

from goldwright.llm.port import Provider, ProviderFault, Reply, Request
from goldwright.llm.retry_policies import LONGEST_RETRY_AFTER, RETRY_POLICIES

SHRINK: Final = 0.7
SECONDS_BETWEEN_SHRINKS: Final = 10.0
SHORTEST_PAUSE: Final = 1.0

Sleep = Callable[[float], Awaitable[None]]


class ConcurrencyLimit:
    """The shared pace of one model: a place for each call under way, and one pause for all."""

    def __init__(self, most: int, *, seconds: Callable[[], float], sleep: Sleep) -> None:
        self.most = most
        self.allowed = float(most)
        self.active = 0
        self._seconds = seconds
        self._sleep = sleep
        self._paused_until = float("-inf")
        self._shrunk_at = float("-inf")
        self._replies = 0
        self._numbers = count()
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []

    async def enter(self, *, is_new: bool) -> None:
        """Take a place, once one is free and nobody is paused; work that was begun goes before new
        work.
        """
        if self._waiting or self.active >= int(self.allowed):
            await self._queue(is_new=is_new)
        else:
            self.active += 1
        try:
            while (left := self._paused_until - self._seconds()) > 0:
                await self._sleep(left)
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Give a place back."""
        self.active -= 1
        self._admit()

    def pause(self, seconds: float) -> None:
        """Let nobody begin for so many seconds."""
        self._paused_until = max(
            self._paused_until, self._seconds() + min(seconds, LONGEST_RETRY_AFTER)
        )

    def slow_down(self) -> None:
        """Allow fewer at a time."""
        self._replies = 0
        now = self._seconds()
        if now - self._shrunk_at >= SECONDS_BETWEEN_SHRINKS:
            self._shrunk_at = now
            self.allowed = max(1.0, self.allowed * SHRINK)

    def speed_up(self) -> None:
        """Count a reply, and allow one more at a time after a clean window."""
        self._replies += 1
        if self._replies >= self.allowed and self.allowed < self.most:
            self._replies = 0
            self.allowed = min(float(self.most), self.allowed + 1)
            self._admit()

    async def _queue(self, *, is_new: bool) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (is_new, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def _admit(self) -> None:
        while self._waiting and self.active < int(self.allowed):
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self.active += 1
                turn.set_result(None)


class LimitedProvider:
    """A provider that is asked at a shared pace."""

    def __init__(self, inner: Provider, pace: ConcurrencyLimit) -> None:
        self._inner = inner
        self._pace = pace

    async def ask(self, request: Request) -> Reply:
        """Answer a request when it is its turn."""
        await self._pace.enter(is_new=len(request.turns) <= 1)
        try:
            reply = await self._inner.ask(request)
        except ProviderFault as fault:
            if RETRY_POLICIES[fault.kind].slows:
                self._pace.slow_down()
            if fault.kind == "rate_limited" or fault.retry_after is not None:
                self._pace.pause(SHORTEST_PAUSE if fault.retry_after is None else fault.retry_after)
            raise
        finally:
            self._pace.leave()
        self._pace.speed_up()
        return reply
