"""Reading what a model wrote: strict JSON first, then one of our own records.

``json`` takes more than JSON: NaN, keys that stand twice (the last one wins unnoticed), any depth.
What a verdict rests on is read without any of that.
"""

import re
from typing import Final, TypeVar

from pydantic import ValidationError

from goldwright.errors import InputError
from goldwright.records import Record
from goldwright.records.validation_problems import first_validation_problem
from goldwright.strict_json import strict_json

T = TypeVar("T", bound=Record)

LONGEST_REPLY: Final = 1_000_000
"""Characters."""

DEEPEST_NESTING: Final = 64
"""Brackets within brackets; counted before anything is parsed, because parsers recurse."""

_FENCED: Final = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class ReplyError(Exception):
    """A reply that cannot be used; the text tells its writer what to mend."""


def read_reply(text: str, model: type[T]) -> T:
    """Read a reply as one value; a single fence around the whole of it is taken off.

    Raises:
        ReplyError: It is no strict JSON, or no such value; the text names the place.
    """
    text = text.strip()
    fenced = _FENCED.match(text)
    if fenced:
        text = fenced[1]
    _check_size(text)
    # Parsed twice: the first time for what JSON readers let pass, the second into the record.
    try:
        data = text.encode("utf-8")
        value = strict_json(data, source="the reply")
    except UnicodeEncodeError as error:
        raise ReplyError(
            f"half a character (a lone surrogate) at position {error.start}"
        ) from error
    except InputError as error:
        raise ReplyError(str(error)) from error
    _check_strings(value)
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        raise ReplyError(first_validation_problem(error)) from error


def _check_size(text: str) -> None:
    if len(text) > LONGEST_REPLY:
        raise ReplyError(f"the reply has {len(text)} characters; the most is {LONGEST_REPLY}")
    deepest = _nesting_of(text)
    if deepest > DEEPEST_NESTING:
        raise ReplyError(f"the reply nests {deepest} deep; the most is {DEEPEST_NESTING}")


def _nesting_of(text: str) -> int:
    """Count how deep the brackets outside of strings nest, before anything is parsed."""
    depth = 0
    deepest = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _check_strings(value: object) -> None:
    """Refuse lone surrogates, which JSON can write as escapes and UTF-8 cannot write at all."""
    match value:
        case str():
            if _SURROGATE.search(value):
                raise ReplyError("half a character (a lone surrogate) in a string")
        case list():
            for element in value:
                _check_strings(element)
        case dict():
            for key, element in value.items():
                _check_strings(key)
                _check_strings(element)
