"""Reading what a model wrote: strict JSON first, then one of our own models.

``json`` takes more than JSON: NaN, keys that stand twice (the last one wins in silence), any depth.
What a verdict hangs on is read without any of it.
"""

import re
from itertools import accumulate
from typing import Final, TypeVar

from pydantic import ValidationError

from goldwright.errors import InputError
from goldwright.records import Record
from goldwright.records.strict_json import first_validation_problem, strict_json

T = TypeVar("T", bound=Record)

LONGEST: Final = 1_000_000
DEEPEST: Final = 64
_FENCED: Final = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class ReplyError(Exception):
    """A reply that cannot be used; the text says to its writer what to mend."""


def read_reply(text: str, model: type[T]) -> T:
    """Read a reply as one value; a single fence around the whole of it is taken off.

    Raises:
        ReplyError: It is no strict JSON, or no such value; the text names the place.
    """
    text = text.strip()
    if fenced := _FENCED.match(text):
        text = fenced[1]
    _check_size(text)
    try:
        data = text.encode("utf-8")
        parsed = strict_json(data, source="the reply")
    except UnicodeEncodeError as error:
        raise ReplyError(
            f"half a character (a lone surrogate) at position {error.start}"
        ) from error
    except InputError as error:
        raise ReplyError(str(error)) from error
    _check_strings(parsed)
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        raise ReplyError(first_validation_problem(error)) from error


def _check_size(text: str) -> None:
    if len(text) > LONGEST:
        raise ReplyError(f"the reply has {len(text)} characters; the most is {LONGEST}")
    steps = ((character in "[{") - (character in "]}") for character in _STRING.sub("", text))
    deepest = max(accumulate(steps), default=0)
    if deepest > DEEPEST:
        raise ReplyError(f"the reply nests {deepest} deep; the most is {DEEPEST}")


def _check_strings(value: object) -> None:
    match value:
        case str():
            if _SURROGATE.search(value):
                raise ReplyError("half a character (a lone surrogate) in a string")
        case list():
            for one in value:
                _check_strings(one)
        case dict():
            for key, one in value.items():
                _check_strings(key)
                _check_strings(one)
