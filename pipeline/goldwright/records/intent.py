"""Why a question is asked: what makes it worth asking, and what an answer must settle."""

from typing import Literal

from pydantic import Field

from goldwright.records.base import FileRange, Record

IntentKind = Literal[
    "message_origin",  # where a message comes from
    "literal_use",  # where a name of the outside world (a header, a key, a setting) is dealt with
    "raise_condition",  # when an error is raised
    "error_translation",  # which error lies behind another one
    "swallowed_error",  # where an error gets lost
    "caller_coping",  # whether callers cope with an error
    "default_value",  # what is taken where nothing is given
    "outcomes",  # what comes back under which condition
    "steps",  # what is done in which order
    "cache_lifetime",  # what is kept, and what throws it away
    "contract",  # what must be written to add another one of a kind
    "registry",  # where another one of a kind is entered
    "option_readers",  # what a setting changes, and where
    "reason",  # why the code does what it does, as a comment says
    "shared_state",  # who changes what several share
    "callers",  # who uses something
    "deprecation",  # what is on its way out, and what takes its place
    "log_meaning",  # whether a message in the log is any trouble
    "hidden_error",  # which error hides behind a message
    "class_role",  # what an object is, who makes it, and what it keeps
    "other",  # a reason that none of these kinds covers; nothing is checked by it
]


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
