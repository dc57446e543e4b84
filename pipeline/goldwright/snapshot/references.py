"""The raw references of a Python file: what is imported, called, derived from and named, by whom.

One pass over the whole tree with an explicit stack. Which entity a dotted name means is decided
later, when every file is known.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from goldwright.snapshot.facts import Definition, FileFacts, Imported, Reference

_DULL: Final = frozenset(
    {"ctx", "op", "ops", "name", "id", "attr", "arg", "type_comment", "kind", "level", "is_async", "simple", "conversion", "names", "module", "rest", "kwd_attrs", "type_params"}
)
_LEAVES: Final = frozenset({ast.Constant, ast.Load, ast.Store, ast.Del, ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.MatchSingleton})
_FUNCTIONS: Final = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: () if kind in _LEAVES else tuple(field for field in kind._fields if field not in _DULL)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


class Collector:
    """Gathers the references of one file."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = set(known)
        self.imports: list[Imported] = []
        self.calls: list[Reference] = []
        self.uses: dict[tuple[str, str], int] = {}
        self.bases: list[Reference] = []
        self.attributes: list[Reference] = []

    def module(self, tree: ast.Module) -> None:
        self._scope(tree.body, "", "")

    def _scope(self, body: Iterable[ast.AST], owner: str, klass: str) -> None:
        """Walk the statements of a module, class or function, and step into definitions as new owners."""
        local: dict[str, str] = {}
        stack = list(body)
        stack.reverse()
        pop, push = stack.pop, stack.append
        while stack:
            node = pop()
            kind = node.__class__
            if kind is ast.Name:
                if node.id in self._known:
                    self.uses.setdefault((owner, node.id), node.lineno)
                continue
            if kind is ast.Call:
                called = dotted(node.func)
                if called is not None:
                    self.calls.append(Reference(owner, _typed(called, local), node.lineno))
            elif kind in _FUNCTIONS:
                self._function(node, owner, klass)
                continue
            elif kind is ast.ClassDef:
                self._class(node, owner)
                continue
            elif kind is ast.Import or kind is ast.ImportFrom:
                self._import(node)
                continue
            elif kind is ast.Assign or kind is ast.AnnAssign:
                self._assignment(node, owner, klass, local)
            for field in _FIELDS[kind]:
                value = getattr(node, field, None)
                if value.__class__ is list:
                    for item in reversed(value):
                        if item.__class__ not in _LEAVES and item is not None:
                            push(item)
                elif value is not None and value.__class__ not in _LEAVES:
                    push(value)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str, klass: str) -> None:
        name = f"{owner}.{node.name}" if owner else node.name
        arguments = node.args
        self._scope(node.decorator_list, name, klass)
        self._scope([*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)], name, klass)
        self._scope(node.body, name, klass)

    def _class(self, node: ast.ClassDef, owner: str) -> None:
        name = f"{owner}.{node.name}" if owner else node.name
        for base in node.bases:
            written = dotted(base.value if base.__class__ is ast.Subscript else base)
            if written is not None:
                self.bases.append(Reference(name, written, node.lineno))
        self._scope([*node.decorator_list, *node.keywords], name, name)
        self._scope(node.body, name, name)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if node.__class__ is ast.Import:
            for one in node.names:
                top = one.name.partition(".")[0]
                self.imports.append(Imported(one.asname or top, one.name if one.asname else top, "", 0))
        else:
            for one in node.names:
                self.imports.append(Imported(one.asname or one.name, node.module or "", one.name, node.level))
        self._known.update(one.asname or one.name.partition(".")[0] for one in node.names)

    def _assignment(self, node: ast.Assign | ast.AnnAssign, owner: str, klass: str, local: dict[str, str]) -> None:
        target = node.targets[0] if node.__class__ is ast.Assign else node.target
        if target.__class__ is ast.Attribute and klass and dotted(target) == f"self.{target.attr}":
            written = _type_of(node)
            if written is not None:
                self.attributes.append(Reference(klass, f"{target.attr}:{written}", node.lineno))
        elif target.__class__ is ast.Name:
            written = _type_of(node)
            if written is None:
                local.pop(target.id, None)
            else:
                local[target.id] = written
            if owner == klass and (not owner or klass):
                self._registered(node, f"{owner}.{target.id}" if owner else target.id)

    def _registered(self, node: ast.Assign | ast.AnnAssign, name: str) -> None:
        """A module- or class-level name refers to what its value names: registries, aliases, tables."""
        if node.value is None:
            return
        for inner in ast.walk(node.value):
            if inner.__class__ is ast.Name and inner.id in self._known:
                self.uses.setdefault((name, inner.id), inner.lineno)
            elif inner.__class__ is ast.Attribute:
                written = dotted(inner)
                if written is not None:
                    self.uses.setdefault((name, written), inner.lineno)

    def facts(self, definitions: tuple[Definition, ...]) -> FileFacts:
        """Put everything into one value."""
        uses = tuple(Reference(owner, name, line) for (owner, name), line in self.uses.items() if owner)
        return FileFacts(
            definitions, tuple(self.imports), tuple(self.calls), uses, tuple(self.bases), tuple(self.attributes)
        )


def dotted(node: ast.AST) -> str | None:
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


def _type_of(node: ast.Assign | ast.AnnAssign) -> str | None:
    """The dotted name of the class that an assigned value is made by, or annotated with."""
    if node.__class__ is ast.AnnAssign:
        annotated = dotted(node.annotation)
        if annotated is not None:
            return annotated
    value = node.value
    return dotted(value.func) if value.__class__ is ast.Call else None


def _typed(called: str, local: dict[str, str]) -> str:
    """Write ``x.run`` as ``(Runner).run`` when ``x`` was assigned from ``Runner(...)``."""
    head, dot, rest = called.partition(".")
    return f"({local[head]}).{rest}" if dot and head in local else called
