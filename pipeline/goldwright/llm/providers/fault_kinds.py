"""Which kind of fault an error is, by its HTTP status and text or by the class of the error."""

import json
import re
from collections.abc import Mapping
from typing import Final

import httpx2

from goldwright.llm.port import FaultKind
from goldwright.llm.providers.reply_values import WRONG_SHAPE

_NO_MONEY: Final = re.compile(
    r"spend limit|credit balance|billing hard limit|insufficient funds", re.IGNORECASE
)
_NO_MONEY_CODES: Final = re.compile(r"spend_limit|insufficient_quota|billing", re.IGNORECASE)
_NO_KEY: Final = re.compile(
    r"api[ _-]?key not valid|invalid (?:x-)?api[ _-]?key|API_KEY_INVALID", re.IGNORECASE
)
_NO_MODEL: Final = re.compile(
    r"model.{0,80}(?:not found|does not exist|not exist|unknown)|model_not_found", re.IGNORECASE
)
_TOO_LONG: Final = re.compile(
    r"prompt is too long|context[_ ]length|context window|maximum context"
    r"|input token count.*exceeds|too many tokens|exceeds? the (?:maximum|limit)",
    re.IGNORECASE,
)
# Tried in this order on the codes and the message of a request that was refused.
_KINDS_OF_REFUSAL: Final[tuple[tuple[re.Pattern[str], FaultKind], ...]] = (
    (_NO_KEY, "access"),
    (_NO_MODEL, "no_such_model"),
    (_TOO_LONG, "too_long"),
)
_REFUSED: Final = frozenset({400, 422})
_RATE_LIMITED: Final = 429
# 529 is Anthropic's own, for an overload of all of its users together.
_BY_STATUS: Final[Mapping[int, FaultKind]] = {
    401: "access",
    402: "spend_limit",
    403: "access",
    404: "no_such_model",
    408: "timeout",
    409: "conflict",
    413: "too_long",
    429: "rate_limited",
    503: "overloaded",
    504: "gateway_timeout",
    529: "overloaded",
}
# No request was sent, so nothing can be billed.
_NEVER_CONNECTED: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    ConnectionRefusedError,
)
_TIMED_OUT: Final = (httpx2.TimeoutException, TimeoutError)
_BROKEN_OFF: Final = (json.JSONDecodeError, httpx2.HTTPError, OSError, RuntimeError)


def kind_of_status(status: int, codes: str, message: str) -> FaultKind:
    """Name the kind of an HTTP error.

    Args:
        status: The HTTP status, not 200.
        codes: The provider's own error codes.
        message: The provider's text.
    """
    if _is_about_money(status, codes, message):
        return "spend_limit"
    if status in _REFUSED:
        return _kind_of_refusal(f"{codes} {message}")
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "server_error"
    return "bad_request"


def kind_of_transport_error(error: Exception) -> FaultKind:
    """Name the kind of an error without an HTTP status."""
    # SDKs raise errors of their own because of those of the transport, which say more.
    for candidate in (error.__cause__, error):
        if isinstance(candidate, _NEVER_CONNECTED):
            return "unreachable"
        if isinstance(candidate, _TIMED_OUT):
            return "timeout"
    # A JSONDecodeError is a ValueError, and yet not of a wrong shape: its body was cut.
    if isinstance(error, WRONG_SHAPE) and not isinstance(error, _BROKEN_OFF):
        return "malformed"
    return "cut"


def _is_about_money(status: int, codes: str, message: str) -> bool:
    """Return whether nothing will help but money.

    The text of a 429 is not searched: providers speak of billing in those of ordinary rate limits
    too.
    """
    if status != _RATE_LIMITED and status not in _REFUSED:
        return False
    if _NO_MONEY_CODES.search(codes):
        return True
    return status in _REFUSED and _NO_MONEY.search(message) is not None


def _kind_of_refusal(text: str) -> FaultKind:
    for pattern, kind in _KINDS_OF_REFUSAL:
        if pattern.search(text):
            return kind
    return "bad_request"
