"""Entities that are the same code under other names, layouts or docstrings.

The whole codebase is read with ``ast`` alone: definitions are sorted by the skeleton of their
statements, and those with a skeleton that was asked for by a fingerprint of what they do. Only what
shares both with another is read by libcst, which takes a hundred times as long.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import Entity, entity_id, split_entity_id
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.python.bodies import dedented, normal_form
from goldwright.snapshot.python.parsing import UnparsableError, parse_module

# Below this many syntax nodes in the body, code is alike because there is hardly another way to
# write it: in four codebases, constructors that store their arguments, representations and
# factories of two lines.
FEWEST_NODES: Final = 18

PYTHON_SUFFIXES: Final = (".py", ".pyi")

# Nodes are told apart by the identity of their class; the type checker cannot follow that.
Node: TypeAlias = Any

_DEFINITIONS: Final = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_STATEMENT_LISTS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
_SCOPINGS: Final = frozenset({ast.Global, ast.Nonlocal})
_OVERLOAD: Final = re.compile(r"^@(?:\w+\.)*overload\b", re.MULTILINE)
_UNTOLD: Final = frozenset({ast.Load, ast.Store, ast.Del, ast.Global, ast.Nonlocal})


def same_code(snapshot: SourceTree, entity_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Give for each entity that has clones the other entities of the same normal form, sorted.

    Only functions, methods and classes have clones. Stubs and short code have none, nor do the
    overloads of a function count as code; an entity and what stands inside it are no clones of each
    other.

    Args:
        snapshot: The codebase.
        entity_ids: The entities to find clones of; those that have none are left out of the result.
    """
    asked = sorted(set(entity_ids))
    with garbage_collection_paused():
        alike = _alike(snapshot, asked)
    forms: dict[str, str | None] = {}
    found: dict[str, tuple[str, ...]] = {}
    for one in asked:
        others = [
            other
            for other in alike.get(one, ())
            if not _is_inside(one, other) and not _is_inside(other, one)
        ]
        for each in (one, *others) if others else ():
            if each not in forms:
                forms[each] = _form(snapshot, each)
        same = tuple(
            other for other in others if forms[one] is not None and forms[other] == forms[one]
        )
        if same:
            found[one] = same
    return found


def _python_files(codebase: SourceTree) -> tuple[str, ...]:
    return tuple(path for path in codebase.source_files if path.endswith(PYTHON_SUFFIXES))


def _is_inside(inner: str, outer: str) -> bool:
    return inner.startswith(f"{outer}.")


