"""Where a string literal stands: a set that is closed only where two derivations agree.

The walk reads syntax trees; the search counts the quoted text in the bytes of the files.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from goldwright.code_reading.modules import Definition, Module, open_module
from goldwright.code_reading.name_uses import is_export
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code

Manner = Literal["read", "stored", "exported", "other"]

# Longer texts are messages and no names.
LONGEST_NAME: Final = 60

_NAME: Final = re.compile(r"[A-Za-z_*.-][\w./*+-]+")
_QUOTED: Final = re.compile(rb"([\"'])([A-Za-z_*.-][\w./*+-]{1,59})\1")
_READERS: Final = re.compile(r"^get\w*$|^pop$|^has_\w+$|^\w+_get$")
_KEPT_BY: Final = frozenset({"setdefault", "set", "add", "append", "set_cookie", "putenv"})


@dataclass(frozen=True, slots=True)
class LiteralUse:
    """One place of a literal.

    Attributes:
        path: The file.
        owner: The qualified name of the innermost function or class around it; a decorator and a
            default belong to what they stand at; empty at the level of the module.
        line: The line, from 1.
        manner: ``read``: something is looked up by it or compared with it. ``stored``: something
            is kept under it. ``exported``: it stands in ``__all__``. ``other``: anything else.
        receiver: The last name of what it is looked up or kept in, as in ``headers``; may be empty.
    """

    path: str
    owner: str
    line: int
    manner: Manner
    receiver: str

    @property
    def entity_id(self) -> str:
        """The id of the definition around it."""
        return f"{self.path}::{self.owner}"


def closed_literal_uses(snapshot: Snapshot, literal: str) -> tuple[LiteralUse, ...] | None:
    """List every use of a literal in product code; None where the two derivations differ."""
    places = literal_uses(snapshot).get(literal, ())
    by_walk = Counter((use.path, use.line) for use in places)
    if by_walk != Counter(_quoted_places(snapshot).get(literal, ())):
        return None
    return tuple(use for use in places if use.manner != "exported")


@lru_cache(maxsize=2)
def literal_uses(snapshot: Snapshot) -> Mapping[str, tuple[LiteralUse, ...]]:
    """Give the places of all literals of product code that are shaped like a name."""
    uses: dict[str, list[LiteralUse]] = {}
    for path in _product_files(snapshot):
        module = open_module(snapshot, path)
        if module is not None:
            for literal, use in literals_in(module):
                uses.setdefault(literal, []).append(use)
    return {literal: tuple(found) for literal, found in uses.items()}


@lru_cache(maxsize=2)
def _quoted_places(snapshot: Snapshot) -> Mapping[str, tuple[tuple[str, int], ...]]:
    places: dict[str, list[tuple[str, int]]] = {}
    for path in _product_files(snapshot):
        for number, line in enumerate(snapshot.data(path).split(b"\n"), start=1):
            for match in _QUOTED.finditer(line):
                places.setdefault(match[2].decode(), []).append((path, number))
    return {literal: tuple(found) for literal, found in places.items()}


def _product_files(snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(path for path in snapshot.files_in("python") if is_product_code(path))


@dataclass(frozen=True, slots=True)
class _Around:
    owner: str
    manner: Manner = "other"
    receiver: str = ""


def literals_in(module: Module) -> Iterator[tuple[str, LiteralUse]]:
    """Yield the literals of a file that are shaped like a name, with what is done with them."""
    pending: list[tuple[ast.AST, _Around]] = [(module.tree, _Around(""))]
    while pending:
        node, around = pending.pop()
        if isinstance(node, ast.Constant):
            literal = _literal(node)
            if literal:
                use = LiteralUse(
                    module.path, around.owner, node.lineno, around.manner, around.receiver
                )
                yield literal, use
            continue
        owner = around.owner
        if isinstance(node, Definition):
            owner = f"{owner}.{node.name}" if owner else node.name
        if around.manner == "exported" or is_export(node):
            pending.extend(
                (child, _Around(owner, "exported")) for child in ast.iter_child_nodes(node)
            )
            continue
        used = _used_by(node, owner)
        children = ast.iter_child_nodes(node)
        pending.extend((child, used.get(id(child), _Around(owner))) for child in children)


def _literal(node: ast.Constant) -> str:
    value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        return ""
    return value if _NAME.fullmatch(value) else ""


def _used_by(node: ast.AST, owner: str) -> dict[int, _Around]:
    """Tell of the literals right below a node what is done with them, by their identity."""
    match node:
        case ast.Subscript(value=value, slice=key):
            is_read = isinstance(node.ctx, ast.Load)
            return {id(key): _Around(owner, "read" if is_read else "stored", last_name(value))}
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=[key, *_]):
            if _READERS.search(method):
                receiver = last_name(value) if method != "getenv" else "environ"
                return {id(key): _Around(owner, "read", receiver)}
            if method in _KEPT_BY:
                return {id(key): _Around(owner, "stored", last_name(value))}
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[container]):
            return {id(left): _Around(owner, "read", last_name(container))}
        case ast.Compare(left=left, comparators=[*others]):
            return {id(side): _Around(owner, "read", last_name(left)) for side in (left, *others)}
        case _:
            pass
    return {}


def last_name(node: ast.AST) -> str:
    """Give the last name of an expression, as ``headers`` for ``self.response.headers``."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Call(func=function):
            return last_name(function)
        case _:
            return ""
