"""Other words for the same thing, so that a question is not a copy of the docstring it came from."""

import re
from typing import Final

from goldwright.offline_agents.author.actions import Action
from goldwright.offline_agents.author.inflection import has_article

VERB_SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "add": ("attach",), "assemble": ("put together",), "build": ("produce", "put together"),
    "calculate": ("work out", "compute"), "call": ("invoke",), "change": ("alter",), "check": ("verify",),
    "choose": ("pick",), "collect": ("gather",), "combine": ("merge",),
    "compute": ("work out", "calculate"), "configure": ("set up",),
    "construct": ("build", "put together"), "convert": ("turn", "translate"),
     "create": ("make", "build"), "delete": ("get rid of", "remove"), "detect": ("spot", "notice"),
    "determine": ("figure out", "decide on"), "disable": ("switch off",), "discard": ("throw away",), "dispatch": ("route",),
    "display": ("show",), "drop": ("remove",), "enable": ("switch on",), "escape": ("quote",),
    "evaluate": ("work out",), "execute": ("run",), "extract": ("pull out",), "fetch": ("load",),
    "figure out": ("determine",), "find": ("locate",), "gather": ("collect",),
    "generate": ("produce",), "get": ("fetch",), "handle": ("deal with",), "initialize": ("set up",),
    "insert": ("put in",), "install": ("set up",), "invoke": ("call",), "load": ("read in",),
    "look up": ("fetch", "find"), "make": ("create",), "merge": ("combine",), "modify": ("change", "alter"),
    "obtain": ("get hold of",), "parse": ("read", "interpret"), "populate": ("fill",),
    "prepare": ("set up",), "print": ("write out",), "process": ("handle",), "produce": ("generate",),
    "purge": ("clear out",), "read": ("load",), "reload": ("refresh",),
    "remove": ("drop", "get rid of"), "replace": ("swap out",), "reset": ("clear",),
    "resolve": ("work out",), "retrieve": ("fetch",), "run": ("execute",), "save": ("store", "write out"), "search": ("look through",),
    "select": ("pick", "choose"), "send": ("dispatch",), "serialize": ("dump",), "set up": ("prepare",),
    "show": ("display",), "sort": ("order",), "split": ("break up",), "start": ("kick off", "launch"), "stop": ("shut down", "halt"),
    "store": ("save", "keep"), "strip": ("trim", "cut off"), "swap": ("exchange",), "transform": ("convert",), "update": ("refresh",),
    "validate": ("verify",), "verify": ("confirm",), "work out": ("determine", "compute"), "write": ("write out",),
    "yield": ("produce",), "go through": ("walk over",), "define": ("declare",),
    "emit": ("fire",),
    "restore": ("bring back",), "schedule": ("queue up",), "translate": ("map",),
}  # fmt: skip

NOUN_SYNONYMS: Final[dict[str, str]] = {
    "parameter": "argument", "parameters": "arguments", "argument": "parameter", "arguments": "parameters",
    "directory": "folder", "directories": "folders", "dictionary": "mapping", "dict": "mapping",
    "exception": "error", "exceptions": "errors", "errors": "failures", "error": "failure",
    "configuration": "settings", "settings": "configuration", "config": "settings", "identifier": "id",
    "invalid": "malformed", "existing": "present", "multiple": "several", "missing": "absent",
    "appropriate": "suitable", "specific": "particular", "entire": "whole", "available": "usable",
    "unique": "distinct", "corresponding": "matching", "required": "mandatory", "filename": "file name",
}  # fmt: skip


def paraphrased(told: Action, *, salt: int, nouns: int) -> Action:
    """Say an action in other words: another verb where there is one, and up to ``nouns`` other
    nouns.
    """
    verb, rest = _other_verb(told, salt)
    return Action(verb, _other_nouns(rest, nouns))


def changes(told: Action, other: Action) -> int:
    """Count the words of an action that its paraphrase has lost."""
    return len(set(told.base.split()) - set(other.base.split()))


def _other_verb(told: Action, salt: int) -> tuple[str, str]:
    choices = VERB_SYNONYMS.get(told.verb, ())
    if told.verb in {"convert", "transform", "translate"}:
        into = re.search(r" (?:in)?to ", told.rest)
        return (
            ("turn", f"{told.rest[: into.start()]} into {told.rest[into.end() :]}")
            if into
            else (told.verb, told.rest)
        )
    if told.verb == "ensure" and told.rest.startswith("that "):
        return "make sure", told.rest
    if told.verb == "check" and told.rest.startswith("whether"):
        return ("decide" if salt % 2 else "tell", told.rest)
    if not choices or _clashes(told):
        return told.verb, told.rest
    return choices[salt % len(choices)], told.rest


def _clashes(told: Action) -> bool:
    """A particle right after the verb, or *to* where the other verb takes none, would read wrong."""
    first = told.rest.split(" ")[0]
    if first in {
        "up",
        "out",
        "off",
        "on",
        "in",
        "back",
        "to",
        "over",
        "for",
        "if",
        "that",
        "sure",
        "through",
        "down",
        "as",
        "it",
        "about",
        "with",
        "how",
        "what",
    }:
        return True
    return (
        told.verb in {"add", "set", "send", "match", "compare"} and " to " not in told.rest
    ) or bool(re.match(r"\S+ing ", told.rest))


def _other_nouns(rest: str, limit: int) -> str:
    words = rest.split(" ")
    for place, word in enumerate(words):
        other = NOUN_SYNONYMS.get(word)
        if other is None or limit <= 0 or other in words:
            continue
        words[place] = other
        limit -= 1
        if place and words[place - 1] in {"a", "an"}:
            words[place - 1] = has_article(other)
    return " ".join(words)