def _alike(snapshot: SourceTree, asked: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Map each asked entity that is more than trivial to all others of its skeleton and
    fingerprint, sorted.
    """
    wanted = set(asked)
    asked_files = sorted({split_entity_id(one)[0] for one in asked} & set(_python_files(snapshot)))
    skeletons = {
        outline.skeleton
        for path in asked_files
        for name, outline in _outlines(snapshot, path).items()
        if entity_id(path, name) in wanted
    }
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    for path in _python_files(snapshot) if skeletons else ():
        for name, outline in _outlines(snapshot, path).items():
            if outline.skeleton in skeletons and outline.weight >= FEWEST_NODES:
                groups[outline.skeleton, outline.fingerprint()].append(entity_id(path, name))
    return {
        one: sorted({*group} - {one}) for group in groups.values() for one in group if one in wanted
    }


@dataclass(frozen=True, slots=True)
class _CodeOutline:
    """An entity as its definitions, overloads left out."""

    nodes: tuple[Node, ...]
    skeleton: int

    @property
    def weight(self) -> int:
        """How many syntax nodes its bodies have, stubs not counted."""
        return sum(map(_weight, self.nodes))

    def fingerprint(self) -> int:
        """Sum up what must be alike in the same code, whatever its order."""
        return sum(hash(told) for node in self.nodes for told in _told(node))


def _outlines(snapshot: SourceTree, path: str) -> dict[str, _CodeOutline]:
    """Outline the functions, methods and classes of a file by qualified name; none where ast can
    not read it.
    """
    if path in snapshot.unparsed:
        return {}
    found: dict[str, list[tuple[Node, int]]] = defaultdict(list)
    try:
        _collect(parse_module(snapshot.data(path)).body, "", found)
    except (UnparsableError, RecursionError):
        return {}
    return {
        name: _CodeOutline(
            tuple(node for node, _ in pairs), hash(tuple(skeleton for _, skeleton in pairs))
        )
        for name, pairs in found.items()
    }


def _collect(body: Sequence[Node], prefix: str, found: dict[str, list[tuple[Node, int]]]) -> int:
    """Hash the skeleton of a list of statements, and collect the definitions in it."""
    parts: list[object] = []
    for node in body:
        kind = node.__class__
        if kind in _DEFINITIONS:
            parts.append(_collect_definition(node, prefix, found))
        elif kind not in _SCOPINGS:
            lists = (getattr(node, name, None) for name in _STATEMENT_LISTS)
            inner = [_collect(one, prefix, found) if one else 0 for one in lists]
            parts.append((kind, *inner))
    return hash(tuple(parts))


def _collect_definition(node: Node, prefix: str, found: dict[str, list[tuple[Node, int]]]) -> int:
    name = f"{prefix}{node.name}"
    skeleton = hash(
        (node.__class__, len(node.decorator_list), _collect(_code(node), f"{name}.", found))
    )
    if not _is_overload(node):
        found[name].append((node, skeleton))
    return skeleton


def _code(node: Node) -> list[Node]:
    """Give the statements of a definition without its docstring."""
    return (
        list(node.body[1:]) if ast.get_docstring(node, clean=False) is not None else list(node.body)
    )


def _is_overload(node: Node) -> bool:
    return any(
        getattr(one, "attr", getattr(one, "id", "")) == "overload" for one in node.decorator_list
    )


def _weight(node: Node) -> int:
    kind = node.__class__
    if kind is ast.ClassDef:
        return sum(map(_weight, _code(node)))
    if kind in _DEFINITIONS:
        return 0 if all(map(_is_stub, _code(node))) else sum(map(_weight, _code(node)))
    return sum(1 for _ in _walk(node))


def _is_stub(statement: Node) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(
            exc=ast.Name(id="NotImplementedError")
            | ast.Call(func=ast.Name(id="NotImplementedError"))
        ):
            return True
    return False


def _walk(node: Node) -> Iterator[Node]:
    """Walk over the nodes that tell something: no annotations, whose quotes do not matter, and no
    docstrings.
    """
    stack = [node]
    while stack:
        one = stack.pop()
        if one.__class__ in _UNTOLD:
            continue
        yield one
        for name in one._fields:
            value = getattr(one, name, None)
            if name == "body" and one.__class__ in _DEFINITIONS:
                stack.extend(_code(one))
            elif name in {"annotation", "returns"}:
                continue
            elif value.__class__ is list:
                stack.extend(each for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST):
                stack.append(value)


def _told(node: Node) -> Iterator[object]:
    for one in _walk(node):
        match one:
            case ast.Attribute(attr=word) | ast.keyword(arg=word):
                yield word
            case ast.Constant(value=value):
                yield repr(value)
            case _:
                yield one.__class__


def _form(snapshot: SourceTree, identifier: str) -> str | None:
    entity = snapshot.entity(identifier)
    if entity is None:
        return None
    in_class = entity.kind == "method" or (
        entity.kind == "class" and _stands_in_class(snapshot, entity)
    )
    lines = snapshot.source(entity.path).lines
    spans = _without_overloads(snapshot, entity).spans
    text = "\f\n".join(dedented(lines[span.first - 1 : span.last]) for span in spans)
    return normal_form(text, in_class=in_class)


def _stands_in_class(snapshot: SourceTree, entity: Entity) -> bool:
    parent = (
        snapshot.entity(entity_id(entity.path, entity.parent_name)) if entity.parent_name else None
    )
    return parent is not None and parent.kind == "class"


def _without_overloads(snapshot: SourceTree, entity: Entity) -> Entity:
    """Leave out the spans that only declare an overload; decorators are all that starts a body at
    its margin.
    """
    lines = snapshot.source(entity.path).lines
    spans = tuple(
        span
        for span in entity.spans
        if not _OVERLOAD.search(dedented(lines[span.first - 1 : span.last]))
    )
    return replace(entity, spans=spans)
