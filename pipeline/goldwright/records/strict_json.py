"""Reading JSON that somebody else wrote: strictly, and with one clear line about what is wrong."""

import json
import math
from typing import NoReturn

from pydantic import ValidationError

from goldwright.errors import InputError

_LONGEST_VALUE = 60


def strict_object(data: bytes, *, source: str) -> bytes:
    """Check that bytes are one JSON object in UTF-8, without NaN or duplicate keys, and give them
    back.

    Raises:
        InputError: They are not; the text names ``source`` and the place.
    """
    parsed = strict_json(data, source=source)
    if not isinstance(parsed, dict):
        raise InputError(f"{source}: wanted a JSON object, found {_kind_of(parsed)}")
    return data


def strict_json(data: bytes, *, source: str) -> object:
    """Parse JSON in UTF-8, refusing NaN, infinities and duplicate keys.

    Raises:
        InputError: The bytes are not such JSON; the text names ``source`` and the place.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 at byte {error.start}") from error
    try:
        return json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            object_pairs_hook=_without_duplicates,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"{source}: not JSON at line {error.lineno} column {error.colno}: {error.msg}"
        ) from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{source}: not strict JSON: {_short(str(error))}") from error


def first_validation_problem(error: ValidationError) -> str:
    """Say in one line where a value does not fit its model, and what was wanted."""
    details = error.errors(include_url=False, include_context=False)
    first = details[0]
    place = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    found = (
        ""
        if isinstance(first["input"], dict | list | tuple) or not place
        else f", found {_short(repr(first['input']))}"
    )
    return f"{place}: {message}{found}{more}" if place else f"{message}{more}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_VALUE else line[:_LONGEST_VALUE] + "…"


def _kind_of(value: object) -> str:
    names = {list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{_short(text)} is too large a number")
    return number


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice")
        found[key] = value
    return found
