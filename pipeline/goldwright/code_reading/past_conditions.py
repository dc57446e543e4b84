"""Conditions that were tested before a name in them got another value."""

import ast
from dataclasses import replace

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.given_names import names_given, names_in
from goldwright.path_conditions import Condition, Path


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
