"""Reading what the errors of the SDKs have in common, though each names it differently."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from goldwright.llm.retry_policies import LONGEST_RETRY_AFTER
from goldwright.text import make_visible, shorten

LONGEST_MESSAGE: Final = 300

_RETRY_DELAY: Final = re.compile(r"[0-9]+(\.[0-9]+)?s")
# Headers, the more exact one first, with how many of their units are a second.
_RETRY_HEADERS: Final = (("retry-after-ms", 1000.0), ("retry-after", 1.0))


@dataclass(frozen=True, slots=True)
class ErrorDetails:
    """What an error of an SDK says.

    Attributes:
        status: The HTTP status, if a response came.
        codes: The provider's own codes of the error, with spaces between them.
        message: One short line without the key.
        retry_after: The seconds to wait that the provider asks for.
    """

    status: int | None
    codes: str
    message: str
    retry_after: float | None


def read_error(error: Exception, secret: str) -> ErrorDetails:
    """Read an error of an SDK.

    Args:
        error: The error.
        secret: The key; it is removed from the message.
    """
    body = _body_of(error)
    # Anthropic's SDK has a code of its own beside those of the body.
    own_code = getattr(error, "error_code", "")
    codes = f"{_codes_in(body)} {own_code}"
    status = _status_of(error)
    text = str(body.get("message") or error)
    retry_after = _retry_after(error, body)
    return ErrorDetails(status, codes, clean_message(text, secret), retry_after)


def clean_message(text: str, secret: str) -> str:
    """Make one short line of a provider's text, without the key, which it may repeat."""
    if secret:
        text = text.replace(secret, "<key>")
    one_line = " ".join(text.split())
    return shorten(make_visible(one_line), LONGEST_MESSAGE)


def _status_of(error: Exception) -> int | None:
    # Anthropic and OpenAI call it status_code, Google calls it code.
    for name in ("status_code", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _body_of(error: Exception) -> Mapping[str, Any]:
    # Anthropic and OpenAI call it body, Google calls it details.
    for name in ("body", "details"):
        body = getattr(error, name, None)
        if isinstance(body, Mapping):
            inner = body.get("error")
            if isinstance(inner, Mapping):
                return inner
            return body
    return {}


def _codes_in(body: Mapping[str, Any]) -> str:
    codes = [body.get(name) for name in ("code", "type", "status")]
    details = body.get("details")
    if isinstance(details, Mapping):
        codes.append(details.get("error_code"))
    return " ".join(str(code) for code in codes if code)


def _retry_after(error: Exception, body: Mapping[str, Any]) -> float | None:
    response = getattr(error, "response", None)
    headers: Any = getattr(response, "headers", None)
    if hasattr(headers, "get"):
        for name, units_in_a_second in _RETRY_HEADERS:
            seconds = _read_seconds(headers.get(name))
            if seconds is not None:
                return seconds / units_in_a_second
    return _retry_delay(body.get("details"))


def _read_seconds(header: object) -> float | None:
    """Read a header that is a number or a date; ``None`` where it is missing or neither."""
    if header is None:
        return None
    try:
        return float(str(header))
    except ValueError:
        return _seconds_until(str(header))


def _seconds_until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    # A date is as good as the clocks that wrote and read it; it cannot stop us for long.
    seconds = (moment - datetime.now(UTC)).total_seconds()
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER)


def _retry_delay(details: object) -> float | None:
    """Read Google's RetryInfo, as ``{"retryDelay": "12.5s"}``."""
    if not isinstance(details, list):
        return None
    for detail in details:
        if not isinstance(detail, Mapping):
            continue
        delay = detail.get("retryDelay")
        if isinstance(delay, str) and _RETRY_DELAY.fullmatch(delay):
            return float(delay.removesuffix("s"))
    return None
