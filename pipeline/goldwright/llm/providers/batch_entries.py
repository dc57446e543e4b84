"""What the batch APIs of providers have in common: reading entries, and what ended without one."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from goldwright.llm.batch_port import EntryResult, HandedIn
from goldwright.llm.port import ProviderFault
from goldwright.llm.providers.error_details import clean_message
from goldwright.llm.providers.fault_kinds import kind_of_status
from goldwright.llm.providers.reply_values import WRONG_SHAPE

T = TypeVar("T")

# What providers call the errors of entries, which come without an HTTP status.
_STATUSES: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
    "timeout_error": 504,
}
_OF_THE_PROVIDER: Final = 500


def read_entry(reader: Callable[[T], EntryResult], entry: T, secret: str) -> EntryResult:
    """Read one entry; one of another shape than expected is a fault, and spoils no other."""
    try:
        result = reader(entry)
    except ProviderFault as fault:
        result = fault
    except WRONG_SHAPE as error:
        text = str(error) or type(error).__name__
        message = clean_message(text, secret)
        return ProviderFault("malformed", message, may_be_billed=True)
    if isinstance(result, ProviderFault):
        result.args = (clean_message(str(result), secret),)
    return result


def entry_fault(code: str, message: str, status: int | None = None) -> ProviderFault:
    """Name the fault of an entry that ended in an error; providers do not bill such entries."""
    known_status = _STATUSES.get(code, _OF_THE_PROVIDER) if status is None else status
    kind = kind_of_status(known_status, code, message)
    return ProviderFault(kind, f"{code}: {message}")


def unanswered_entry(how: str) -> ProviderFault:
    """Give the fault of an entry that expired or was cancelled: it is handed in once more."""
    return ProviderFault("server_error", f"the entry of a batch {how} before it was answered")


def text_of(value: Any) -> str:
    """Give a value of a foreign reply as text; empty for none."""
    return "" if value is None else str(value)


def named_batch(batch: HandedIn) -> str:
    """Give the id of a batch that its provider has named."""
    if batch.batch_id is None:
        raise ValueError(f"{batch.label} has not been handed in")
    return batch.batch_id
