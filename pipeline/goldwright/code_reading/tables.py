"""Tables at the level of a module: what they hold, and who looks things up in them."""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.modules import Function, Module, open_module
from goldwright.code_reading.name_uses import uses_of
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# An entry that is longer is a block of data of its own.
LONGEST_ENTRY: Final = 60

# A name that begins with a letter, a lambda, or a string with the path of an import.
_CODE: Final = re.compile(r"[A-Za-z_][\w.]*|lambda\b.*|[\"'][A-Za-z_]\w*(?:\.\w+)*[.:]\w+[\"']")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table.

    Attributes:
        key, value: As written.
        word: The key, where it is a string; else empty.
        line: Where it begins, from 1.
    """

    key: str
    value: str
    word: str
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """A dictionary that a module assigns to a name.

    Attributes:
        name: The name.
        first, last: Its lines.
        entries: What it holds, without entries that are too long to be said.
    """

    name: str
    first: int
    last: int
    entries: tuple[Entry, ...]


def tables_of(module: Module) -> Iterator[Table]:
    """Yield the tables of a module, each assigned once, in the order of their lines."""
    for node in module.tree.body:
        name = _assigned_name(node)
        value = getattr(node, "value", None)
        if name and isinstance(value, ast.Dict):
            entries = tuple(_entries(module, value))
            yield Table(name, node.lineno, node.end_lineno or node.lineno, entries)


def looks_up(function: Function, name: str) -> bool:
    """Check whether a function looks up in a table what it does not know before it runs."""
    for node in walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id=table), slice=key) if table == name:
                if not isinstance(key, ast.Constant):
                    return True
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=table), attr="get" | "items" | "values"),
                args=arguments,
            ) if table == name:
                if not arguments or not isinstance(arguments[0], ast.Constant):
                    return True
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=table)]):
                if table == name:
                    return True
            case _:
                continue
    return False


def holds_code(table: Table) -> bool:
    """Check whether all entries are functions, classes or places to import them from."""
    values = [entry.value for entry in table.entries]
    return bool(values) and all(map(_CODE.fullmatch, values))


def closed_table_users(
    snapshot: Snapshot, table_id: str, files: Collection[str]
) -> tuple[str, ...] | None:
    """Give all functions that use a table; None where two derivations do not agree on them.

    Args:
        snapshot: The codebase.
        table_id: The table.
        files: The files in which its name stands; users in other files do not count.

    Returns:
        Their ids, in the order of files and lines.
    """
    path, name = split_entity_id(table_id)
    users: dict[str, None] = {}
    lines: set[tuple[str, int]] = set()
    for use in uses_of(snapshot, files, name):
        lines.add((use.path, use.line))
        if use.kind == "import":
            continue
        user = use.owner_id
        if use.kind == "string" or not use.owner or snapshot.entity(user) is None:
            return None
        users[user] = None
    module = open_module(snapshot, path)
    if module is None:
        return None
    tables = [table for table in tables_of(module) if table.name == name]
    if len(tables) != 1:
        return None
    lines.add((path, tables[0].first))
    is_whole = _lines_with(snapshot, files, name) <= lines
    return tuple(users) if is_whole else None


def _lines_with(snapshot: Snapshot, files: Collection[str], name: str) -> set[tuple[str, int]]:
    """Search the text of files for a word, but for comments on lines of their own."""
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    uses: set[tuple[str, int]] = set()
    for path in files:
        for number, line in enumerate(snapshot.source(path).lines, start=1):
            if pattern.search(line) and not line.lstrip().startswith("#"):
                uses.add((path, number))
    return uses


def _assigned_name(node: ast.stmt) -> str:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    is_assignment = isinstance(node, ast.Assign | ast.AnnAssign) and len(targets) == 1
    target = targets[0] if is_assignment else None
    return target.id if isinstance(target, ast.Name) else ""


def _entries(module: Module, node: ast.Dict) -> Iterator[Entry]:
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            continue
        key_text = module.text.of(key)
        value_text = module.text.of(value)
        if _is_sayable(key_text) and _is_sayable(value_text):
            constant = key.value if isinstance(key, ast.Constant) else ""
            word = constant if isinstance(constant, str) else ""
            yield Entry(key_text, value_text, word, key.lineno)


def _is_sayable(text: str) -> bool:
    return 0 < len(text) <= LONGEST_ENTRY and "`" not in text
