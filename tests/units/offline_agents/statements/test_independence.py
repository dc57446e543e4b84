"""Oracle and Adversary share the sentences of a statement, and no reader."""

import ast
import importlib
import inspect
from collections.abc import Iterator, Sequence
from itertools import chain
from types import ModuleType

import pytest

from goldwright.offline_agents.statements.catalog import STATEMENTS
from goldwright.offline_agents.statements.statement import Statement

ADVERSARY_METHODS = ("is_shown", "seen_members", "read")
# Words about messages and loggers: both readings speak the same English.
VOCABULARY = {"fixed_parts", "LEVELS"}


def _modules(kind: type[Statement]) -> list[ModuleType]:
    """The modules of a kind of statement and of the classes that it derives from."""
    names = {base.__module__ for base in kind.__mro__}
    return [importlib.import_module(name) for name in names if name.startswith("goldwright.")]


def _definitions(modules: Sequence[ModuleType]) -> dict[str, list[ast.FunctionDef]]:
    """The functions of some modules and of their classes, by their names."""
    definitions: dict[str, list[ast.FunctionDef]] = {}
    for module in modules:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.FunctionDef):
                definitions.setdefault(node.name, []).append(node)
    return definitions


def _imported_from_trees(module: ModuleType) -> Iterator[str]:
    """The names that a module imports from the readings of syntax trees, ``ast`` included."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module.startswith("goldwright.code_reading"):
                yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name == "ast")


def _reached_names(modules: Sequence[ModuleType], start: str) -> set[str]:
    """Every name in the functions of a name and in the functions that they lead to."""
    definitions = _definitions(modules)
    names: set[str] = set()
    unvisited = [start]
    while unvisited:
        same_named = definitions.pop(unvisited.pop(), [])
        # What a function is annotated with is not what it reads with.
        for statement in chain.from_iterable(definition.body for definition in same_named):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name):
                    names.add(node.id)
                    unvisited.append(node.id)
                elif isinstance(node, ast.Attribute) and _is_own(node.value):
                    unvisited.append(node.attr)
    return names


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


@pytest.mark.parametrize("kind", STATEMENTS, ids=lambda kind: kind.kind)
def test_the_adversary_reads_a_statement_without_syntax_trees(kind: type[Statement]) -> None:
    """A fault in the tree reading would else be believed by the one who should notice it."""
    modules = _modules(kind)
    tree_readers = set(chain.from_iterable(map(_imported_from_trees, modules))) - VOCABULARY
    for method in ADVERSARY_METHODS:
        assert not tree_readers & _reached_names(modules, method)
