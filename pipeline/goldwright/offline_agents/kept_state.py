"""A value that is kept between calls, with everybody who changes it: closed or not at all."""

import ast
from dataclasses import dataclass
from pathlib import PurePosixPath

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.state_changes import StateUse, state_uses
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.snapshot.product_code import is_product_code

_OWN: frozenset[str] = frozenset({"self", "cls"})


@dataclass(frozen=True, slots=True)
class KeptState:
    """What is kept under a name.

    Attributes:
        name: The simple name.
        home: The id of the class whose attribute it is; the path of the file for a module.
        uses: All its uses in product code.
    """

    name: str
    home: str
    uses: tuple[StateUse, ...]

    def changes(self, *kinds: str) -> tuple[StateUse, ...]:
        """Give the uses that change it in certain ways; how it comes to be is none of them."""
        of_kinds = [use for use in self.uses if use.kind in kinds]
        in_functions = [use for use in of_kinds if use.owner]
        return tuple(use for use in in_functions if not _is_start(use))

    def changers(self, *kinds: str) -> tuple[str, ...]:
        """Give the ids of the functions that change it in certain ways, in the order of lines."""
        changes = self.changes(*kinds)
        return tuple(dict.fromkeys(use.owner_id for use in changes))


def attribute_state(
    code: CodeContext, class_id: str, name: str, *, is_handed_on: bool = False
) -> KeptState | None:
    """Give an attribute of a class; None where others change it, or its changes are unsure.

    Args:
        code: The codebase.
        class_id: The class.
        name: The attribute.
        is_handed_on: Whether the value may get into other hands: a single object that stays the
            same until the attribute is set again does, a mapping that others could fill does not.
    """
    uses = _product_uses(code, name)
    if uses is None:
        return None
    path = path_of(class_id)
    prefix = f"{name_of(class_id)}."
    for use in uses:
        is_in_class = use.path == path and use.owner.startswith(prefix)
        is_own = is_in_class and use.receiver in _OWN
        is_escape = use.kind == "escape"
        is_harmless = use.kind == "read" or (is_escape and is_handed_on)
        if not is_harmless and (is_escape or not is_own):
            return None
    return KeptState(name, class_id, uses)


def module_state(code: CodeContext, path: str, name: str) -> KeptState | None:
    """Give a name of a module; None where it means other things too, or its changes are unsure."""
    uses = _product_uses(code, name)
    module = code.module(path)
    if uses is None or module is None:
        return None
    for use in uses:
        if use.kind == "escape" or not _is_same(use, path):
            return None
        if use.kind == "replace" and use.owner and not _is_global(code, use, name):
            return None
        if use.kind in {"put", "drop"} and not use.owner:
            return None
    if any(isinstance(node, ast.arg) and node.arg == name for node in walk(module.tree)):
        return None
    return KeptState(name, path, uses)


def _is_same(use: StateUse, path: str) -> bool:
    """Find out whether a use means the name of a module: by itself, or as ``module.name``."""
    if not use.receiver:
        return True
    if use.path == path:
        return False
    module_name = PurePosixPath(path).stem
    return use.receiver.rpartition(".")[2] == module_name


def _is_global(code: CodeContext, use: StateUse, name: str) -> bool:
    """Find out whether a function says that it sets the name of the module, and not its own."""
    opened = code.function(use.owner_id)
    if opened is None:
        return False
    nodes = walk(opened[1])
    declarations = (node for node in nodes if isinstance(node, ast.Global))
    return any(name in declaration.names for declaration in declarations)


def _product_uses(code: CodeContext, name: str) -> tuple[StateUse, ...] | None:
    uses = state_uses(code.snapshot, name)
    if uses is None:
        return None
    return tuple(use for use in uses if is_product_code(code.snapshot, use.path))


def _is_start(use: StateUse) -> bool:
    simple_owner = use.owner.rpartition(".")[2]
    return use.kind == "replace" and simple_owner == "__init__"
