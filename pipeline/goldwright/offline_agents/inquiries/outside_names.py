"""Names of the outside world in string literals: settings, headers, options and the like."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.code_reading.literal_uses import (
    PROCESS_ENVIRONMENT,
    LiteralUse,
    closed_literal_uses,
    has_other_spelling,
    is_quoted,
    literal_uses_in,
    literals_in,
)
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.offline_agents.inquiries.mistaken_functions import MistakenFunction, believed
from goldwright.offline_agents.inquiries.surroundings import each_once
from goldwright.offline_agents.statements.literal_users import OUTSIDE_EXPORTS, LiteralUsers
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import FileRange

# Further uses in one function say hardly anything else.
_MOST_USES_TRIED: Final = 3
# Names that are held against something, and not looked up: they do nothing themselves.
CHECKED: Final = frozenset({"file", "media type"})
# Users beyond these are no longer a set that a person holds in mind.
MOST_USERS: Final = 3
# More words are no name that anybody says.
MOST_SPOKEN_WORDS: Final = 4
# Shorter names without a mark inside (``id``, ``name``) mean too many things.
SHORTEST_PLAIN_NAME: Final = 8

_CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_HEADER: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_OPTION: Final = re.compile(r"--[a-z][a-z0-9-]+")
_FILE: Final = re.compile(r"[\w-]+\.(?:cfg|toml|ini|json|ya?ml|txt|conf|lock|pid)|\.\w+rc")
_MEDIA_TYPE: Final = re.compile(r"(?:application|text|image|audio|video|multipart)/[\w.+-]+")
_SERVER_KEY: Final = re.compile(
    r"HTTP_\w+|SERVER_(?:NAME|PORT|PROTOCOL|SOFTWARE)|REQUEST_(?:METHOD|URI)|RAW_URI|"
    r"CONTENT_(?:TYPE|LENGTH)|REMOTE_(?:ADDR|HOST|PORT|USER)|PATH_INFO|SCRIPT_NAME|QUERY_STRING"
)
# Names that are told by their shape alone.
_SHAPES: Final = {"option": _OPTION, "media type": _MEDIA_TYPE, "file": _FILE}
_NOUN_OF_RECEIVER: Final = {
    "settings": "setting",
    "_settings": "setting",
    "conf": "setting",
    "config": "setting",
    "meta": "meta key",
    "headers": "header",
}


def noun_of(literal: str, receiver: str) -> str:
    """Say what sort of name a literal is, from its shape and from where it is looked up.

    Returns:
        A noun as people use it; empty for what is no name of the outside world.
    """
    is_compound = re.search(r"[_-]", literal) is not None
    is_telling = is_compound or len(literal) >= SHORTEST_PLAIN_NAME
    if receiver == PROCESS_ENVIRONMENT and _CAPITALS.fullmatch(literal):
        return "environment variable"
    if receiver in {"environ", "env"} and _SERVER_KEY.fullmatch(literal):
        return "WSGI environ key"
    if receiver.endswith("headers") and _HEADER.fullmatch(literal) and len(literal) > 3:
        return "header"
    if receiver in _NOUN_OF_RECEIVER and is_telling and literal.replace("_", "").isalnum():
        return _NOUN_OF_RECEIVER[receiver]
    for noun, shape in _SHAPES.items():
        if shape.fullmatch(literal):
            return noun
    return ""


def spoken_name(literal: str, noun: str) -> str:
    """Say a name as words, as in "download delay" for ``DOWNLOAD_DELAY``.

    The header behind a key of a WSGI environ is said as a header.

    Returns:
        Empty where it is a single word, or is never said in other words: a header, an option, a
        variable of the environment.
    """
    if noun == "WSGI environ key" and literal.startswith("HTTP_"):
        return literal.removeprefix("HTTP_").title().replace("_", "-")
    words = [word for word in literal.lower().split("_") if word]
    # "The backend settings setting" would say it twice.
    if noun == "setting" and words[-1:] in (["setting"], ["settings"]):
        words = words[:-1]
    is_spoken = noun in {"setting", "meta key"}
    are_words = all(word.isalpha() and len(word) > 1 for word in words)
    if not is_spoken or not are_words or not MOST_SPOKEN_WORDS >= len(words) > 1:
        return ""
    return " ".join(words)


def users_of(code: CodeContext, literal: str, noun: str) -> tuple[str, ...] | None:
    """Give the ids of all functions that use a name; None where they are not all known.

    A header counts in every spelling of its letters, and as the key of an environ too.
    """
    if noun == "header" and _has_other_spelling(code, literal):
        return None
    all_uses = closed_literal_uses(code.snapshot, literal) or ()
    uses = [use for use in all_uses if use.manner != "exported"]
    if not uses:
        return None
    users = each_once(use.entity_id for use in uses)
    are_functions = None not in map(code.function, users)
    names = {name_of(user) for user in users}
    are_told_apart = len(names) == len(users)
    is_small = len(users) <= MOST_USERS and are_told_apart
    return users if are_functions and is_small else None


def is_exported(code: CodeContext, literal: str) -> bool:
    """Check whether an ``__all__`` in product code lists a name: a search finds it there too."""
    uses = closed_literal_uses(code.snapshot, literal) or ()
    return any(use.manner == "exported" for use in uses)


def use_in(code: CodeContext, literal: str, user: str, line: int) -> LiteralUse | None:
    """Give the use on a line of a function that looks the name up or stores under it."""
    for use in _uses_in(code, literal, user):
        if use.line == line and use.manner in {"read", "stored"}:
            return use
    return None


def users_finding(code: CodeContext, literal: str, users: Sequence[str], line: int = 0) -> Finding:
    """State who uses a name; the place is the first line with it in the first user.

    Args:
        code: The codebase.
        literal: The name.
        users: The ids of all its users.
        line: Another line of the first user that holds the name; 0 for none.
    """
    names = tuple(name_of(user) for user in users)
    uses = _uses_in(code, literal, users[0])
    first = uses[0].line
    path = path_of(users[0])
    also: tuple[FileRange, ...] = ()
    if line not in {0, first}:
        also = (FileRange(file=path, start=line, end=line),)
    lines = FileRange(file=path, start=first, end=first)
    outside = OUTSIDE_EXPORTS if is_exported(code, literal) else ""
    only_users = LiteralUsers(literal, names, outside)
    return Finding(only_users, users[0], lines, also=also)


def users_denied(users: Finding, mistaken: MistakenFunction) -> Finding:
    """Deny who uses a name: another function than the true one is said to be the only one."""
    denied = users.statement.with_members((name_of(mistaken.entity_id),))
    return believed(users, mistaken, denied)


def name_leads(kind: str, module: Module) -> Iterator[Lead]:
    """Yield the names of the outside world that functions of a file look up or store under."""
    uses_seen: Counter[tuple[str, str]] = Counter()
    for literal, use in sorted(literals_in(module), key=lambda found: found[1].line):
        has_effect = use.manner in {"read", "stored"}
        is_handled = has_effect and module.function(use.owner) is not None
        key = (use.owner, literal)
        # What is done with it may stand below a test of it.
        is_among_first = uses_seen[key] < _MOST_USES_TRIED
        if is_handled and noun_of(literal, use.receiver) and is_among_first:
            uses_seen[key] += 1
            yield Lead(kind, use.entity_id, use.line, use.line, literal, "")


def _uses_in(code: CodeContext, literal: str, user: str) -> list[LiteralUse]:
    uses = literal_uses_in(code.snapshot, path_of(user), literal)
    own_uses = [use for use in uses if use.entity_id == user]
    return sorted(own_uses, key=lambda use: use.line)


def _has_other_spelling(code: CodeContext, literal: str) -> bool:
    key = literal.upper().replace("-", "_")
    if key != literal and is_quoted(code.snapshot, key):
        return True
    if is_quoted(code.snapshot, f"HTTP_{key}"):
        return True
    return has_other_spelling(code.snapshot, literal)
