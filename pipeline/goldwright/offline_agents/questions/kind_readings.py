"""What a question of each kind says of its answer, for whoever reads question and answer alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.records import IntentKind


@dataclass(frozen=True, slots=True)
class KindReading:
    """How questions of a kind are to be read.

    Attributes:
        names_detail: Whether the detail of their intent is a name or literal of the code.
        is_about_value: Whether they are about nothing but this detail.
        quotes_message: Whether they are asked in the words of a message.
        asks_for_all: Whether they want to know everybody.
    """

    names_detail: bool = False
    is_about_value: bool = False
    quotes_message: bool = False
    asks_for_all: bool = False


KIND_READINGS: Final[Mapping[IntentKind, KindReading]] = {
    "message_origin": KindReading(quotes_message=True),
    "literal_use": KindReading(names_detail=True, is_about_value=True, asks_for_all=True),
    "library_call": KindReading(names_detail=True, asks_for_all=True),
    "raise_condition": KindReading(names_detail=True, quotes_message=True),
    "error_translation": KindReading(names_detail=True, quotes_message=True),
    "hidden_error": KindReading(quotes_message=True),
    "swallowed_error": KindReading(names_detail=True),
    "caller_coping": KindReading(names_detail=True, quotes_message=True, asks_for_all=True),
    "default_value": KindReading(names_detail=True, is_about_value=True),
    "outcomes": KindReading(),
    "steps": KindReading(),
    "cache_lifetime": KindReading(),
    "contract": KindReading(),
    "class_role": KindReading(names_detail=True, quotes_message=True),
    "registry": KindReading(names_detail=True),
    "option_readers": KindReading(names_detail=True, is_about_value=True),
    "reason": KindReading(),
    "shared_state": KindReading(),
    "callers": KindReading(asks_for_all=True),
    "deprecation": KindReading(quotes_message=True),
    "log_meaning": KindReading(quotes_message=True),
    "family": KindReading(),
    "parameter_path": KindReading(),
    "other": KindReading(),
}
"""Every kind: one of which nothing is said here would be read as if it asked for anything."""
