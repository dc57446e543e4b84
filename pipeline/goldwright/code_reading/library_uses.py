"""Where names of a library are used: a set that is closed only where two derivations agree.

One follows the imports of each file. The other follows nothing: every word of that name counts.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from goldwright.code_reading.child_nodes import child_nodes, walk
from goldwright.code_reading.modules import Definition, Module, name_inside, open_module, reading_of
from goldwright.code_reading.name_files import product_files_with, stands_in_other_code
from goldwright.code_reading.name_uses import uses_of
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import product_code_among
from goldwright.snapshot.word_files import files_with


@dataclass(frozen=True, slots=True)
class LibraryUse:
    """One use of a name of a library.

    Attributes:
        name: The name as the library has it, as in ``subprocess.Popen``.
        path: The file.
        owner: The qualified name of the innermost function or class around it; a decorator and a
            default belong to what is around the definition; empty at the level of the module.
        line: The line, from 1.
    """

    name: str
    path: str
    owner: str
    line: int

    @property
    def entity_id(self) -> str:
        """The id of the definition around it."""
        return f"{self.path}::{self.owner}"


def closed_library_uses(
    snapshot: Snapshot, names: Collection[str]
) -> tuple[LibraryUse, ...] | None:
    """List every use of some names of libraries in product code.

    Returns:
        The uses, in the order of the files and lines; None where nobody can say that these are all:
        a name is imported and not used, so that another file may take it from there, or another
        thing bears a name that is used.
    """
    files: dict[str, None] = {}
    for name in sorted(names):
        paths = _files_of(snapshot, name)
        if paths is None:
            return None
        files.update(dict.fromkeys(paths))
    uses: list[LibraryUse] = []
    for path in sorted(files):
        module = open_module(snapshot, path)
        reading = None if module is None else reading_of(module, _library_reading)
        if reading is None or not reading.lent.isdisjoint(names):
            return None
        uses.extend(use for use in reading.uses if use.name in names)
    return tuple(uses) if _are_unmistakable(snapshot, uses) else None


def is_unused(snapshot: Snapshot, name: str) -> bool:
    """Check whether no product code has the last word of a name, but for imports."""
    simple_name = name.rpartition(".")[2]
    files = product_files_with(snapshot, simple_name)
    if files is None:
        return False
    uses = uses_of(snapshot, files, simple_name)
    return all(use.kind == "import" for use in uses)


def library_uses_in(module: Module) -> tuple[LibraryUse, ...]:
    """List what a file uses of what it imports, from its first line to its last."""
    reading = reading_of(module, _library_reading)
    return () if reading is None else reading.uses


def _files_of(snapshot: Snapshot, name: str) -> tuple[str, ...] | None:
    """Give the product files that may use a name of a library; None for too many to look at."""
    module, _, simple_name = name.rpartition(".")
    if stands_in_other_code(snapshot, simple_name):
        return None
    # A use stands in the file of its import.
    module_name = module.rpartition(".")[2]
    holding = [files_with(snapshot, word) for word in (simple_name, module_name)]
    known_paths = [paths for paths in holding if paths is not None]
    if not known_paths:
        return None
    in_all = set(known_paths[0]).intersection(*known_paths[1:])
    in_order = [path for path in known_paths[0] if path in in_all]
    return product_code_among(snapshot, in_order)


def _are_unmistakable(snapshot: Snapshot, uses: Sequence[LibraryUse]) -> bool:
    """Check whether all that bears the names of some uses is these uses."""
    owners: dict[str, set[tuple[str, str]]] = {}
    for use in uses:
        simple_name = use.name.rpartition(".")[2]
        owner = (use.path, use.owner)
        owners.setdefault(simple_name, set()).add(owner)
    for simple_name, users in owners.items():
        files = product_files_with(snapshot, simple_name)
        if files is None:
            return False
        for use_of_name in uses_of(snapshot, files, simple_name):
            is_user = (use_of_name.path, use_of_name.owner) in users
            if use_of_name.kind != "import" and not is_user:
                return False
    return True


@dataclass(frozen=True, slots=True)
class _LibraryReading:
    """What a file uses of libraries.

    Attributes:
        uses: Where.
        lent: What it imports by name and does not use: others may take it from there.
    """

    uses: tuple[LibraryUse, ...]
    lent: frozenset[str]


def _library_reading(module: Module) -> _LibraryReading | None:
    """Follow the imports of a file; None where one of them brings names that it does not tell."""
    imported = _imported_names(module)
    if imported is None:
        return None
    found = _uses(module, imported) if imported else ()
    uses = sorted(found, key=lambda use: (use.line, use.name))
    used_names = {use.name for use in uses}
    by_name = {name for name in imported.values() if "." in name}
    return _LibraryReading(tuple(uses), frozenset(by_name - used_names))


def _imported_names(module: Module) -> Mapping[str, str] | None:
    """Give what each imported word of a file means; None where a word means several things."""
    imported: dict[str, str] = {}
    for node in walk(module.tree):
        for word, name in _names_of_import(node):
            if word == "*" or imported.setdefault(word, name) != name:
                return None
    return imported


def _names_of_import(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        case ast.ImportFrom(module=str(source), names=aliases, level=0):
            for alias in aliases:
                yield alias.asname or alias.name, f"{source}.{alias.name}"
        case _:
            return


def _uses(module: Module, imported: Mapping[str, str]) -> Iterator[LibraryUse]:
    pending: list[tuple[ast.AST, str]] = [(module.tree, "")]
    while pending:
        node, around = pending.pop()
        name = _library_name(node, imported)
        if name:
            line = getattr(node, "lineno", 0)
            yield LibraryUse(name, module.path, around, line)
            continue
        if isinstance(node, Definition):
            inner = name_inside(around, node.name)
            body = set(map(id, node.body))
            for child in child_nodes(node):
                owner = inner if id(child) in body else around
                pending.append((child, owner))
            continue
        pending.extend((child, around) for child in child_nodes(node))


def _library_name(node: ast.AST, imported: Mapping[str, str]) -> str:
    """Give the whole name that an expression has in its library; empty for anything else."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in imported:
        return ""
    parts = [imported[node.id], *reversed(attributes)]
    return ".".join(parts)
