"""The children of a syntax node, and all nodes below it.

Walks over whole codebases spend most of their time here. What ``ast`` offers looks at every field
of a node, and at nodes that only say whether a name is read or written.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

# Fields that hold texts and numbers, or a node that tells nothing of the code below.
_OTHER_FIELDS: Final = frozenset(
    "ctx op ops id attr arg name asname module level kind type_comment n s simple is_async".split()
)

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

# The attribute of a node that holds them, as long as the tree lives.
_CHILDREN: Final = "children_listed"


def child_nodes(node: ast.AST) -> tuple[ast.AST, ...]:
    """List the nodes right below a node, in the order of ``ast.iter_child_nodes``.

    Operators and contexts (``ast.Load`` and the like) are left out. Nobody may change the tree
    afterwards: what was listed once stays with the node, since most nodes are visited five times.
    """
    children: tuple[ast.AST, ...] | None = node.__dict__.get(_CHILDREN)
    if children is None:
        children = node.__dict__[_CHILDREN] = tuple(_children_of(node))
    return children


def _children_of(node: ast.AST) -> list[ast.AST]:
    children: list[ast.AST] = []
    for field in _fields(type(node).__name__):
        value = getattr(node, field, None)
        if type(value) is list:
            children.extend(item for item in value if isinstance(item, ast.AST))
        elif isinstance(value, ast.AST):
            children.append(value)
    return children


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it, in the order of ``ast.walk``."""
    nodes = [root]
    # The list grows while it is read.
    for node in nodes:
        nodes.extend(child_nodes(node))
        yield node


def blocks_of(root: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements at or below a node, in no order that means anything."""
    pending: list[ast.AST] = [root]
    while pending:
        node = pending.pop()
        for field in _BLOCKS:
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                pending.extend(block)
                if isinstance(block[0], ast.stmt):
                    yield block


def blocks_below(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a statement itself, and not of those inside it."""
    for field in _BLOCKS:
        block = getattr(statement, field, None) or []
        for part in block:
            if not isinstance(part, ast.stmt):
                # A clause of a ``try`` or a ``match`` has a block of its own.
                yield part.body
        if block and isinstance(block[0], ast.stmt):
            yield block


def breaks_of(body: Sequence[ast.stmt]) -> Iterator[ast.Break]:
    """Yield the ``break`` statements that leave the loop around a body, and not one inside it."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            yield node
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
            pending.extend(node.orelse)
        elif not isinstance(node, _SCOPES):
            pending.extend(child_nodes(node))


def own_nodes(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of a body, but for what stands in functions and classes inside it."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending.extend(child_nodes(node))


def contains(body: Sequence[ast.stmt], *kinds: type[ast.AST]) -> bool:
    """Find out whether a body holds such a node of its own function."""
    return any(isinstance(node, kinds) for node in own_nodes(body))


def own_tries(body: Sequence[ast.stmt]) -> list[ast.Try | ast.TryStar]:
    """List the ``try`` statements of a body, but for those in functions and classes inside it."""
    return [node for node in own_nodes(body) if isinstance(node, ast.Try | ast.TryStar)]


def name_or_attribute(node: ast.expr) -> str:
    """Give a bare name, or the last word of a dotted one; empty for another expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


# The grammar has about 120 classes of nodes.
@lru_cache(maxsize=256)
def _fields(class_name: str) -> tuple[str, ...]:
    fields: tuple[str, ...] = getattr(ast, class_name)._fields
    if class_name == "TypeAlias":
        # Of all names, that of ``type Name = …`` alone is a node.
        return fields
    return tuple(field for field in fields if field not in _OTHER_FIELDS)
