"""Single attempts at calls: a limit on the whole of each, and every failure turned into a fault.

The SDKs limit each read from the socket, not the call. None of them checks what came back, so a
reply of another shape shows as a ``TypeError`` or an ``AttributeError`` while it is translated.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, TypeVar

import httpx2

from goldwright.llm.port import FaultKind, ProviderFault
from goldwright.llm.providers.error_details import clean_message, read_error
from goldwright.llm.providers.fault_kinds import kind_of_status, kind_of_transport_error
from goldwright.llm.providers.partial_reply import PartialReply
from goldwright.llm.providers.reply_values import WRONG_SHAPE

T = TypeVar("T")

# What the SDKs let through as it is; a client that was closed raises a RuntimeError.
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


# What a server answers that knows neither the path nor the method; one of models says why in its
# body.
_NO_SUCH_PATH: Final = frozenset({404, 405, 501})


@dataclass(frozen=True, slots=True)
class AttemptLimits:
    """What an adapter's attempts have in common.

    Attributes:
        seconds: How long one attempt may take in all.
        secret: The key; it is removed from every message.
        errors: The base classes of the SDK's own errors.
        address: Where the provider is reached, as the settings say; None for its own address.
    """

    seconds: float
    secret: str
    errors: tuple[type[Exception], ...]
    address: str | None = None

    async def attempt(self, call: Awaitable[T], partial: PartialReply | None = None) -> T:
        """Make one call, without a second attempt.

        Args:
            call: Sends the request and translates what comes back.
            partial: What of a streamed reply has come; a fault tells what that has used.

        Raises:
            ProviderFault: It failed.
        """
        expected_errors = (*self.errors, *_TRANSPORT, *WRONG_SHAPE)
        try:
            async with asyncio.timeout(self.seconds):
                return await call
        except ProviderFault as fault:
            fault.args = (clean_message(str(fault), self.secret),)
            _add_bill(fault, partial)
            raise
        except expected_errors as error:
            failure = self._fault_of(error)
            _add_bill(failure, partial)
            raise failure from None

    def _fault_of(self, error: Exception) -> ProviderFault:
        details = read_error(error, self.secret)
        # An error with status 200 arose while the body was read; the status says nothing of it.
        if details.status is None or details.status == 200:
            kind = kind_of_transport_error(error)
            message = details.message or type(error).__name__
            if kind == "unreachable" and self.address is not None:
                message = clean_message(_nobody_at(self.address, message), self.secret)
            return _fault(kind, message)
        kind = kind_of_status(details.status, details.codes, details.message)
        message = f"{details.status} {details.message}"
        if (
            self.address is not None
            and details.status in _NO_SUCH_PATH
            and not details.codes.strip()
        ):
            message = clean_message(_other_server(self.address, message), self.secret)
        return _fault(kind, message, details.retry_after)


def _nobody_at(address: str, message: str) -> str:
    reason = message.rstrip(".")
    return f"nothing answers at {address} ({reason}); is the server up?"


def _other_server(address: str, message: str) -> str:
    reason = message.rstrip(".")
    return (
        f"the server at {address} does not know this API ({reason}); is it the right "
        "one, and is /v1 missing?"
    )


def _add_bill(fault: ProviderFault, partial: PartialReply | None) -> None:
    """Tell what a reply has used that began and broke off, whatever ended it."""
    if partial is None or not partial.has_begun:
        return
    fault.may_be_billed = True
    if fault.usage is None:
        fault.usage = partial.usage


def _fault(kind: FaultKind, message: str, retry_after: float | None = None) -> ProviderFault:
    may_be_billed = kind in _MAY_BE_BILLED
    return ProviderFault(kind, message, retry_after=retry_after, may_be_billed=may_be_billed)
