"""One attempt at a call: a limit on the whole of it, and every failure turned into a fault.

The SDKs limit each read from the socket, not the call. None of them checks what came back, so a
reply of another shape shows as a ``TypeError`` or an ``AttributeError`` while it is translated.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import httpx2

from goldwright.llm.port import FaultKind, ProviderFault
from goldwright.llm.providers.error_details import ErrorDetails, clean_message, read_error
from goldwright.llm.providers.fault_kinds import kind_of_status, kind_of_transport_error
from goldwright.llm.providers.reply_values import WRONG_SHAPE

T = TypeVar("T")

# The SDKs let errors of the transport through as they are; a RuntimeError is one of a client that
# was closed.
_TRANSPORT: Final[tuple[type[Exception], ...]] = (
    httpx2.HTTPError,
    TimeoutError,
    OSError,
    RuntimeError,
)
# The request may have been worked on, although nothing usable came back.
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
    """Make one call, without a second attempt.

    Args:
        call: Sends the request and translates what comes back.
        seconds: How long all of it may take.
        secret: The key; it is removed from every message.
        errors: The base classes of the SDK's own errors.

    Raises:
        ProviderFault: It failed.
    """
    expected_errors = (*errors, *_TRANSPORT, *WRONG_SHAPE)
    try:
        async with asyncio.timeout(seconds):
            return await call()
    except ProviderFault as fault:
        fault.args = (clean_message(str(fault), secret),)
        raise
    except expected_errors as error:
        raise _fault_of(error, secret) from None


def _fault_of(error: Exception, secret: str) -> ProviderFault:
    details = read_error(error, secret)
    # An error that carries status 200 arose while its body was read.
    if details.status is not None and details.status != 200:
        return _fault_of_status(details.status, details)
    kind = kind_of_transport_error(error)
    message = details.message or type(error).__name__
    return ProviderFault(kind, message, may_be_billed=kind in _MAY_BE_BILLED)


def _fault_of_status(status: int, details: ErrorDetails) -> ProviderFault:
    kind = kind_of_status(status, details.codes, details.message)
    return ProviderFault(
        kind,
        f"{status} {details.message}",
        retry_after=details.retry_after,
        may_be_billed=kind in _MAY_BE_BILLED,
    )
