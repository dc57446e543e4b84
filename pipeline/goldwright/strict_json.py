"""Strict reading of JSON from outside, with one-line errors that name place and problem."""

import json
import math
from typing import Final, NoReturn

from goldwright.errors import InputError

# Characters of a foreign value that an error message quotes.
_LONGEST_QUOTE: Final = 60


def strict_object(data: bytes, *, source: str) -> bytes:
    """Check that bytes are one JSON object in UTF-8, without NaN or duplicate keys.

    Returns:
        The bytes, unchanged.

    Raises:
        InputError: They are not; the text names ``source`` and the place.
    """
    value = strict_json(data, source=source)
    if not isinstance(value, dict):
        kind = _describe_kind(value)
        raise InputError(f"{source}: wanted a JSON object, found {kind}")
    return data


def strict_json(data: bytes, *, source: str) -> object:
    """Parse JSON in UTF-8, refusing NaN, infinities and duplicate keys.

    Raises:
        InputError: The bytes are not such JSON; the text names ``source`` and the place.
    """
    try:
        # A BOM at the start, as Windows editors write, is no error.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 at byte {error.start}") from error
    try:
        return json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_parse_finite,
            object_pairs_hook=_object_without_duplicates,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise InputError(f"{source}: not JSON at {place}: {error.msg}") from error
    # Lists nested too deep, an integer of thousands of digits, or a value refused below.
    except (RecursionError, ValueError) as error:
        raise InputError(f"{source}: not strict JSON: {shorten_line(str(error))}") from error


def shorten_line(text: str) -> str:
    """Write a foreign value or message in one line, cut to what an error message quotes."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST_QUOTE:
        return line
    return line[:_LONGEST_QUOTE] + "…"


def _describe_kind(value: object) -> str:
    match value:
        case list():
            return "a list"
        case str():
            return "a string"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case _:
            return "null"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _parse_finite(text: str) -> float:
    number = float(text)
    # 1e999 is valid JSON, and Python reads it as an infinity.
    if not math.isfinite(number):
        raise ValueError(f"{shorten_line(text)} is too large a number")
    return number


def _object_without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"the key {key!r} stands twice")
        members[key] = value
    return members
