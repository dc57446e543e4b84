"""The raw references of a Python file: what is imported, called, derived from and named, by whom.

One pass over the whole tree with an explicit stack, so that deep nesting costs no recursion. Which
entity a dotted name means is decided later, when every file is known.
"""

import ast
import builtins
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from goldwright.snapshot.file_facts import Definition, FileFacts, ImportedName, Reference

# Nodes are told apart by the identity of their class, which is several times as fast as isinstance;
# the type checker cannot follow that.
Node: TypeAlias = Any

_SELF: Final = frozenset({"self", "cls", "super()"})
_BUILTINS: Final = frozenset(vars(builtins))
_LEAVES: Final = frozenset(
    {
        *(ast.Constant, ast.Load, ast.Store, ast.Del, ast.Pass, ast.Break, ast.Continue),
        *(ast.Global, ast.Nonlocal, ast.MatchSingleton),
    }
)
_TEXT_FIELDS: Final = frozenset(
    {
        *(
            "ctx",
            "op",
            "ops",
            "name",
            "id",
            "attr",
            "arg",
            "type_comment",
            "kind",
            "level",
            "is_async",
        ),
        *("simple", "conversion", "names", "module", "rest", "kwd_attrs", "type_params"),
    }
)
_FIELDS: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    kind: ()
    if kind in _LEAVES
    else tuple(name for name in kind._fields if name not in _TEXT_FIELDS)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


@dataclass(slots=True)
class _OwnerScope:
    """Whose statements are walked: a qualified name, the class around it, and what locals were made
    by.
    """

    owner: str
    klass: str
    made_by: dict[str, str] = field(default_factory=dict)


class ReferenceCollector:
    """Gathers the references of one file; ``known`` are its own top-level names."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = set(known)
        self._has_star = False
        self._imports: list[ImportedName] = []
        self._calls: list[Reference] = []
        self._uses: dict[tuple[str, str], int] = {}
        self._bases: list[Reference] = []
        self._attributes: list[Reference] = []
        self._handlers = {
            ast.Name: self._name,
            ast.Call: self._call,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Assign: self._assignment,
            ast.AnnAssign: self._assignment,
        }

    def collect(self, tree: ast.Module, definitions: tuple[Definition, ...]) -> FileFacts:
        """Walk a module and put what it refers to beside its definitions."""
        self._walk(tree.body, _OwnerScope("", ""))
        uses = tuple(
            Reference(owner, name, line) for (owner, name), line in self._uses.items() if owner
        )
        return FileFacts(
            definitions,
            tuple(self._imports),
            tuple(self._calls),
            uses,
            tuple(self._bases),
            tuple(self._attributes),
        )

    def _walk(self, nodes: Sequence[Node], scope: _OwnerScope) -> None:
        handlers, fields, leaves = self._handlers, _FIELDS, _LEAVES
        stack = list(reversed(nodes))
        while stack:
            node = stack.pop()
            kind = node.__class__
            handler = handlers.get(kind)
            if handler is not None and not handler(node, scope):
                continue
            for name in fields[kind]:
                value = getattr(node, name, None)
                if value.__class__ is list:
                    stack.extend(item for item in reversed(value) if item is not None)
                elif value is not None and value.__class__ not in leaves:
                    stack.append(value)

    # Each handler says whether the children of its node are to be walked in the same scope.

    def _name(self, node: Node, scope: _OwnerScope) -> bool:
        if node.id in self._known:
            self._uses.setdefault((scope.owner, node.id), node.lineno)
        return False

    def _call(self, node: Node, scope: _OwnerScope) -> bool:
        called = dotted(node.func)
        if called is not None:
            head, dot, rest = called.partition(".")
            if dot and head in scope.made_by:
                self._calls.append(
                    Reference(scope.owner, f"({scope.made_by[head]}).{rest}", node.lineno)
                )
            elif self._may_resolve(head, dot):
                self._calls.append(Reference(scope.owner, called, node.lineno))
        return True

    def _may_resolve(self, head: str, dot: str) -> bool:
        """Leave out calls of builtins and of methods of plain locals: no file of the codebase can
        answer for them.
        """
        if head in self._known or self._has_star:
            return True
        return head in _SELF if dot else head not in _BUILTINS

    def _function(self, node: Node, scope: _OwnerScope) -> bool:
        inner = _OwnerScope(_within(scope.owner, node.name), scope.klass)
        defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
        self._walk([*node.decorator_list, *defaults, *node.body], inner)
        return False

    def _class(self, node: Node, scope: _OwnerScope) -> bool:
        name = _within(scope.owner, node.name)
        for base in node.bases:
            written = dotted(base.value if base.__class__ is ast.Subscript else base)
            if written is not None:
                self._bases.append(Reference(name, written, node.lineno))
        self._walk([*node.decorator_list, *node.keywords, *node.body], _OwnerScope(name, name))
        return False

    def _import(self, node: Node, _scope: _OwnerScope) -> bool:
        for one in node.names:
            top = one.name.partition(".")[0]
            self._imports.append(
                ImportedName(one.asname or top, one.name if one.asname else top, "", 0)
            )
            self._known.add(one.asname or top)
        return False

    def _import_from(self, node: Node, _scope: _OwnerScope) -> bool:
        for one in node.names:
            self._imports.append(
                ImportedName(one.asname or one.name, node.module or "", one.name, node.level)
            )
            self._known.add(one.asname or one.name)
            self._has_star = self._has_star or one.name == "*"
        return False

    def _assignment(self, node: Node, scope: _OwnerScope) -> bool:
        target = node.targets[0] if node.__class__ is ast.Assign else node.target
        written = _type_of(node)
        if (
            target.__class__ is ast.Attribute
            and written is not None
            and dotted(target) == f"self.{target.attr}"
        ):
            self._attributes.append(Reference(scope.klass, f"{target.attr}:{written}", node.lineno))
        elif target.__class__ is ast.Name:
            scope.made_by.pop(target.id, None)
            if written is not None:
                scope.made_by[target.id] = written
            if scope.owner == scope.klass and node.value is not None:
                self._bound(node.value, _within(scope.owner, target.id))
        return True

    def _bound(self, value: Node, name: str) -> None:
        """A module- or class-level name refers to what its value names: registries, aliases,
        tables.
        """
        for inner in ast.walk(value):
            if inner.__class__ is ast.Name or inner.__class__ is ast.Attribute:
                written = dotted(inner)
                if written is not None and written.partition(".")[0] in self._known:
                    self._uses.setdefault((name, written), inner.lineno)


def dotted(node: Node) -> str | None:
    """Write a chain of names as ``a.b.c``; ``super()`` may head it; anything else gives ``None``."""
    parts: list[str] = []
    while node.__class__ is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if node.__class__ is ast.Name:
        parts.append(node.id)
    elif node.__class__ is ast.Call and node.func.__class__ is ast.Name and node.func.id == "super":
        parts.append("super()")
    else:
        return None
    parts.reverse()
    return ".".join(parts)


def _within(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner else name


def _type_of(node: Node) -> str | None:
    """The dotted name of the class that an assigned value is annotated with or made by."""
    annotated = dotted(node.annotation) if node.__class__ is ast.AnnAssign else None
    if annotated is not None:
        return annotated
    return dotted(node.value.func) if node.value.__class__ is ast.Call else None
