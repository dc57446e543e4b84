"""Which class a name of an error means, and whether catching one class catches another."""

import ast
import builtins
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.modules import Module, open_module
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.languages.python.modules import import_roots

# In place of a file, for classes that no file of the codebase defines.
_BUILTIN: Final = "builtins"
_ELSEWHERE: Final = "elsewhere"


def error_class(codebase: SourceTree, module: Module, name: str) -> str | None:
    """Resolve the name of a class, as it is written in a file.

    Returns:
        The id of a class of the codebase; ``builtins::`` or ``elsewhere::`` with the name for a
        class that is built in or comes from another distribution; None where unsure.
    """
    root, dot, _ = name.partition(".")
    imports = import_origins(codebase, module.path)
    if name in module.definitions and name not in imports:
        is_sure = module.class_definition(name) is not None
        return module.entity_id(name) if is_sure else None
    if root not in imports:
        return None if root in _assigned(codebase, module.path) else _builtin_error(name)
    origin = imports[root]
    if origin is None:
        return None
    if not origin.startswith(".") and origin.partition(".")[0] not in roots_of(codebase):
        return f"{_ELSEWHERE}::{origin}{name.removeprefix(root)}"
    dotted = name if dot else origin
    simple_name = dotted.rpartition(".")[2]
    namesakes = codebase.named(simple_name)
    classes = [entity for entity in namesakes if entity.kind == "class"]
    # Which of several classes of one name is meant would take the whole import machinery.
    return classes[0].entity_id if len(classes) == 1 else None


def _builtin_error(name: str) -> str | None:
    """Give a built-in class of errors under its own name: ``IOError`` is ``OSError``."""
    value = getattr(builtins, name, None)
    is_error = isinstance(value, type) and issubclass(value, BaseException)
    return f"{_BUILTIN}::{value.__name__}" if value is not None and is_error else None


def is_kind_of(codebase: SourceTree, error: str, caught: str) -> bool | None:
    """Check whether a clause for one class takes errors of another; None where unsure.

    Args:
        codebase: Where the classes are.
        error: The class that is raised, as ``error_class`` gives it.
        caught: The class of the clause, as ``error_class`` gives it.
    """
    pending, ancestors = [error], {error}
    is_sure = True
    while pending:
        current = pending.pop()
        if current == caught:
            return True
        bases = _bases(codebase, current)
        is_sure = is_sure and None not in bases
        new = {base for base in bases if base is not None} - ancestors
        ancestors |= new
        pending.extend(sorted(new))
    return False if is_sure else None


def _bases(codebase: SourceTree, class_id: str) -> tuple[str | None, ...]:
    path, name = split_entity_id(class_id)
    if path == _BUILTIN:
        bases = getattr(builtins, name).__bases__
        return tuple(f"{_BUILTIN}::{base.__name__}" for base in bases)
    if path == _ELSEWHERE:
        # Every error is an Exception as far as a clause is concerned; more is not known.
        return (None, f"{_BUILTIN}::Exception")
    module = open_module(codebase, path)
    node = module.class_definition(name) if module is not None else None
    if module is None or node is None:
        return (None,)
    names = [module.text.of(base) for base in node.bases]
    return tuple(error_class(codebase, module, name) for name in names)


@lru_cache(maxsize=2)
def roots_of(codebase: SourceTree) -> frozenset[str]:
    """Give the names under which the codebase itself is imported."""
    return import_roots(codebase.source_files)


@lru_cache(maxsize=256)
def import_origins(codebase: SourceTree, path: str) -> Mapping[str, str | None]:
    """Give what each imported name stands for; None for a name that is imported several times."""
    origins: dict[str, str | None] = {}
    for node in _nodes(codebase, path):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            origin = alias.name if alias.asname else name
            if isinstance(node, ast.ImportFrom):
                dots = "." * node.level
                origin = f"{dots}{node.module or ''}.{alias.name}"
            is_other = name in origins and origins[name] != origin
            origins[name] = None if is_other else origin
    return origins


@lru_cache(maxsize=256)
def _assigned(codebase: SourceTree, path: str) -> frozenset[str]:
    """Give the names that stand on the left of an assignment anywhere in a file."""
    names: set[str] = set()
    for node in _nodes(codebase, path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return frozenset(names)


def _nodes(codebase: SourceTree, path: str) -> Iterator[ast.AST]:
    module = open_module(codebase, path)
    if module is not None:
        yield from walk(module.tree)
