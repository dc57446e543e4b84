"""What a function is for, as a person would say it: from its docstring, put into other words."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.snapshot.codebase import SourceTree

FEWEST_WORDS: Final = 4
# Fewer words that carry a meaning fit too many functions.
FEWEST_CONTENT_WORDS: Final = 3
# The end of a longer sentence is about details.
MOST_WORDS: Final = 14

_SENTENCE_END: Final = re.compile(r"[.:;!?](?:\s|$)|\n\s*\n")
_CLAUSE_END: Final = re.compile(r",| - | -- |\(| if | when | which | so that | because | unless ")
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z' -]*")
# Imperatives that docstrings begin with, and what somebody else would say instead.
_OTHER_VERBS: Final = {
    "add": "appends",
    "adds": "appends",
    "apply": "applies",
    "ask": "asks",
    "build": "makes",
    "calculate": "works out",
    "call": "calls",
    "calls": "invokes",
    "cancel": "cancels",
    "check": "tests",
    "checks": "tests",
    "clear": "empties",
    "close": "closes",
    "compute": "works out",
    "configure": "sets up",
    "connect": "connects",
    "convert": "turns",
    "converts": "turns",
    "copy": "copies",
    "create": "makes",
    "creates": "makes",
    "decode": "decodes",
    "delete": "removes",
    "determine": "finds out",
    "display": "shows",
    "encode": "encodes",
    "ensure": "makes sure of",
    "escape": "escapes",
    "execute": "runs",
    "extract": "pulls out",
    "fetch": "gets",
    "find": "looks for",
    "finds": "looks for",
    "flush": "empties",
    "format": "formats",
    "generate": "produces",
    "generates": "produces",
    "get": "looks up",
    "gets": "looks up",
    "handle": "takes care of",
    "import": "imports",
    "initialize": "sets up",
    "invert": "turns around",
    "invoke": "calls",
    "invokes": "calls",
    "iterate": "goes through",
    "join": "puts together",
    "load": "brings in",
    "loads": "brings in",
    "log": "logs",
    "make": "creates",
    "merge": "brings together",
    "normalize": "normalizes",
    "open": "opens",
    "parse": "reads",
    "parses": "reads",
    "prepare": "sets up",
    "print": "shows",
    "prints": "shows",
    "process": "deals with",
    "prompt": "asks",
    "raise": "raises",
    "read": "reads",
    "reads": "takes in",
    "register": "registers",
    "remove": "takes away",
    "removes": "takes away",
    "render": "renders",
    "replace": "exchanges",
    "resolve": "works out",
    "retrieve": "looks up",
    "retry": "repeats",
    "return": "returns",
    "returns": "gives back",
    "run": "executes",
    "save": "stores",
    "schedule": "schedules",
    "send": "sends",
    "sends": "sends off",
    "set": "sets",
    "sets": "sets up",
    "setup": "sets up",
    "show": "shows",
    "split": "splits",
    "start": "starts",
    "stop": "stops",
    "store": "keeps",
    "update": "refreshes",
    "validate": "tests",
    "verify": "tests",
    "wrap": "wraps",
    "write": "writes",
    "writes": "puts out",
    "yield": "hands out",
}
# What is spoken of has one of these before it, or is many: notes leave them out.
_DETERMINERS: Final = frozenset(
    """
    a an the all any both each either every everything it its no one some that their them this two
    what whatever where whether which who
    """.split()
)
_PREPOSITIONS: Final = frozenset(
    "as at by during for from in into inside of on onto out over per to under with within".split()
)


def deed_of(codebase: SourceTree, entity_id: str) -> str:
    """Say in the third person what a function does, as in "gives back the price of a basket".

    Returns:
        The main clause of the first sentence of its docstring with another verb; empty where it
        begins with none that is known, is no plain English, or is too short to mean one thing.
    """
    text = " ".join(_SENTENCE_END.split(docstring_of(codebase, entity_id))[0].split())
    clause = _CLAUSE_END.split(text)[0].strip()
    verb, _, rest = clause.partition(" ")
    words = clause.split()
    other_verb = _OTHER_VERBS.get(verb.lower())
    is_plain = _PLAIN.fullmatch(clause) is not None and not re.search(r"[a-z][A-Z]", clause)
    # A second verb would stay in its imperative.
    is_double = rest.startswith(("and ", "or ")) or _has_second_verb(rest)
    if (
        other_verb is None
        or is_double
        or not _is_spoken(words[1:])
        or len(content_words(rest)) < FEWEST_CONTENT_WORDS
        or not is_plain
        or not FEWEST_WORDS <= len(words) <= MOST_WORDS
    ):
        return ""
    return f"{other_verb} {rest}"


def _has_second_verb(text: str) -> bool:
    # Behind an "or" an alternative of a word or two and a second deed look alike.
    if re.search(r"\bor (?!not\b)", text):
        return True
    following = re.findall(r"\b(?:and|then) (\w+)", text.lower())
    return any(word in _OTHER_VERBS for word in following)


def _is_spoken(words: Sequence[str]) -> bool:
    """Find out whether what follows a verb is a phrase, and no note without its articles."""
    for place, word in enumerate(words):
        if word.lower() in _DETERMINERS:
            return True
        if word.lower() in _PREPOSITIONS and place > 0:
            return False
        if place > 0 or len(words) > 1:
            following = words[place + 1].lower() if place + 1 < len(words) else "of"
            is_last = following in _PREPOSITIONS
            if is_last and word.endswith("s") and not word.endswith("ss"):
                return True
    return False
