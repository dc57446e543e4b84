"""The nodes of ``ast`` as the readers of this package meet them."""

import ast
from typing import Any, Final, TypeAlias

# Nodes are told apart by the identity of their class, which is several times as fast as isinstance;
# the type checker cannot follow that.
Node: TypeAlias = Any

FUNCTIONS: Final = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
DEFINITIONS: Final = FUNCTIONS | {ast.ClassDef}
# Before Python 3.12 there is no such node, and a ``type`` statement is rewritten as an assignment.
TYPE_ALIAS: Final = getattr(ast, "TypeAlias", None)
STATEMENT_LISTS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields in which statements stand, whatever the node."""


# Code that people write has names of a dozen parts. A chain of 20,000 would be written out at each
# of its parts.
MOST_PARTS_OF_A_NAME: Final = 64


def dotted_name(node: Node) -> str | None:
    """Write a chain of names as ``a.b.c``; it may begin with ``super()``.

    Returns:
        The chain, or None for any other expression, and for more than ``MOST_PARTS_OF_A_NAME``.
    """
    parts: list[str] = []
    while node.__class__ is ast.Attribute:
        if len(parts) == MOST_PARTS_OF_A_NAME:
            return None
        parts.append(node.attr)
        node = node.value
    if node.__class__ is ast.Name:
        parts.append(node.id)
    elif _is_super_call(node):
        parts.append("super()")
    else:
        return None
    parts.reverse()
    return ".".join(parts)


def _is_super_call(node: Node) -> bool:
    if node.__class__ is not ast.Call or node.func.__class__ is not ast.Name:
        return False
    is_super: bool = node.func.id == "super"
    return is_super
