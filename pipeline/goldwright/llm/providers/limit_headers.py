"""Headers of replies that tell what is left of a limit, as Anthropic and OpenAI send them."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final, get_args

import httpx2

from goldwright.llm.stated_limits import LISTENER, Kind, StatedLimit

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
LARGEST: Final = 1e12
LONGEST_SECONDS: Final = 24 * 3600.0

_DURATION: Final = re.compile(
    r"(?:(?P<h>\d{1,3})h)?(?:(?P<m>\d{1,5})m(?!s))?"
    r"(?:(?P<s>\d{1,6}(?:\.\d{1,9})?)s)?(?:(?P<ms>\d{1,9}(?:\.\d{1,9})?)ms)?"
)
_PARTS: Final = ("limit", "remaining", "reset")
_SECONDS_OF: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
# Two moments in whole seconds are apart by up to a second less than they say.
_ROUNDED_BY: Final = 1.0


async def tell_limits(response: httpx2.Response) -> None:
    """Tell whoever sent a request what its response says of limits; a hook of HTTP clients."""
    listener = LISTENER.get()
    if listener is not None:
        listener(read_statements(response.headers))


def read_statements(headers: Mapping[str, str]) -> tuple[StatedLimit, ...]:
    """Read what headers say of limits; what makes no sense says nothing."""
    return tuple(_statements(headers))


def _statements(headers: Mapping[str, str]) -> Iterator[StatedLimit]:
    for kind in KINDS:
        prefix = f"anthropic-ratelimit-{kind}"
        names = tuple(f"{prefix}-{part}" for part in _PARTS)
        reset_at = headers.get(names[2])
        seconds = _seconds_until(reset_at, headers.get("date"))
        if seconds is None:
            names = tuple(f"x-ratelimit-{part}-{kind}" for part in _PARTS)
            seconds = _duration(headers.get(names[2]))
        limit = _number(headers.get(names[0]))
        remaining = _number(headers.get(names[1]))
        if limit is None or remaining is None or seconds is None:
            continue
        if 0 <= remaining <= limit and limit >= 1 and 0 < seconds <= LONGEST_SECONDS:
            yield StatedLimit(kind, limit, remaining, seconds)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) and 0 <= value <= LARGEST else None


def _duration(text: str | None) -> float | None:
    """Read a time such as ``6m0s``, ``1.5s`` or ``20ms``; a bare number is seconds."""
    match = _DURATION.fullmatch(text) if text else None
    if match is None:
        return _number(text)
    parts = match.groupdict(default="0")
    return sum(float(parts[unit]) * seconds for unit, seconds in _SECONDS_OF.items())


def _seconds_until(moment: str | None, date: str | None) -> float | None:
    """Read a moment by the clock of the server, which the date of its response tells."""
    if moment is None or date is None:
        return None
    try:
        end = datetime.fromisoformat(moment)
        now = parsedate_to_datetime(date)
        return (end - now).total_seconds() - _ROUNDED_BY
    except (ValueError, TypeError, OverflowError):
        return None
