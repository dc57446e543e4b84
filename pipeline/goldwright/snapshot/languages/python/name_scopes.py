"""The scopes of Python code as libcst reads it, and the local names that each binds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import libcst as cst

# Nodes are told apart by their class, through tables that the type checker cannot follow.
CstNode: TypeAlias = Any

COMPREHENSIONS: Final = (cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp)

# The field in which a node holds what it binds.
_BINDING_FIELDS: Final[dict[type[cst.CSTNode], str]] = {
    cst.AnnAssign: "target",
    cst.AsName: "name",
    cst.AssignTarget: "target",
    cst.AugAssign: "target",
    cst.ClassDef: "name",
    cst.CompFor: "target",
    cst.Del: "target",
    cst.For: "target",
    cst.FunctionDef: "name",
    cst.MatchAs: "name",
    cst.MatchMapping: "rest",
    cst.MatchStar: "name",
    cst.NamedExpr: "target",
    cst.Param: "name",
    cst.TypeAlias: "name",
    cst.TypeVar: "name",
}


# Two scopes with the same names are two: they are compared by identity.
@dataclass(frozen=True, eq=False)
class NameScope:
    """A function, lambda, comprehension or class.

    Attributes:
        parent: The scope around it; None for the outermost, which stands for the whole module.
        names: The local names it binds.
        plain_names: Names that stay as they are: those of a class, and those that a function
            declares global.
        is_class: Whether it is the scope of a class.
        numbers: The local names that were met, in all scopes of one text, with their numbers.
    """

    parent: "NameScope | None" = None
    names: frozenset[str] = frozenset()
    plain_names: frozenset[str] = frozenset()
    is_class: bool = False
    numbers: dict[tuple["NameScope", str], int] = field(default_factory=dict)

    def number(self, name: str) -> int | None:
        """Number a local name by its first appearance; None for any other name."""
        scope: NameScope | None = self
        while scope is not None and name not in scope.plain_names:
            if name in scope.names:
                next_number = len(self.numbers)
                return self.numbers.setdefault((scope, name), next_number)
            scope = scope.parent
        return None

    def open_inner(self, names: Iterable[str], plain_names: Iterable[str] = ()) -> "NameScope":
        """Open a scope in this one."""
        # What stands in a class does not see the names of the class.
        parent = self
        if self.is_class and self.parent is not None:
            parent = self.parent
        return NameScope(parent, frozenset(names), frozenset(plain_names), numbers=self.numbers)

    def open_function(self, function: CstNode) -> "NameScope":
        """Open the scope of a function or lambda, inside that of its type parameters if any."""
        bound = _bound_names(function.params, function.body)
        type_parameters = getattr(function, "type_parameters", None)
        type_names = _bound_names(type_parameters).local
        outer = self
        if type_names:
            outer = self.open_inner(type_names)
        names = bound.local - bound.declared_global - bound.declared_nonlocal
        return outer.open_inner(names, plain_names=bound.declared_global)

    def open_class(self, definition: CstNode) -> "NameScope":
        """Open the scope of a class."""
        names = _bound_names(definition.body).local
        return NameScope(self, plain_names=frozenset(names), is_class=True, numbers=self.numbers)

    def open_comprehension(self, comprehension: CstNode) -> "NameScope":
        """Open the scope of a comprehension with the targets of all its loops."""
        names: set[str] = set()
        loop = comprehension.for_in
        while loop is not None:
            names.update(_target_names(loop.target))
            loop = loop.inner_for_in
        return self.open_inner(names)


@dataclass(frozen=True, slots=True)
class _BoundNames:
    """The names that code binds in its own scope or declares to be of another one."""

    local: set[str] = field(default_factory=set)
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)


def dotted_import(node: CstNode) -> str:
    """Write the name of an imported module or object as ``a.b.c``."""
    if isinstance(node, cst.Attribute):
        package = dotted_import(node.value)
        return f"{package}.{node.attr.value}"
    return str(node.value)


def _bound_names(*nodes: CstNode) -> _BoundNames:
    bound = _BoundNames()
    for node, is_in_comprehension in _nodes_in_scope(nodes):
        kind = type(node)
        if kind is cst.Global:
            bound.declared_global.update(_declared_names(node))
        elif kind is cst.Nonlocal:
            bound.declared_nonlocal.update(_declared_names(node))
        elif kind is cst.ImportAlias and node.asname is None:
            top_level = dotted_import(node.name).partition(".")[0]
            bound.local.add(top_level)
        elif kind in _BINDING_FIELDS and (kind is cst.NamedExpr or not is_in_comprehension):
            # Of a comprehension only the walrus binds outside of it.
            target = getattr(node, _BINDING_FIELDS[kind])
            bound.local.update(_target_names(target))
    return bound


def _nodes_in_scope(nodes: Iterable[CstNode]) -> Iterator[tuple[CstNode, bool]]:
    """Walk over nodes, but not into definitions and lambdas.

    Yields:
        Each node, and whether it stands in a comprehension.
    """
    stack = [(node, False) for node in nodes if node is not None]
    while stack:
        node, is_in_comprehension = stack.pop()
        yield node, is_in_comprehension
        if not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda):
            is_inside = is_in_comprehension or isinstance(node, COMPREHENSIONS)
            stack.extend((child, is_inside) for child in node.children)


def _declared_names(declaration: CstNode) -> Iterator[str]:
    for item in declaration.names:
        yield item.name.value


def _target_names(target: CstNode) -> Iterator[str]:
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from _target_names(element.value)
