"""Methods that a library may call: a class of its own declares them, and ours derives from it."""

import builtins
import importlib
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from goldwright.code_reading.error_classes import import_origins, roots_of
from goldwright.code_reading.modules import open_module
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# Neighbouring questions ask for the methods of the same classes.
_CLASSES_IN_MEMORY: Final = 512
# How the names of methods begin that a class of the standard library looks up when it runs.
_LOOKED_UP: Final[Mapping[str, tuple[str, ...]]] = {
    "ast.NodeVisitor": ("visit_",),
    "cmd.Cmd": ("do_", "help_", "complete_"),
    "http.server.BaseHTTPRequestHandler": ("do_",),
    "unittest.case.TestCase": ("test",),
    "xmlrpc.server.SimpleXMLRPCDispatcher": ("export_",),
}
# Modules that do something when they are imported.
_WITH_EFFECTS: Final = frozenset(
    {"__main__", "antigravity", "idlelib", "test", "this", "turtledemo"}
)


def is_called_from_outside(snapshot: Snapshot, method_id: str) -> bool:
    """Check whether code outside of the codebase may call a method.

    A base of the standard library is asked whether it has such a method: ``MutableSet`` calls the
    ``discard`` of whoever derives from it; or whether it looks up such names: ``NodeVisitor`` calls
    whatever begins with ``visit_``. Bases from elsewhere may call any public one.

    Args:
        snapshot: The codebase.
        method_id: The id of a function; one outside of a class is called by nobody this way.
    """
    class_id, _, name = method_id.rpartition(".")
    if "::" not in class_id or snapshot.entity(class_id) is None:
        return False
    for base in _outside_bases(snapshot, class_id):
        known = _methods_of(base)
        if known is None:
            is_possible = not name.startswith("_")
        else:
            names, beginnings = known
            is_possible = name in names or name.startswith(beginnings)
        if is_possible:
            return True
    return False


@lru_cache(maxsize=_CLASSES_IN_MEMORY)
def _outside_bases(snapshot: Snapshot, class_id: str) -> tuple[str, ...]:
    """Give the full names of the bases of a class, and of their bases, that come from elsewhere."""
    found: dict[str, None] = {}
    waiting, seen = [class_id], {class_id}
    while waiting:
        current = waiting.pop()
        found.update(dict.fromkeys(_own_outside_bases(snapshot, current)))
        bases = snapshot.graph.bases(current)
        new = [base for base in bases if base not in seen]
        seen.update(new)
        waiting.extend(new)
    return tuple(found)


def _own_outside_bases(snapshot: Snapshot, class_id: str) -> Iterator[str]:
    path, name = split_entity_id(class_id)
    module = open_module(snapshot, path)
    node = module.class_definition(name) if module is not None else None
    if module is None or node is None:
        return
    origins = import_origins(snapshot, path)
    for base in node.bases:
        # Of a generic class, what it is of plays no part.
        written = module.text.of(base).partition("[")[0]
        root, _, rest = written.partition(".")
        origin = origins.get(root)
        if root not in origins and hasattr(builtins, root):
            yield f"builtins.{written}"
        elif (
            origin and not origin.startswith(".") and origin.split(".")[0] not in roots_of(snapshot)
        ):
            yield f"{origin}.{rest}" if rest else origin


@lru_cache(maxsize=_CLASSES_IN_MEMORY)
def _methods_of(full_name: str) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """List what a class of the standard library has, and how the names begin that it looks up.

    Returns:
        None for a class from elsewhere.
    """
    parts = full_name.split(".")
    if parts[0] not in sys.stdlib_module_names or parts[0] in _WITH_EFFECTS:
        return None
    for end in range(len(parts) - 1, 0, -1):
        try:
            module_name = ".".join(parts[:end])
            found: object = importlib.import_module(module_name)
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        if found is None:
            return None
        return frozenset(dir(found)), tuple(_beginnings(found))
    return None


def _beginnings(found: object) -> Iterator[str]:
    for ancestor in found.__mro__ if isinstance(found, type) else ():
        full_name = f"{ancestor.__module__}.{ancestor.__qualname__}"
        yield from _LOOKED_UP.get(full_name, ())
