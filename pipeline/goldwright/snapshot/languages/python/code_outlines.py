"""Python definitions in outline: what the same code must share, whatever its names and layout.

An outline is read with ``ast`` alone. Definitions are sorted by the skeleton of their statements,
which is found on the way, and then by a fingerprint of what they do.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot.languages.python.syntax_nodes import (
    DEFINITIONS,
    FUNCTIONS,
    STATEMENT_LISTS,
    Node,
)

_SCOPE_DECLARATIONS: Final = frozenset({ast.Global, ast.Nonlocal})
_CONTEXTS: Final = frozenset({ast.Load, ast.Store, ast.Del})
# Nodes that the same code may have more or fewer of.
_INSIGNIFICANT: Final = _CONTEXTS | _SCOPE_DECLARATIONS
# Annotations may be quoted or not without a difference to the code.
_ANNOTATIONS: Final = frozenset({"annotation", "returns"})


@dataclass(frozen=True, slots=True)
class CodeOutline:
    """An entity as its definitions, overloads left out.

    Attributes:
        nodes: The definitions in file order.
        skeleton: A hash of the kinds and nesting of their statements; it holds for this process.
    """

    nodes: tuple[Node, ...]
    skeleton: int

    @property
    def weight(self) -> int:
        """How many syntax nodes the bodies have, stubs not counted."""
        return sum(map(_weight, self.nodes))

    def fingerprint(self) -> int:
        """Sum up the words, values and kinds of nodes, whatever their order."""
        total = 0
        for node in self.nodes:
            for feature in _features(node):
                total += hash(feature)
        return total


def outline_module(module: ast.Module) -> Mapping[str, CodeOutline]:
    """Outline the functions, methods and classes of a module by their qualified names.

    Raises:
        RecursionError: The statements are nested too deeply.
    """
    collector = _OutlineCollector()
    collector.skeleton_of(module.body, prefix="")
    return collector.outlines()


class _OutlineCollector:
    """Hashes skeletons from the inside out, and keeps those of definitions."""

    def __init__(self) -> None:
        self._nodes: dict[str, list[Node]] = defaultdict(list)
        self._skeletons: dict[str, list[int]] = defaultdict(list)

    def outlines(self) -> dict[str, CodeOutline]:
        outlines: dict[str, CodeOutline] = {}
        for name, nodes in self._nodes.items():
            skeleton = hash(tuple(self._skeletons[name]))
            outlines[name] = CodeOutline(tuple(nodes), skeleton)
        return outlines

    def skeleton_of(self, statements: Sequence[Node], *, prefix: str) -> int:
        parts: list[object] = []
        for node in statements:
            kind = node.__class__
            if kind in DEFINITIONS:
                parts.append(self._skeleton_of_definition(node, prefix))
            elif kind not in _SCOPE_DECLARATIONS:
                parts.append(self._skeleton_of_statement(node, prefix))
        return hash(tuple(parts))

    def _skeleton_of_definition(self, node: Node, prefix: str) -> int:
        name = f"{prefix}{node.name}"
        statements = _without_docstring(node)
        body = self.skeleton_of(statements, prefix=f"{name}.")
        decorators = len(node.decorator_list)
        skeleton = hash((node.__class__, decorators, body))
        if not _is_overload(node):
            self._nodes[name].append(node)
            self._skeletons[name].append(skeleton)
        return skeleton

    def _skeleton_of_statement(self, node: Node, prefix: str) -> tuple[object, ...]:
        parts: list[object] = [node.__class__]
        for name in STATEMENT_LISTS:
            statements = getattr(node, name, None)
            if statements:
                parts += [name, self.skeleton_of(statements, prefix=prefix)]
        return tuple(parts)


def _without_docstring(node: Node) -> list[Node]:
    """Give the statements of a definition without its docstring."""
    statements: list[Node] = node.body
    if ast.get_docstring(node, clean=False) is None:
        return statements
    return statements[1:]


def _is_overload(node: Node) -> bool:
    for decorator in node.decorator_list:
        name = getattr(decorator, "id", "")
        if getattr(decorator, "attr", name) == "overload":
            return True
    return False


def _weight(node: Node) -> int:
    kind = node.__class__
    if kind not in DEFINITIONS:
        return sum(1 for _ in _significant_nodes(node))
    statements = _without_docstring(node)
    if kind in FUNCTIONS and all(map(_is_stub, statements)):
        return 0
    return sum(map(_weight, statements))


def _is_stub(statement: Node) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id="NotImplementedError")):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
    return False


def _features(node: Node) -> Iterator[object]:
    """Yield what the same code has in common: no names, for those may differ."""
    for inner in _significant_nodes(node):
        match inner:
            case ast.Attribute(attr=word) | ast.keyword(arg=word):
                yield word
            case ast.Constant(value=value):
                yield repr(value)
            case _:
                yield inner.__class__


def _significant_nodes(node: Node) -> Iterator[Node]:
    """Walk over a node and those inside it, annotations and docstrings left out."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.__class__ not in _INSIGNIFICANT:
            yield inner
            stack.extend(_children(inner))


def _children(node: Node) -> Iterator[Node]:
    for name in node._fields:
        value = getattr(node, name, None)
        if name == "body" and node.__class__ in DEFINITIONS:
            yield from _without_docstring(node)
        elif name in _ANNOTATIONS:
            continue
        elif value.__class__ is list:
            # A list may hold gaps (keyword-only arguments without defaults) and plain names.
            yield from (item for item in value if isinstance(item, ast.AST))
        elif isinstance(value, ast.AST):
            yield value
