"""Strict reading of JSON from outside, with one-line errors that name place and problem."""

import json
import math
from difflib import get_close_matches
from types import GenericAlias
from typing import Any, Final, NoReturn, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from goldwright.errors import InputError

# Characters of a foreign value that an error message quotes.
_LONGEST_QUOTE: Final = 60
# What pydantic says of these speaks of its own workings.
_NO_FIELD: Final = "extra_forbidden"
_PLAIN_WORDS: Final = {"missing": "is missing", _NO_FIELD: "no such field"}
# What a default could not be computed from is told by itself.
_CONSEQUENCE: Final = "default_factory_not_called"
# Stands in the place of an error behind the key that is wrong, which is named itself.
_OF_A_KEY: Final = "[key]"


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
        raise InputError(f"{source}: not strict JSON: {_shorten(str(error))}") from error


def first_validation_problem(error: ValidationError, model: type[BaseModel] | None = None) -> str:
    """Describe in one line where a value first fails its model, and how many problems follow.

    Args:
        error: The error.
        model: The model, for the field that a misspelt one may stand for.
    """
    problems = [
        problem
        for problem in error.errors(include_url=False, include_context=False)
        if problem["type"] != _CONSEQUENCE
    ]
    # A field that is none is often what is missing, misspelt.
    problem = next((found for found in problems if found["type"] == _NO_FIELD), problems[0])
    # pydantic puts this prefix before the messages of our own validators.
    text = _PLAIN_WORDS.get(problem["type"], problem["msg"].removeprefix("Value error, "))
    place = ".".join(str(part) for part in problem["loc"] if part != _OF_A_KEY)
    if place:
        text = f"{place}: {text}{_quote_input(problem)}{_meant_field(problem, model)}"
    if len(problems) > 1:
        text += f" (and {len(problems) - 1} more)"
    return text


def _meant_field(problem: ErrorDetails, model: type[BaseModel] | None) -> str:
    """Name the field most like one that is none, as the end of a sentence."""
    if model is None or problem["type"] != _NO_FIELD:
        return ""
    *way, name = problem["loc"]
    holder: Any = model
    for part in way:
        fields = getattr(holder, "model_fields", {})
        # Tables and lists hold what their last argument says, by any name.
        inner = fields[part].annotation if part in fields else (get_args(holder) or (None,))[-1]
        choices = [choice for choice in get_args(inner) if hasattr(choice, "model_fields")]
        holder = choices[0] if choices and not isinstance(inner, GenericAlias) else inner
    nearest = get_close_matches(str(name), getattr(holder, "model_fields", ()), n=1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def _quote_input(problem: ErrorDetails) -> str:
    """Quote the value that was found, unless it has parts: then it is too large to help."""
    value = problem["input"]
    # The place names a field that is none, and its value says nothing of what was meant.
    if isinstance(value, dict | list | tuple) or problem["type"] == _NO_FIELD:
        return ""
    return f", found {_shorten(repr(value))}"


def _shorten(text: str) -> str:
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
        raise ValueError(f"{_shorten(text)} is too large a number")
    return number


def _object_without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"the key {key!r} stands twice")
        members[key] = value
    return members
