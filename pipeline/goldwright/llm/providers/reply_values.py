"""Reading values of a reply that no SDK has checked."""

import json
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from goldwright.llm.port import Usage

R = TypeVar("R")

WRONG_SHAPE: Final[tuple[type[Exception], ...]] = (
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)
"""What code raises that translates a reply of another shape than expected."""


def read_tokens(value: Any) -> int:
    """Read a count of tokens.

    Raises:
        ValueError: It is not one.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no number of tokens")
    return value


def read_optional_tokens(value: Any) -> int:
    """Read a count that providers leave out where it is 0.

    Raises:
        ValueError: It is there, and not one.
    """
    if value is None:
        return 0
    return read_tokens(value)


def read_usage(translate: Callable[[R], Usage], response: R) -> Usage:
    """Read the usage of a response, or give one that is not counted where it cannot be read."""
    try:
        usage = translate(response)
    except WRONG_SHAPE:
        return Usage(counted=False)
    # Input that no cache held is a difference in some adapters; below 0, the counts contradict
    # each other.
    if usage.total > 0 and usage.fresh >= 0:
        return usage
    return Usage(counted=False)


def read_arguments(value: Any) -> dict[str, Any] | None:
    """Read the arguments of a tool call: a JSON object, or ``None`` where they are none."""
    if isinstance(value, str):
        try:
            # A call without arguments may come as an empty text.
            value = json.loads(value or "{}", parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, dict):
        return value
    return None


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")
