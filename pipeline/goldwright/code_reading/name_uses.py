"""Where a name is used, by a walk over syntax trees: no resolution, every use counts.

It is the second derivation beside the call graph. The graph resolves names and may overlook a use;
this walk resolves nothing and overlooks none that is written out.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from goldwright.code_reading.modules import Definition, open_module
from goldwright.snapshot.codebase import SourceTree

UseKind = Literal["call", "name", "import", "string"]

_FILES_IN_MEMORY: Final = 256


@dataclass(frozen=True, slots=True)
class NameUse:
    """One use of a name.

    Attributes:
        path: The file.
        owner: The qualified name of the innermost function or class around it; empty at the level
            of the module. A decorator, a default and a base class belong to what is around the
            definition.
        line: The line, from 1.
        kind: ``call``: it is called. ``import``: it is imported. ``string``: a string holds the
            name and nothing else, as ``getattr`` takes it. ``name``: anything else.
    """

    path: str
    owner: str
    line: int
    kind: UseKind


def uses_of(codebase: SourceTree, paths: Collection[str], name: str) -> tuple[NameUse, ...]:
    """List every use of a simple name in some files; its definitions are no uses."""
    uses: list[NameUse] = []
    for path in paths:
        uses.extend(_uses_by_name(codebase, path).get(name, ()))
    return tuple(uses)


@lru_cache(maxsize=_FILES_IN_MEMORY)
def _uses_by_name(codebase: SourceTree, path: str) -> Mapping[str, tuple[NameUse, ...]]:
    module = open_module(codebase, path)
    uses: dict[str, list[NameUse]] = {}
    if module is not None:
        for name, owner, line, kind in _walk(module.tree, ""):
            uses.setdefault(name, []).append(NameUse(path, owner, line, kind))
    return {name: tuple(found) for name, found in uses.items()}


_Use = tuple[str, str, int, UseKind]


def is_export(node: ast.AST) -> bool:
    """Find out whether a statement lists in ``__all__`` what a module offers."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return isinstance(node, ast.stmt) and any(
        isinstance(target, ast.Name) and target.id == "__all__" for target in targets
    )


def _walk(root: ast.AST, owner: str) -> Iterator[_Use]:
    pending: list[tuple[ast.AST, str, bool]] = [(root, owner, False)]
    while pending:
        node, around, is_called = pending.pop()
        if is_export(node):
            # Who is offered a name need not use it.
            continue
        yield from _own_uses(node, around, is_called=is_called)
        if isinstance(node, Definition):
            inner = f"{around}.{node.name}" if around else node.name
            body = set(map(id, node.body))
            pending.extend(
                (child, inner if id(child) in body else around, False)
                for child in ast.iter_child_nodes(node)
            )
            continue
        called = node.func if isinstance(node, ast.Call) else None
        pending.extend((child, around, child is called) for child in ast.iter_child_nodes(node))


def _own_uses(node: ast.AST, owner: str, *, is_called: bool) -> Iterator[_Use]:
    kind: UseKind = "call" if is_called else "name"
    match node:
        case ast.Name(id=name) if not isinstance(node.ctx, ast.Store):
            yield name, owner, node.lineno, kind
        case ast.Attribute(attr=name) if not isinstance(node.ctx, ast.Store):
            yield name, owner, node.lineno, kind
        case ast.ImportFrom() | ast.Import():
            for alias in node.names:
                yield alias.name.rpartition(".")[2], owner, node.lineno, "import"
                if alias.asname and alias.asname != alias.name.rpartition(".")[2]:
                    # Under another name its uses cannot be found by this walk.
                    yield alias.name.rpartition(".")[2], owner, node.lineno, "name"
        case ast.Constant(value=str(text)) if text.isidentifier():
            yield text, owner, node.lineno, "string"
        case _:
            return
