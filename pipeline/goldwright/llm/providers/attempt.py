"""One attempt at a call: a limit on the whole of it, and every failure told as a fault.

The SDKs limit each read from the socket, not the call; none of them checks what came back, so a
reply of another shape shows as a ``TypeError`` or an ``AttributeError`` while it is translated.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, NoReturn, TypeVar

import httpx2

from goldwright.llm.port import FaultKind, ProviderFault, Usage
from goldwright.llm.retry_policies import LONGEST_RETRY_AFTER
from goldwright.text import make_visible, shorten

T = TypeVar("T")

LONGEST_MESSAGE: Final = 300
_TRANSPORT: Final[tuple[type[Exception], ...]] = (
    httpx2.HTTPError,
    TimeoutError,
    OSError,
    RuntimeError,
)
_WRONG_SHAPE: Final[tuple[type[Exception], ...]] = (
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)
_TOO_LONG: Final = re.compile(
    r"prompt is too long|context[_ ]length|context window|maximum context|input token count.*exceeds|"
    r"too many tokens|exceeds? the (?:maximum|limit)",
    re.IGNORECASE,
)
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
_MAY_BE_BILLED: Final[frozenset[FaultKind]] = frozenset(
    {"timeout", "gateway_timeout", "cut", "malformed"}
)


async def attempt(
    call: Callable[[], Awaitable[T]],
    *,
    seconds: float,
    secret: str,
    errors: tuple[type[Exception], ...],
) -> T:
    """Make one call and nothing else.

    Args:
        call: Sends the request and translates what comes back.
        seconds: How long all of it may take.
        secret: The key; it is blotted out of every message.
        errors: The base classes of the SDK's own errors.

    Raises:
        ProviderFault: It failed.
    """
    expected = (*errors, *_TRANSPORT, *_WRONG_SHAPE)
    try:
        async with asyncio.timeout(seconds):
            return await call()
    except ProviderFault as fault:
        fault.args = (_line(str(fault), secret),)
        raise
    except expected as error:
        raise _fault(error, secret) from None


def tokens(value: Any) -> int:
    """Read a count of tokens.

    Raises:
        ValueError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no number of tokens")
    return value


def tokens_if_told(value: Any) -> int:
    """Read a count that providers leave out where it is 0.

    Raises:
        ValueError: It is there, and none.
    """
    return 0 if value is None else tokens(value)


def usage_of(read: Callable[[], Usage]) -> Usage:
    """Read what was used, or say that it was not counted."""
    try:
        usage = read()
    except _WRONG_SHAPE:
        return Usage(counted=False)
    return usage if usage.total > 0 and usage.fresh >= 0 else Usage(counted=False)


def arguments_of(text: Any) -> dict[str, Any] | None:
    """Read the arguments of a tool call: a JSON object, or ``None`` where it is none."""
    if isinstance(text, str):
        try:
            text = json.loads(text or "{}", parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
    return text if isinstance(text, dict) else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _fault(error: Exception, secret: str) -> ProviderFault:
    status, body = _status(error), _body(error)
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    message = _message(error, secret)
    if status is not None and status != 200:
        kind = _kind_of_status(
            status, f"{_codes(body)} {getattr(error, 'error_code', '')}", message
        )
        billed = kind in _MAY_BE_BILLED
        return ProviderFault(
            kind, f"{status} {message}", retry_after=_retry_after(error, body), may_be_billed=billed
        )
    kind = _kind_of_transport(error, cause)
    return ProviderFault(
        kind, message or type(error).__name__, may_be_billed=kind in _MAY_BE_BILLED
    )


def _kind_of_status(status: int, codes: str, message: str) -> FaultKind:
    if status in {400, 422, 429} and (
        _NO_MONEY_CODES.search(codes) or (status != 429 and _NO_MONEY.search(message))
    ):
        return "spend_limit"
    if status in {400, 422}:
        said: tuple[tuple[re.Pattern[str], FaultKind], ...] = (
            (_NO_KEY, "access"),
            (_NO_MODEL, "no_such_model"),
            (_TOO_LONG, "too_long"),
        )
        return next(
            (kind for pattern, kind in said if pattern.search(f"{codes} {message}")), "bad_request"
        )
    return _BY_STATUS.get(status, "server_error" if status >= 500 else "bad_request")


def _kind_of_transport(error: Exception, cause: Exception) -> FaultKind:
    for one in (cause, error):
        if isinstance(
            one,
            httpx2.ConnectError
            | httpx2.ConnectTimeout
            | httpx2.PoolTimeout
            | ConnectionRefusedError,
        ):
            return "unreachable"
        if isinstance(one, httpx2.TimeoutException | TimeoutError):
            return "timeout"
    if isinstance(error, json.JSONDecodeError | httpx2.HTTPError | OSError | RuntimeError):
        return "cut"
    return "malformed" if isinstance(error, _WRONG_SHAPE) else "cut"


def _status(error: Exception) -> int | None:
    for name in ("status_code", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _body(error: Exception) -> Mapping[str, Any]:
    for name in ("body", "details"):
        value = getattr(error, name, None)
        if isinstance(value, Mapping):
            inner = value.get("error")
            return inner if isinstance(inner, Mapping) else value
    return {}


def _codes(body: Mapping[str, Any]) -> str:
    details = body.get("details")
    deeper = details.get("error_code") if isinstance(details, Mapping) else None
    return " ".join(
        str(one) for one in (body.get("code"), body.get("type"), body.get("status"), deeper) if one
    )


def _message(error: Exception, secret: str) -> str:
    return _line(str(_body(error).get("message") or error), secret)


def _line(text: str, secret: str) -> str:
    """Make one short line of what a provider says, without the key that it may repeat."""
    if secret:
        text = text.replace(secret, "<key>")
    return shorten(make_visible(" ".join(text.split())), LONGEST_MESSAGE)


def _retry_after(error: Exception, body: Mapping[str, Any]) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name) if hasattr(headers, "get") else None
        if value is not None and (seconds := _seconds(str(value))) is not None:
            return seconds / unit
    return _delay(body.get("details"))


def _seconds(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    # A date is as good as the clocks that wrote and read it; it cannot stop us for long.
    return min(max((at - datetime.now(UTC)).total_seconds(), 0.0), LONGEST_RETRY_AFTER)


def _delay(details: Any) -> float | None:
    for one in details if isinstance(details, list) else ():
        delay = one.get("retryDelay") if isinstance(one, Mapping) else None
        if isinstance(delay, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?s", delay):
            return float(delay[:-1])
    return None
