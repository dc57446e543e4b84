"""What classes leave to their subclasses."""

import ast
import re
from collections.abc import Collection
from typing import Final

from goldwright.code_reading.child_nodes import name_or_attribute, walk
from goldwright.code_reading.modules import Function, Module, open_module
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# What the message of a contract says; another message says that something cannot be had here.
_ASKS_FOR_IT: Final = re.compile(
    r"implement|overrid|subclass|abstract|must|should|defin", re.IGNORECASE
)
_GIVES_UP: Final = re.compile(
    r"no longer|support|remov|deprecat|not available|cannot|can't", re.IGNORECASE
)


def abstract_reason(function: Function) -> str:
    """Say why a subclass must define a method: ``abstract``, ``not implemented``, or empty."""
    for decorator in function.decorator_list:
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        if "abstract" in name_or_attribute(name):
            return "abstract"
    raised = _not_implemented(function)
    # "This method is optional": a subclass may leave it, and then nobody may call it.
    if raised is None or "optional" in (ast.get_docstring(function) or "").lower():
        return ""
    message = " ".join(_texts(raised))
    if isinstance(raised, ast.Call) and raised.args and not message:
        # A message that stands elsewhere may say anything.
        return ""
    is_asked_for = not message or _ASKS_FOR_IT.search(message) is not None
    return "not implemented" if is_asked_for and not _GIVES_UP.search(message) else ""


def only_raises_not_implemented(function: Function) -> bool:
    """Check whether a method does nothing but raise ``NotImplementedError``.

    It need not be a contract: "not supported by this backend" asks no subclass for anything.
    """
    return _not_implemented(function) is not None


def methods_of(module: Module, class_name: str) -> dict[str, Function]:
    """Give the methods that a class defines itself, by simple name, each defined once."""
    methods: dict[str, Function] = {}
    for simple_name in module.members.get(class_name, ()):
        function = module.function(f"{class_name}.{simple_name}")
        if function is not None:
            methods[simple_name] = function
    return methods


def base_names(module: Module, class_name: str) -> list[str]:
    """Give the simple names of the bases of a class, without what stands in brackets behind."""
    node = module.class_definition(class_name)
    if node is None:
        return []
    bases = map(module.text.of, node.bases)
    names = [base.partition("[")[0] for base in bases]
    return [name.rpartition(".")[2] for name in names]


def assigned_names(node: ast.ClassDef) -> set[str]:
    """Give the names that the body of a class puts a value into."""
    names: set[str] = set()
    for statement in node.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        names.update(target.id for target in targets if isinstance(target, ast.Name))
    return names


def does_nothing(function: Function) -> bool:
    """Check whether a method is an empty hook: a docstring, ``pass``, ``...`` or ``return``."""
    return all(map(_is_idle, function.body))


def _is_idle(node: ast.stmt) -> bool:
    if isinstance(node, ast.Return):
        return _is_nothing(node.value)
    return isinstance(node, ast.Pass) or _is_text(node)


def _is_nothing(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _not_implemented(function: Function) -> ast.expr | None:
    """Give the error of a method that does nothing but raise ``NotImplementedError``."""
    match [node for node in function.body if not _is_text(node)]:
        case [ast.Raise(exc=ast.expr() as error)]:
            raised = error.func if isinstance(error, ast.Call) else error
            is_error = isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
            return error if is_error else None
        case _:
            return None


def _texts(node: ast.expr) -> list[str]:
    constants = [inner for inner in walk(node) if isinstance(inner, ast.Constant)]
    return [constant.value for constant in constants if isinstance(constant.value, str)]


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
    _, qualified_name = split_entity_id(class_id)
    name = qualified_name.rpartition(".")[2]
    by_graph: set[str] = set()
    for subclass in snapshot.graph.subclasses(class_id):
        path, _ = split_entity_id(subclass)
        if path in files:
            by_graph.add(subclass)
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
        for inner in walk(base):
            if isinstance(inner, ast.Name):
                names.add(inner.id)
            elif isinstance(inner, ast.Attribute):
                names.add(inner.attr)
    return names
