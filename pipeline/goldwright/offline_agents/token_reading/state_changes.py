"""What a line of tokens does to a value that is kept under a name."""

from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.offline_agents.token_reading.token_lines import TokenLine

_PUTTING: Final = frozenset(
    ("append", "add", "update", "setdefault", "extend", "insert", "appendleft")
)
_DROPPING: Final = frozenset(("pop", "popitem", "clear", "remove", "discard", "popleft"))
_METHODS: Final = {
    **dict.fromkeys(_PUTTING, "put"),
    **dict.fromkeys(_DROPPING, "drop"),
}
_OPENING: Final = frozenset({"(", "[", "{"})
_CLOSING: Final = frozenset({")", "]", "}"})
_NO_ASSIGNMENTS: Final = frozenset(
    {"def", "lambda", "return", "raise", "if", "elif", "while", "for", "with"}
)
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
    if not use.is_product_code or not use.owner:
        return False
    line_changes = changes_on(use.line, name)
    if use.owner.rpartition(".")[2] == "__init__":
        line_changes -= {"replace"}
    return not line_changes.isdisjoint(changes)


def _change(words: Sequence[str], place: int, keyword: str) -> str:
    behind = list(words[place + 1 :])
    if keyword == "del":
        return "drop"
    if behind[:1] == ["["]:
        after = _behind_bracket(behind)
        return "put" if after == "=" or after in _AUGMENTED else ""
    if behind[:1] == ["."] and behind[2:3] == ["("]:
        return _METHODS.get(behind[1], "")
    if behind and behind[0] in _AUGMENTED:
        return "put"
    return "replace" if _is_target(words, place, keyword) else ""


def _is_target(words: Sequence[str], place: int, keyword: str) -> bool:
    """Find out whether a whole value is set: ``name = …`` or ``name: type = …``."""
    if keyword in _NO_ASSIGNMENTS:
        return False
    behind = words[place + 1 :]
    is_plain = behind[:1] == ["="]
    is_annotated = behind[:1] == [":"] and "=" in behind
    # Inside brackets it is an argument or a default.
    depth = sum((word in _OPENING) - (word in _CLOSING) for word in words[:place])
    return (is_plain or is_annotated) and depth == 0


def _behind_bracket(words: Sequence[str]) -> str:
    depth = 0
    for place, word in enumerate(words):
        depth += (word in {"(", "[", "{"}) - (word in {")", "]", "}"})
        if depth == 0:
            return words[place + 1] if place + 1 < len(words) else ""
    return ""
