"""What a function is for, as a person would say it: from its docstring, put into other words."""

import re
from typing import Final

from goldwright.code_reading.docstrings import docstring_of
from goldwright.snapshot.codebase import SourceTree

FEWEST_WORDS: Final = 4
# The end of a longer sentence is about details.
MOST_WORDS: Final = 14

_SENTENCE_END: Final = re.compile(r"[.:;!?](?:\s|$)|\n\s*\n")
_CLAUSE_END: Final = re.compile(r",| - | -- |\(| if | when | which | so that | because | unless ")
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z' -]*")
# Imperatives that docstrings begin with, and what somebody else would say instead.
_OTHER_VERBS: Final = {
    "return": "gives back",
    "get": "looks up",
    "create": "makes",
    "make": "creates",
    "build": "puts together",
    "add": "appends",
    "remove": "takes away",
    "delete": "removes",
    "check": "tests",
    "convert": "turns",
    "parse": "reads",
    "set": "sets up",
    "send": "sends off",
    "load": "brings in",
    "read": "takes in",
    "write": "puts out",
    "start": "launches",
    "stop": "halts",
    "call": "invokes",
    "find": "searches for",
    "generate": "produces",
    "update": "refreshes",
    "register": "enters",
    "open": "opens",
    "close": "closes",
    "yield": "hands out",
    "compute": "works out",
    "calculate": "works out",
    "format": "lays out",
    "render": "draws",
    "wrap": "puts a layer around",
    "apply": "applies",
    "process": "deals with",
    "handle": "takes care of",
    "execute": "carries out",
    "run": "carries out",
    "decode": "deciphers",
    "encode": "codes",
    "split": "cuts up",
    "join": "puts together",
    "merge": "brings together",
    "prepare": "sets up",
    "ensure": "makes sure of",
    "fetch": "brings in",
    "store": "puts away",
    "save": "puts away",
    "extract": "pulls out",
    "print": "shows",
    "display": "shows",
    "show": "displays",
    "resolve": "works out",
    "determine": "finds out",
    "iterate": "goes through",
    "schedule": "plans",
    "connect": "links",
    "validate": "tests",
    "verify": "tests",
    "escape": "masks",
    "normalize": "unifies",
    "log": "records",
    "raise": "signals",
    "cancel": "calls off",
    "invoke": "calls",
    "retry": "repeats",
    "initialize": "sets up",
    "setup": "sets up",
    "configure": "sets up",
    "copy": "duplicates",
    "replace": "exchanges",
    "invert": "turns around",
    "prompt": "asks",
    "ask": "prompts",
    "retrieve": "looks up",
    "import": "brings in",
    "clear": "empties",
    "flush": "empties",
    "parses": "reads",
    "returns": "gives back",
    "creates": "makes",
    "gets": "looks up",
    "adds": "appends",
    "sets": "sets up",
    "checks": "tests",
    "converts": "turns",
    "removes": "takes away",
    "sends": "sends off",
    "writes": "puts out",
    "reads": "takes in",
    "calls": "invokes",
    "finds": "searches for",
    "invokes": "calls",
    "prints": "shows",
    "loads": "brings in",
    "generates": "produces",
}


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
    is_double = rest.startswith(("and ", "or "))
    if (
        other_verb is None
        or is_double
        or not is_plain
        or not FEWEST_WORDS <= len(words) <= MOST_WORDS
    ):
        return ""
    return f"{other_verb} {rest}"
