"""Which ``except`` clause takes an error: classes and their bases, read from ``class`` lines."""

import builtins
import re
from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.token_reading.definitions import TokenCodebase

_NAME: Final = re.compile(r"[\w.]+")
# A chain of bases that is longer than this goes in a circle.
_MOST_BASES: Final = 30


def first_taker(code: TokenCodebase, clauses: Sequence[str], error: str) -> str | None:
    """Give the first of some clauses that takes an error.

    Args:
        code: Where ``class`` lines are looked up.
        clauses: What the clauses catch, as written, in the order in which they are asked.
        error: The class that is raised, as written.

    Returns:
        The clause as written; empty where none takes it, None where that cannot be seen.
    """
    kinds = _kinds(code, error.rpartition(".")[2])
    if kinds is None:
        return None
    for clause in clauses:
        if kinds.intersection(_simple_names(clause)):
            return clause
    return ""


def _kinds(code: TokenCodebase, error: str) -> frozenset[str] | None:
    """Give the simple names of a class and of all classes that it derives from."""
    kinds: set[str] = set()
    pending = [error]
    while pending and len(kinds) < _MOST_BASES:
        name = pending.pop()
        if name in kinds:
            continue
        kinds.add(name)
        bases = _bases(code, name)
        if bases is None:
            return None
        pending.extend(bases)
    return frozenset(kinds)


def _bases(code: TokenCodebase, name: str) -> list[str] | None:
    value = getattr(builtins, name, None)
    if isinstance(value, type):
        return [base.__name__ for base in value.__bases__]
    headers = code.class_headers(name)
    if headers is None:
        return None
    if not headers:
        # A class of another distribution is an error, and more is not known of it.
        return ["Exception"]
    if len(headers) > 1:
        return None
    header = headers[0].line.line
    _, _, inside = header.code.partition("(")
    return _simple_names(inside)


def _simple_names(code: str) -> list[str]:
    names = _NAME.findall(code)
    return [name.rpartition(".")[2] for name in names]
