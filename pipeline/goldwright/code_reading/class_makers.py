"""Who makes objects of a class: closed only where every other use of its name is harmless."""

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.code_reading.child_nodes import child_nodes
from goldwright.code_reading.modules import Definition, Function, name_inside, open_module
from goldwright.code_reading.name_lines import NameLines, lines_with
from goldwright.code_reading.name_uses import is_export
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# Functions of ``copy`` and ``dataclasses`` that give another object of the same class.
_COPIES: Final[frozenset[str]] = frozenset({"copy", "deepcopy", "replace"})
# The bases of a class are asked about again with each of its subclasses.
_CLASSES_IN_MEMORY: Final = 1024


def closed_makers(
    snapshot: Snapshot, class_id: str, files: Collection[str]
) -> tuple[str, ...] | None:
    """Give the functions that make objects of a class; None where these may not be all.

    A subclass makes objects of it too, and so may whoever gets the class handed, and a method that
    calls ``cls`` or ``type(self)``: each leaves the set open. Annotations and checks of a type do
    not.

    Args:
        snapshot: The codebase.
        class_id: The class.
        files: The files in which its simple name stands; makers in other files do not count.
    """
    if makes_its_own_kind(snapshot, class_id):
        return None
    _, qualified_name = split_entity_id(class_id)
    name = qualified_name.rpartition(".")[2]
    by_graph: set[str] = set()
    for site in snapshot.graph.callers(class_id):
        if split_entity_id(site.entity_id)[0] in files:
            by_graph.add(site.entity_id)
    by_walk: dict[str, None] = {}
    for path in files:
        module = open_module(snapshot, path)
        if module is None:
            return None
        for owner, is_made in _Search(name, lines_with(module, name)).uses(module.tree, ""):
            maker = f"{path}::{owner}"
            if not is_made or snapshot.entity(maker) is None:
                return None
            by_walk[maker] = None
    return tuple(by_walk) if set(by_walk) == by_graph else None


@dataclass(frozen=True, slots=True)
class _Search:
    name: str
    lines: NameLines

    def uses(self, node: ast.AST, owner: str) -> Iterator[tuple[str, bool]]:
        """Yield the uses that matter: where the name is called, and where it is handed on."""
        if not self.lines.may_stand_in(node):
            return
        if isinstance(node, ast.Call) and _means(node.func, self.name):
            yield owner, True
            arguments = [*node.args, *node.keywords]
            yield from self._uses_inside(arguments, owner)
            return
        if isinstance(node, ast.Call) and _is_check(node):
            yield from self._uses_inside(node.args[:1], owner)
            return
        if _is_handed_on(node, self.name):
            yield owner, False
        if isinstance(node, Definition):
            inner = name_inside(owner, node.name)
            yield from self._uses_inside(node.body, inner)
            outside = node.bases if isinstance(node, ast.ClassDef) else _defaults(node)
            around_body = [*node.decorator_list, *outside]
            yield from self._uses_inside(around_body, owner)
            return
        yield from self._uses_inside(_parts(node), owner)

    def _uses_inside(self, nodes: Iterable[ast.AST], owner: str) -> Iterator[tuple[str, bool]]:
        for node in nodes:
            yield from self.uses(node, owner)


def _defaults(function: Function) -> list[ast.expr]:
    named = [default for default in function.args.kw_defaults if default is not None]
    return [*function.args.defaults, *named]


def makes_its_own_kind(snapshot: Snapshot, class_id: str) -> bool:
    """Check whether a class or a base of it makes objects of whatever class it is called on."""
    waiting, seen = [class_id], {class_id}
    while waiting:
        current = waiting.pop()
        path, name = split_entity_id(current)
        module = open_module(snapshot, path)
        node = module.definitions.get(name) if module is not None else None
        if node is not None and _calls_own_class(node):
            return True
        bases = snapshot.graph.bases(current)
        new = [base for base in bases if base not in seen]
        seen.update(new)
        waiting.extend(new)
    return False


@lru_cache(maxsize=_CLASSES_IN_MEMORY)
def _calls_own_class(definition: Definition) -> bool:
    """Find out whether anything inside a class calls the class by no name."""
    calls = (inner for inner in ast.walk(definition) if isinstance(inner, ast.Call))
    return any(map(_is_own_class, calls))


def _is_own_class(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id="cls") | ast.Attribute(attr="__class__"):
            return True
        case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
            return True
        # A copy is another object of the class.
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in _COPIES:
            copied = call.args[0] if call.args else None
            return isinstance(copied, ast.Name) and copied.id == "self"
        case _:
            return False


def _parts(node: ast.AST) -> Iterable[ast.AST]:
    """Give the parts of a node in which a class can be handed on; annotations are none."""
    match node:
        case _ if is_export(node):
            return []
        case ast.AnnAssign(value=value):
            return [value] if value is not None else []
        case ast.ExceptHandler(body=body):
            return body
        case _:
            return child_nodes(node)


def _is_handed_on(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name() | ast.Attribute():
            return _means(node, name)
        case ast.Constant(value=value):
            return value == name
        case ast.alias(name=imported, asname=str(own_name)):
            # Under another name its uses cannot be found by this walk.
            return own_name != name and imported.rpartition(".")[2] == name
        case _:
            return False


def _means(node: ast.expr, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == name
    return isinstance(node, ast.Name) and node.id == name


def _is_check(call: ast.Call) -> bool:
    called = call.func
    return isinstance(called, ast.Name) and called.id in {"isinstance", "issubclass", "cast"}
