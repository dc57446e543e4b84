"""What a line of tokens does to a value that is kept under a name."""

from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.snapshot.product_code import is_product_code

_PUTTING: Final = frozenset(
    ("append", "add", "update", "setdefault", "extend", "insert", "appendleft")
)
_DROPPING: Final = frozenset(("pop", "popitem", "clear", "remove", "discard", "popleft"))
_AUGMENTED: Final = frozenset(("+=", "-=", "|=", "&=", "*=", "^=", "//=", "/=", "%="))


def changes_on(line: TokenLine, name: str) -> frozenset[str]:
    """Tell what a line does to what is kept under a name: ``put``, ``drop``, ``replace``."""
    words = line.line.words()
    changes: set[str] = set()
    for place, word in enumerate(words):
        if word == name:
            change = _change(words, place, line.keyword)
            if change:
                changes.add(change)
    return frozenset(changes)


def changers_of(code: TokenCodebase, name: str, changes: frozenset[str]) -> set[str] | None:
    """Name the functions of the product that change a value in certain ways.

    What ``__init__`` and the level of the module put in place is how the value comes to be. None
    where the name stands in too many places.
    """
    uses = code.uses_of(name)
    if uses is None:
        return None
    return {use.owner for use in uses if _is_change(use, name, changes)}


def _is_change(use: WordUse, name: str, changes: frozenset[str]) -> bool:
    if not is_product_code(use.path) or not use.owner:
        return False
    found = changes_on(use.line, name)
    if use.owner.rpartition(".")[2] == "__init__":
        found -= {"replace"}
    return not found.isdisjoint(changes)


def _change(words: Sequence[str], place: int, keyword: str) -> str:
    behind = list(words[place + 1 :])
    if keyword == "del":
        return "drop"
    if not behind:
        return ""
    if behind[0] == "[":
        after = _behind_bracket(behind)
        return "put" if after == "=" or after in _AUGMENTED else ""
    if behind[0] == "." and len(behind) > 2 and behind[2] == "(":
        if behind[1] in _PUTTING:
            return "put"
        return "drop" if behind[1] in _DROPPING else ""
    if behind[0] in _AUGMENTED:
        return "put"
    is_target = behind[0] == "=" and keyword not in {"def", "return", "raise", "if", "for", "with"}
    is_annotated = behind[0] == ":" and "=" in behind and keyword not in {"def", "lambda", "if"}
    depth = sum((word in "([{") - (word in ")]}") for word in words[:place] if len(word) == 1)
    return "replace" if (is_target or is_annotated) and depth == 0 else ""


def _behind_bracket(words: Sequence[str]) -> str:
    depth = 0
    for place, word in enumerate(words):
        depth += (word in {"(", "[", "{"}) - (word in {")", "]", "}"})
        if depth == 0:
            return words[place + 1] if place + 1 < len(words) else ""
    return ""
