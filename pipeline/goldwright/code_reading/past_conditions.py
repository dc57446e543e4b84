"""Conditions that held before: a name in them has another value now, or an error came since."""

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from goldwright.code_reading.child_nodes import child_nodes, own_nodes
from goldwright.code_reading.given_names import names_given, names_in
from goldwright.path_conditions import BROAD_ERRORS, Condition, Path

# Whose attributes change; they stay what they are.
_OWNERS: Final = frozenset({"self", "cls"})
_NAME: Final = re.compile(r"[\w.]+")


def behind_changes(path: Path | None, statement: ast.stmt, header: Condition | None) -> Path | None:
    """Give what is known behind a statement that may give the names of conditions other values.

    Args:
        path: The conditions.
        statement: The statement.
        header: The condition of the block that it stands in: who reads ``if x is None: x = 5``
            takes no harm. Any other one would be read of the value that the name has now.
    """
    if path is None:
        return None
    path_now = marked(path, statement)
    for condition, now in zip(path, path_now, strict=True):
        if now.is_past and not condition.is_past and condition is not header:
            return None
    return path_now


def reads_changed_name(path: Path, statement: ast.stmt) -> bool:
    """Check whether a statement speaks of a name of a condition that has another value now.

    Behind ``if not key: key = make()``, that ``save(key)`` is called "unless ``key``" would be read
    of the key that it is given.
    """
    tested = [names_in(condition.code) for condition in path if condition.is_past]
    if not tested:
        return False
    children = child_nodes(statement)
    own_parts = [child for child in children if isinstance(child, ast.expr | ast.withitem)]
    own_code = ", ".join(map(ast.unparse, own_parts))
    spoken_of = names_in(own_code) - _OWNERS
    return not spoken_of.isdisjoint(frozenset().union(*tested))


def behind_catches(path: Path | None, nodes: Sequence[ast.stmt]) -> Path | None:
    """Give what is known behind statements that may catch an error of which it was said to be none.

    That no ``Exception`` was caught would be false of whoever caught a kind of it since, whatever
    became of that.
    """
    tried = [condition for condition in path or () if condition.kind == "no_error"]
    handlers = [node for node in own_nodes(nodes) if isinstance(node, ast.ExceptHandler)]
    caught = {_caught(handler) for handler in handlers}
    is_open = any(may_be_same_error(said.code, error) for said in tried for error in caught)
    return None if is_open else path


def may_be_same_error(said: str, caught: str) -> bool:
    """Check whether an error that was caught may be of the class that is said not to have come.

    Args:
        said: The class, or several in brackets.
        caught: The same of a clause.
    """
    said_names = set(_NAME.findall(said))
    caught_names = set(_NAME.findall(caught))
    if not said_names.isdisjoint(caught_names | BROAD_ERRORS):
        return True
    return not caught_names.isdisjoint(BROAD_ERRORS)


def _caught(handler: ast.ExceptHandler) -> str:
    return ast.unparse(handler.type) if handler.type is not None else "BaseException"


def marked(path: Path, statement: ast.stmt) -> Path:
    """Mark the conditions whose names a statement gives other values."""
    names = names_given(own_nodes([statement])) if path else frozenset()
    if not names:
        return path
    conditions = []
    for condition in path:
        is_past = not names_in(condition.code).isdisjoint(names)
        conditions.append(replace(condition, is_past=True) if is_past else condition)
    return tuple(conditions)
