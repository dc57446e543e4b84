"""What classes leave to their subclasses."""

import ast
from collections.abc import Collection

from goldwright.code_reading.modules import Function, Module, open_module
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id


def abstract_reason(function: Function) -> str:
    """Say why a subclass must define a method: ``abstract``, ``not implemented``, or empty."""
    for decorator in function.decorator_list:
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
        if "abstract" in last:
            return "abstract"
    body = [node for node in function.body if not _is_text(node)]
    is_raise = len(body) == 1 and isinstance(body[0], ast.Raise)
    return "not implemented" if is_raise and _raises_not_implemented(body[0]) else ""


def methods_of(module: Module, class_name: str) -> dict[str, Function]:
    """Give the methods that a class defines itself, by simple name, each defined once."""
    prefix = f"{class_name}."
    methods: dict[str, Function] = {}
    for name in module.definitions:
        simple_name = name.removeprefix(prefix)
        function = module.function(name)
        if name.startswith(prefix) and "." not in simple_name and function is not None:
            methods[simple_name] = function
    return methods


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _raises_not_implemented(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def closed_subclasses(
    snapshot: Snapshot, class_id: str, files: Collection[str]
) -> tuple[str, ...] | None:
    """Give all direct subclasses of a class; None where two derivations do not agree on them.

    Args:
        snapshot: The codebase.
        class_id: The class.
        files: The files in which its simple name stands; subclasses in other files do not count.

    Returns:
        Their ids, sorted.
    """
    name = split_entity_id(class_id)[1].rpartition(".")[2]
    by_graph = {
        subclass
        for subclass in snapshot.graph.subclasses(class_id)
        if split_entity_id(subclass)[0] in files
    }
    by_walk: set[str] = set()
    for path in files:
        module = open_module(snapshot, path)
        if module is None:
            return None
        for class_name, node in module.definitions.items():
            if isinstance(node, ast.ClassDef) and name in _base_names(node):
                by_walk.add(f"{path}::{class_name}")
    return tuple(sorted(by_walk)) if by_walk == by_graph else None


def _base_names(node: ast.ClassDef) -> set[str]:
    """Give every name in the bases of a class; a generic base counts with its parameters."""
    names: set[str] = set()
    for base in (*node.bases, *(keyword.value for keyword in node.keywords)):
        for inner in ast.walk(base):
            if isinstance(inner, ast.Name):
                names.add(inner.id)
            elif isinstance(inner, ast.Attribute):
                names.add(inner.attr)
    return names
