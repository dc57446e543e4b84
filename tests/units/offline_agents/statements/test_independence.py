"""Oracle and Adversary share the sentences of a statement, and no reader."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

from goldwright.offline_agents.statements.catalog import STATEMENTS
from goldwright.offline_agents.statements.statement import Statement

ADVERSARY_METHODS = ("is_shown", "seen_members", "read")
# Words about messages and loggers: both readings speak the same English.
VOCABULARY = {"fixed_parts", "LEVELS"}
Definition = ast.FunctionDef | ast.ClassDef


def _definitions(module: ModuleType) -> dict[str, Definition]:
    """The functions of a module and of its classes, by their names."""
    tree = ast.parse(inspect.getsource(module))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {node.name: node for node in nodes}


def _imported_from_trees(module: ModuleType) -> Iterator[str]:
    """The names that a module imports from the readings of syntax trees, ``ast`` included."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module.startswith("goldwright.code_reading"):
                yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name == "ast")


def _reached_names(module: ModuleType, start: str) -> set[str]:
    """Every name in a function and in the functions of the module that it leads to."""
    definitions = _definitions(module)
    names: set[str] = set()
    unvisited = [start]
    while unvisited:
        definition = definitions.pop(unvisited.pop(), None)
        # What a function is annotated with is not what it reads with.
        for statement in definition.body if definition is not None else ():
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
    module = importlib.import_module(kind.__module__)
    tree_readers = set(_imported_from_trees(module)) - VOCABULARY
    for method in ADVERSARY_METHODS:
        assert not tree_readers & _reached_names(module, method)
