"""Time as an argument: the clock that the engine is given."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """A wall clock for records and a monotonic one for durations."""

    def now(self) -> datetime:
        """The current time in UTC."""
        ...

    def seconds(self) -> float:
        """Seconds since some fixed moment, never going back."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The current time in UTC."""
        return datetime.now(UTC)

    def seconds(self) -> float:
        """Seconds since some fixed moment, never going back."""
        # The wall clock may be set while a run is under way.
        return time.monotonic()


def timestamp(clock: Clock) -> str:
    """Write the current time as ``2026-04-14T12:00:00Z``."""
    return clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
