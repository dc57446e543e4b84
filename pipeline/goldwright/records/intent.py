"""Why a question is asked: what makes it worth asking, and what an answer must settle."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import Field

from goldwright.records.base import FileRange, Record

IntentKind = Literal[
    "message_origin",
    "literal_use",
    "library_call",
    "raise_condition",
    "error_translation",
    "hidden_error",
    "swallowed_error",
    "caller_coping",
    "default_value",
    "outcomes",
    "steps",
    "cache_lifetime",
    "contract",
    "class_role",
    "registry",
    "option_readers",
    "reason",
    "shared_state",
    "callers",
    "deprecation",
    "log_meaning",
    "family",
    "parameter_path",
    "other",
]


@dataclass(frozen=True, slots=True)
class IntentMeaning:
    """What a kind of reason is, for people and for models that are asked for one.

    Attributes:
        asks: What such a question wants to know.
        lines: Which lines of its subject make it worth asking.
    """

    asks: str
    lines: str


# The one list of kinds with their meaning; prompts are filled in from it. The checks of the gate
# look for a statement that starts on the first of the lines, so the lines are told exactly.
INTENT_MEANINGS: Final[Mapping[IntentKind, IntentMeaning]] = {
    "message_origin": IntentMeaning(
        "where a message comes from, and when it is given", "the `raise` or the call of a logger"
    ),
    "literal_use": IntentMeaning(
        "where a name of the outside world (a header, a key, a setting) is dealt with",
        "the statement that holds the name",
    ),
    "library_call": IntentMeaning(
        "where something is done by a call of a library, and who leads there", "the call"
    ),
    "raise_condition": IntentMeaning("when an error is raised", "the `raise`"),
    "error_translation": IntentMeaning(
        "which error lies behind another one", "the `except` clause that raises the other one"
    ),
    "hidden_error": IntentMeaning(
        "which error hides behind a message", "the `except` clause that writes the message"
    ),
    "swallowed_error": IntentMeaning("where an error gets lost", "the `except` clause"),
    "caller_coping": IntentMeaning(
        "whether all callers cope with an error that the subject raises", "the `raise`"
    ),
    "default_value": IntentMeaning(
        "what is taken where nothing is given", "where the default is written"
    ),
    "outcomes": IntentMeaning("what comes back under which condition", "the whole function"),
    "steps": IntentMeaning("what is done in which order", "the statements of the steps"),
    "cache_lifetime": IntentMeaning(
        "what is kept, and what throws it away", "where it is kept or thrown away"
    ),
    "contract": IntentMeaning(
        "what must be written to add another one of a kind",
        "the class, which leaves methods abstract or raising NotImplementedError",
    ),
    "class_role": IntentMeaning("what an object is, who makes it, and what it keeps", "the class"),
    "registry": IntentMeaning("where another one of a kind is entered", "the table"),
    "option_readers": IntentMeaning(
        "what a setting changes, and where", "where the setting is defined or read"
    ),
    "reason": IntentMeaning(
        "why the code does what it does, as a comment says", "the comment and the code it is about"
    ),
    "shared_state": IntentMeaning("who changes what several share", "where it is made"),
    "callers": IntentMeaning("who uses something", "its definition"),
    "deprecation": IntentMeaning(
        "what is on its way out, and what takes its place", "where the warning is given"
    ),
    "log_meaning": IntentMeaning(
        "whether a message in the log is any trouble", "the call of the logger"
    ),
    "family": IntentMeaning(
        "which classes of a kind there are, and what each of them defines", "the base class"
    ),
    "parameter_path": IntentMeaning(
        "how an argument gets from where it is given to where it counts",
        "the function that takes it",
    ),
    "other": IntentMeaning(
        "a reason that none of these kinds covers; nothing is checked by it",
        "what makes it worth asking",
    ),
}

# Who asks for the callers of a function has the function.
_KINDS_OF_OTHERS: Final[frozenset[IntentKind]] = frozenset({"callers"})


class Intent(Record):
    """The reason of a question.

    Attributes:
        kind: What sort of reason it is.
        subject: The id of the entity that the question turns on.
        lines: The lines that make it worth asking.
        detail: What is meant inside these lines: an error class, a literal, a parameter.
        settles: What a right answer must settle, each in a few words.
    """

    kind: IntentKind
    subject: str
    lines: FileRange
    detail: str = ""
    settles: tuple[str, ...] = Field(default=(), max_length=12)

    @property
    def named(self) -> tuple[str, ...]:
        """The subject, where a question may name it because others are the answer; else nothing."""
        return (self.subject,) if self.kind in _KINDS_OF_OTHERS else ()
