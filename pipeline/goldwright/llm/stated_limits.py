"""What providers say is left of their limits, heeded before a call earns a refusal.

Replies tell how many requests and tokens are left and when all of them are back. Providers refill
steadily, so a call begins when enough is back for it; where one is refused all the same, the
provider refills at once, and the rest of the time is waited out. Statements are about a moment
between the begin of a call and its reply: what was begun since then is taken off.
"""

from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["requests", "tokens", "input-tokens", "output-tokens"]

LONGEST_HOLD: Final = 60.0
"""Seconds that calls are held back on a provider's word; what takes longer shows by a refusal."""

SHORTEST_WINDOW: Final = 5.0
"""Seconds; limits that come back sooner are kept by the rate of calls."""

_MOST_REMEMBERED: Final = 2000
# How much the newest call weighs in what a call is expected to take.
_NEWEST: Final = 0.2


@dataclass(frozen=True, slots=True)
class StatedLimit:
    """What a provider says of one limit.

    Attributes:
        kind: What is limited.
        limit: How much there is at most.
        remaining: How much is left.
        seconds: Until all is back.
    """

    kind: Kind
    limit: float
    remaining: float
    seconds: float


Listener = Callable[[Iterable[StatedLimit]], None]

LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)
"""Hears what the replies to the calls of this task say of limits."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """A statement, with the moments at which its call began and its reply came."""

    statement: StatedLimit
    began_at: float
    heard_at: float


class StatedLimits:
    """The limits of one model as its provider states them."""

    def __init__(self, *, seconds: Callable[[], float]) -> None:
        """Begin without a limit.

        Args:
            seconds: A monotonic clock.
        """
        self._seconds = seconds
        self._heard: dict[Kind, _Heard] = {}
        self._begun: deque[float] = deque(maxlen=_MOST_REMEMBERED)
        self._tokens = 0.0
        self._refills_at_once = False

    def expect(self, tokens: float) -> None:
        """Take note of how many tokens a call is going to send."""
        weight = _NEWEST if self._tokens else 1.0
        self._tokens += (tokens - self._tokens) * weight

    def begin(self, moment: float) -> None:
        """Count a call that begins."""
        self._begun.append(moment)

    def hear(self, statements: Iterable[StatedLimit], began_at: float) -> None:
        """Take note of what the reply to a call says; older statements than the last are old."""
        now = self._seconds()
        for statement in statements:
            last = self._heard.get(statement.kind)
            if last is None or last.began_at <= began_at:
                self._heard[statement.kind] = _Heard(statement, began_at, now)
        heard_moments = (heard.began_at for heard in self._heard.values())
        oldest = min(heard_moments, default=now)
        while self._begun and self._begun[0] <= oldest:
            self._begun.popleft()

    def refuse(self, began_at: float) -> None:
        """Take note that a call was refused which began at a moment."""
        for heard in self._heard.values():
            waited = heard.heard_at <= began_at < self._end(heard)
            # The call itself is among those that were begun.
            if waited and self._left(heard, began_at, refill=0.0) < 0:
                # It began because something was to be back by then, and was not.
                self._refills_at_once = True

    def rate(self) -> float:
        """The calls a second that the provider takes by its own word; 0 where it says nothing."""
        heard = self._heard.get("requests")
        if heard is None:
            return 0.0
        statement = heard.statement
        return (statement.limit - statement.remaining) / statement.seconds

    def seconds_to_wait(self) -> float:
        """Seconds until all limits have room for a call; 0 if it may begin now."""
        now = self._seconds()
        return max((self._wait(heard, now) for heard in self._heard.values()), default=0.0)

    def _wait(self, heard: _Heard, now: float) -> float:
        seconds_left = self._end(heard) - now
        if seconds_left <= 0:
            return 0.0
        refill = self._refill(heard)
        amount_left = self._left(heard, now, refill)
        missing = self._need(heard) - amount_left
        if missing <= 0:
            return 0.0
        return min(missing / refill, seconds_left) if refill else seconds_left

    def _end(self, heard: _Heard) -> float:
        """The moment at which all is back, and a statement says nothing any more."""
        base = heard.heard_at if self._is_window(heard) else heard.began_at
        return base + min(heard.statement.seconds, LONGEST_HOLD)

    def _is_window(self, heard: _Heard) -> bool:
        return self._refills_at_once and heard.statement.seconds >= SHORTEST_WINDOW

    def _refill(self, heard: _Heard) -> float:
        """How much comes back in a second."""
        if self._is_window(heard):
            return 0.0
        statement = heard.statement
        return (statement.limit - statement.remaining) / statement.seconds

    def _left(self, heard: _Heard, now: float, refill: float) -> float:
        begun_since = sum(1 for moment in self._begun if heard.began_at < moment <= now)
        used_amount = begun_since * self._need(heard)
        refilled_amount = refill * (now - heard.began_at)
        return heard.statement.remaining - used_amount + refilled_amount

    def _need(self, heard: _Heard) -> float:
        """What a call takes, but never more than there is at most."""
        if heard.statement.kind in {"tokens", "input-tokens"}:
            return min(max(self._tokens, 1.0), heard.statement.limit)
        return 1.0
