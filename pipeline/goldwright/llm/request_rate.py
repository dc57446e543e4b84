"""Pacing by rate: calls begin no faster than a provider has shown to take them.

Nobody tells a client its limit beforehand, and being refused is slow and impolite. The rate begins
low and doubles quickly until a refusal shows the limit. After that it follows a cubic curve, as
TCP does in RFC 9438: a little below what the provider let through, slowly back to it, and faster
beyond the longer nothing is refused, so that a limit that was raised is found again.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

# Slow start: 64 calls are out after 0.4 seconds, and a provider that takes few a second refuses
# about a dozen before its first refusal is heard, a tenth of a second later.
FIRST_RATE: Final = 40.0
SECONDS_TO_DOUBLE: Final = 0.1
UNLIMITED_RATE: Final = 1000.0
"""Calls a second; who reaches it without a refusal is not paced at all."""

# After a refusal: this much of what was let through, less if the last refusal was just before.
EASED: Final = 0.96
CUT: Final = 0.8
SECONDS_BETWEEN_CUTS: Final = 5.0
SECONDS_TO_RETURN: Final = 20.0
"""How long the rate takes back to what was let through when the last refusal came."""

LONE_RATE: Final = 2.0
"""Calls a second that a lone refusal leaves at least."""

SECONDS_UNTIL_LONE: Final = 60.0
WINDOW_SECONDS: Final = 10.0
SLOWEST_RATE: Final = 1 / 60


class RequestRate:
    """The calls a second of one model, learned from refusals.

    Attributes:
        most: The calls a second that the user allows, ``None`` for no limit.
    """

    def __init__(
        self,
        most: float | None = None,
        *,
        seconds: Callable[[], float],
        first: float = FIRST_RATE,
    ) -> None:
        """Begin low.

        Args:
            most: Calls a second at most.
            seconds: A monotonic clock.
            first: Calls a second in the first moment.
        """
        self.most = most
        self._first = first
        self._seconds = seconds
        self._began_at: float | None = None
        self._next_at = float("-inf")
        self._begun: deque[float] = deque()
        self._refused_at: float | None = None
        self._let_through = 0.0
        self._reduced = 0.0
        self._factor = CUT
        self._lowest = LONE_RATE

    def rate(self) -> float | None:
        """The calls a second that may begin now; ``None`` for as many as there are."""
        learned = self._learned_rate()
        if learned is None:
            return self.most
        if self.most is None:
            return learned
        return min(learned, self.most)

    def seconds_to_wait(self) -> float:
        """Seconds until the next call may begin; 0 if it may begin now."""
        return max(0.0, self._next_at - self._seconds())

    def begin(self) -> float:
        """Count a call that begins now; gives the moment, by which it is told about later."""
        now = self._seconds()
        if self._began_at is None:
            self._began_at = now
        rate = self.rate()
        if rate is not None:
            self._next_at = max(now, self._next_at) + 1 / rate
        self._begun.append(now)
        while self._begun[0] < now - WINDOW_SECONDS:
            self._begun.popleft()
        return now

    def refuse(self, began_at: float, stated: float = 0.0) -> None:
        """Take note that a call was refused.

        Args:
            began_at: When it began.
            stated: The calls a second that the provider says it takes; a lone refusal leaves them.
        """
        with suppress(ValueError):
            self._begun.remove(began_at)
        now = self._seconds()
        refused_at = self._refused_at
        if refused_at is not None and began_at <= refused_at:
            # It had begun when the rate was reduced: it says how much was too much, not more.
            rate_until_refusal = self._rate_let_through(refused_at)
            self._reduce(min(self._let_through, rate_until_refusal))
            return
        let_through = self._rate_let_through(now)
        before = self.rate()
        if before is not None:
            let_through = min(let_through, before)
        is_lone = refused_at is None or now - refused_at > SECONDS_UNTIL_LONE
        # Few calls may have begun because few were wanted, and all of a burst may be refused by a
        # provider that takes none for a while: neither is proof of so low a limit.
        lone = max(LONE_RATE, stated)
        half_rate = max(self._let_through / 2, SLOWEST_RATE)
        self._lowest = lone if is_lone else half_rate
        is_soon = refused_at is None or now - refused_at < SECONDS_BETWEEN_CUTS
        self._factor = CUT if is_soon else EASED
        self._refused_at = now
        self._reduce(let_through)
        self._next_at = now + 1 / self._reduced

    def _reduce(self, let_through: float) -> None:
        self._let_through = max(let_through, self._lowest)
        self._reduced = self._let_through * self._factor

    def _learned_rate(self) -> float | None:
        now = self._seconds()
        if self._refused_at is None:
            return self._starting_rate(now)
        since = (now - self._refused_at - SECONDS_TO_RETURN) / SECONDS_TO_RETURN
        difference = self._let_through - self._reduced
        rate = self._let_through + difference * since**3
        return rate if rate < UNLIMITED_RATE else None

    def _starting_rate(self, now: float) -> float | None:
        elapsed = 0.0 if self._began_at is None else now - self._began_at
        doublings = min(elapsed / SECONDS_TO_DOUBLE, 30.0)
        rate = self._first * 2.0**doublings
        return rate if rate < UNLIMITED_RATE else None

    def _rate_let_through(self, until: float) -> float:
        """The calls a second that had begun by a moment and were not refused."""
        began_at = until if self._began_at is None else self._began_at
        seconds = min(until - began_at, WINDOW_SECONDS)
        recent = sum(1 for moment in self._begun if until - seconds <= moment <= until)
        # What a burst let through in less than a second is no rate.
        return recent / max(seconds, 1.0)
