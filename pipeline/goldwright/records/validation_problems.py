"""What is wrong with a value that is no record, in one line."""

from difflib import get_close_matches
from types import GenericAlias
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from goldwright.strict_json import shorten_line

# What pydantic says of these speaks of its own workings.
_NO_FIELD: Final = "extra_forbidden"
_PLAIN_WORDS: Final = {"missing": "is missing", _NO_FIELD: "no such field"}
# What a default could not be computed from is told by itself.
_CONSEQUENCE: Final = "default_factory_not_called"
# Stands in the place of an error behind the key that is wrong, which is named itself.
_OF_A_KEY: Final = "[key]"


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
    problem = next(
        (candidate for candidate in problems if candidate["type"] == _NO_FIELD), problems[0]
    )
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
    *outer_parts, name = problem["loc"]
    holder: Any = model
    for part in outer_parts:
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
    return f", found {shorten_line(repr(value))}"
