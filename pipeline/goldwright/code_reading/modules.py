"""Files of a snapshot as syntax trees, with their definitions by name."""

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Final, TypeVar, cast

from goldwright.code_reading.source_text import NodeText
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.file_guard import FileMaterial, guarded
from goldwright.snapshot.garbage import garbage_collection_paused, keep_for_good
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_module
from goldwright.snapshot.recent_values import RecentValues

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef
Derived = TypeVar("Derived")

# Closed sets are looked for all over a codebase: of one that is larger than this, files are parsed
# again and again. A tree takes about 40 times the memory of its file, so this is some 280 MB, next
# to 800 MB of index for 13,500 files of product code: a run over these stays below 1.5 GB.
MOST_CHARACTERS_OF_TREES: Final = 7_000_000

# The fields of syntax nodes in which further statements stand.
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True, slots=True, eq=False)
class Module(FileMaterial):
    """A parsed file.

    Attributes:
        path: Where it is in the codebase.
        tree: Its syntax tree.
        lines: Its lines, without their ends.
        text: Cuts the text of its nodes.
        definitions: Functions and classes by qualified name, as in ``Outer.inner``; the last one
            where a name is defined several times.
        repeated: The names that are defined several times.
        members: The simple names that are defined inside each definition, in file order.
        readings: What was derived from it, by who derives it (see ``reading_of``).
    """

    path: str
    tree: ast.Module
    lines: tuple[str, ...]
    text: NodeText
    definitions: Mapping[str, Definition]
    repeated: frozenset[str]
    members: Mapping[str, Sequence[str]]
    readings: dict[Hashable, object] = field(default_factory=dict, repr=False)

    def function(self, name: str) -> Function | None:
        """Give a function that is defined once; None for a class or another name."""
        node = self.definitions.get(name)
        if isinstance(node, ast.ClassDef) or name in self.repeated:
            return None
        return node

    def class_definition(self, name: str) -> ast.ClassDef | None:
        """Give a class that is defined once; None for a function or another name."""
        node = self.definitions.get(name)
        if not isinstance(node, ast.ClassDef) or name in self.repeated:
            return None
        return node

    def entity_id(self, name: str) -> str:
        """Give the id of what the file defines under a qualified name."""
        return f"{self.path}::{name}"


def name_inside(owner: str, name: str) -> str:
    """Give the qualified name of what is defined inside of something; the module has no name."""
    return f"{owner}.{name}" if owner else name


def reading_of(module: Module, derive: Callable[[Module], Derived]) -> Derived:
    """Derive something from a file once; it is kept as long as the tree of the file."""
    if derive not in module.readings:
        module.readings[derive] = derive(module)
    return cast("Derived", module.readings[derive])


def kept_with_tree(
    derive: Callable[[Module, Function], Derived],
) -> Callable[[Module, Function], Derived]:
    """Derive something from a function once; it is kept as long as the tree of its file.

    A cache of results by functions would hold the trees of as many files.
    """

    @wraps(derive)
    def derived(module: Module, function: Function) -> Derived:
        key = (derive, function)
        if key not in module.readings:
            module.readings[key] = derive(module, function)
        return cast("Derived", module.readings[key])

    return derived


def open_module(codebase: SourceTree, path: str) -> Module | None:
    """Parse a file; None where it is no Python that can be read."""
    return _trees(codebase).open(path)


def read_module(path: str, data: bytes, lines: tuple[str, ...]) -> Module | None:
    """Parse the content of a file; None where it is no Python that can be read."""
    try:
        # The collector would go through all trees that are held, at each of the next ones; no tree
        # has cycles, so it would never find anything there.
        with garbage_collection_paused():
            tree = parse_module(data)
            keep_for_good()
    except UnparsableError:
        return None
    definitions: dict[str, Definition] = {}
    repeated: set[str] = set()
    for name, node in _definitions(tree.body, ""):
        if name in definitions:
            repeated.add(name)
        definitions[name] = node
    members: dict[str, list[str]] = {}
    for name in definitions:
        outer, _, simple_name = name.rpartition(".")
        members.setdefault(outer, []).append(simple_name)
    text = NodeText(lines)
    return Module(path, tree, lines, text, definitions, frozenset(repeated), members)


class _Unreadable:
    """Stands for a file that is no Python that can be read."""


class _Trees:
    """The trees of a codebase that were asked for last."""

    def __init__(self, codebase: SourceTree) -> None:
        self._codebase = codebase
        self._modules = RecentValues[Module | _Unreadable](MOST_CHARACTERS_OF_TREES)

    def open(self, path: str) -> Module | None:
        # What the parser of the index did not survive is not tried here, and what was set aside
        # since is not looked at again.
        if not self._codebase.has_text(path) or path in self._codebase.unparsed:
            return None
        module = self._modules.get(path)
        if module is None:
            module = self._read(path) or _Unreadable()
            size = sum(map(len, module.lines)) if isinstance(module, Module) else 0
            self._modules.put(path, module, size)
        return module if isinstance(module, Module) else None

    def _read(self, path: str) -> Module | None:
        codebase = self._codebase

        def read() -> Module | None:
            return read_module(path, codebase.data(path), codebase.source(path).lines)

        return guarded(codebase, path, "reading its definitions", read, None)


@lru_cache(maxsize=2)
def _trees(codebase: SourceTree) -> _Trees:
    return _Trees(codebase)


def forget_modules() -> None:
    """Let go of all trees that are held; they are parsed again when they are asked for."""
    _trees.cache_clear()


def open_function(codebase: SourceTree, entity_id: str) -> tuple[Module, Function] | None:
    """Find a function by its id; None where the id means none, or several."""
    path, name = split_entity_id(entity_id)
    module = open_module(codebase, path)
    function = module.function(name) if module is not None else None
    if module is None or function is None:
        return None
    return module, function


def _definitions(block: Sequence[ast.AST], prefix: str) -> Iterator[tuple[str, Definition]]:
    """Yield definitions with their qualified names, in blocks of all kinds and inside functions."""
    for node in block:
        if isinstance(node, Definition):
            name = f"{prefix}{node.name}"
            yield name, node
            yield from _definitions(node.body, f"{name}.")
        else:
            for field in _BLOCKS:
                inner = getattr(node, field, None)
                if inner:
                    yield from _definitions(inner, prefix)
