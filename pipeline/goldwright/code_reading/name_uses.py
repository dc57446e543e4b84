"""Where a name is used, by a walk over syntax trees: no resolution, every use counts.

It is the second derivation beside the call graph. The graph resolves names and may overlook a use;
this walk resolves nothing and overlooks none that is written out.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from goldwright.code_reading.child_nodes import child_nodes
from goldwright.code_reading.modules import Definition, Module, name_inside, open_module
from goldwright.code_reading.name_lines import NameLines, lines_with
from goldwright.code_reading.unreachable_lines import unreachable_lines
from goldwright.snapshot.codebase import SourceTree

UseKind = Literal["call", "name", "import", "string"]

# Neighbouring questions ask for the same names; an entry holds a few uses at most.
_SEARCHES_IN_MEMORY: Final = 4096


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
            name and nothing else, as ``getattr`` takes it. ``name``: anything else, a call that
            nothing reaches among it.
    """

    path: str
    owner: str
    line: int
    kind: UseKind

    @property
    def owner_id(self) -> str:
        """The id of that function or class."""
        return f"{self.path}::{self.owner}"


def uses_of(codebase: SourceTree, paths: Iterable[str], name: str) -> Iterator[NameUse]:
    """Yield every use of a simple name in some files; its definitions are no uses.

    A file is parsed when its uses are asked for: whoever has seen enough spares the others.
    """
    for path in paths:
        yield from _uses_in_file(codebase, path, name)


@lru_cache(maxsize=_SEARCHES_IN_MEMORY)
def _uses_in_file(codebase: SourceTree, path: str, name: str) -> tuple[NameUse, ...]:
    module = open_module(codebase, path)
    if module is None:
        return ()
    lines = lines_with(module, name)
    uses: list[NameUse] = []
    for used_name, owner, line, kind in _walk(module.tree, lines):
        if used_name == name:
            is_made = kind != "call" or _is_reached(module, owner, line)
            use_kind: UseKind = kind if is_made else "name"
            uses.append(NameUse(path, owner, line, use_kind))
    return tuple(uses)


def _is_reached(module: Module, owner: str, line: int) -> bool:
    function = module.function(owner)
    return function is None or line not in unreachable_lines(module, function)


_Use = tuple[str, str, int, UseKind]


def is_export(node: ast.AST) -> bool:
    """Check whether a statement lists in ``__all__`` what a module offers."""
    match node:
        case ast.Assign(targets=targets):
            return any(_is_all(target) for target in targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_all(target)
        case _:
            return False


def _is_all(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"


def _walk(root: ast.AST, lines: NameLines) -> Iterator[_Use]:
    pending: list[tuple[ast.AST, str, bool]] = [(root, "", False)]
    while pending:
        node, around, is_called = pending.pop()
        if is_export(node) or not lines.may_stand_in(node):
            # Who is offered a name need not use it.
            continue
        yield from _own_uses(node, around, is_called=is_called)
        if isinstance(node, Definition):
            inner = name_inside(around, node.name)
            body = set(map(id, node.body))
            for child in child_nodes(node):
                owner = inner if id(child) in body else around
                pending.append((child, owner, False))
            continue
        called = node.func if isinstance(node, ast.Call) else None
        pending.extend((child, around, child is called) for child in child_nodes(node))


def _own_uses(node: ast.AST, owner: str, *, is_called: bool) -> Iterator[_Use]:
    kind: UseKind = "call" if is_called else "name"
    match node:
        case ast.Name(id=name) if not isinstance(node.ctx, ast.Store):
            yield name, owner, node.lineno, kind
        case ast.Attribute(attr=name) if not isinstance(node.ctx, ast.Store):
            yield name, owner, node.lineno, kind
        case ast.keyword(arg=str(name)):
            # An argument of that name is another thing; a search of words cannot tell them apart.
            yield name, owner, node.value.lineno, "name"
        case ast.ImportFrom() | ast.Import():
            for alias in node.names:
                name = alias.name.rpartition(".")[2]
                yield name, owner, node.lineno, "import"
                if alias.asname and alias.asname != name:
                    # Under another name its uses cannot be found by this walk.
                    yield name, owner, node.lineno, "name"
        case ast.Constant(value=str(text)) if text.isidentifier():
            yield text, owner, node.lineno, "string"
        case _:
            return
