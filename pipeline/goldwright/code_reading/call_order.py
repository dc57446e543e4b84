"""What a function calls of its own codebase, in which order: closed by two derivations."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.code_reading.callers import NamedCall, called_names
from goldwright.code_reading.conditions import own_nodes, statements_of
from goldwright.code_reading.modules import Definition, Function, Module, open_function
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code

_OPPOSITES: Final[Mapping[str, str]] = {
    "if": "unless",
    "unless": "if",
    "except": "no_error",
    "no_error": "except",
}


def closed_callees(snapshot: Snapshot, entity_id: str) -> tuple[str, ...] | None:
    """Give what a function calls of the product by bare name or on ``self``, by its first calls.

    What is called on other objects does not count: whose ``get`` or ``close`` that is, no reading
    of one function tells. The call graph resolves names. The walk resolves none: every name called
    so that the product defines has to be known to the graph.

    Returns:
        The ids; None where the derivations differ, or two first calls stand on one line.
    """
    opened = open_function(snapshot, entity_id)
    # What is defined inside would be called by bare name too, and has no place of its own.
    if opened is None or any(isinstance(node, Definition) for node in own_nodes(opened[1].body)):
        return None
    if _has_alternatives(snapshot, opened):
        return None
    first_lines = _first_lines(snapshot, called_names(*opened))
    by_name: dict[str, str] = {}
    for site in snapshot.graph.callees(entity_id):
        entity = snapshot.entity(site.entity_id)
        if entity is None or entity.simple_name not in first_lines:
            continue
        if by_name.setdefault(entity.simple_name, site.entity_id) != site.entity_id:
            return None
    if set(first_lines) != set(by_name) or len(set(first_lines.values())) < len(first_lines):
        return None
    return tuple(by_name[name] for name in sorted(first_lines, key=first_lines.__getitem__))


def _has_alternatives(snapshot: Snapshot, opened: tuple[Module, Function]) -> bool:
    """Whether two of the calls can never both be made: then no order holds for all of them."""
    module, function = opened
    names = _first_lines(snapshot, called_names(module, function))
    ways = []
    for reached in statements_of(function, module.text):
        if reached.node.lineno in names.values():
            if reached.path is None:
                return True
            ways.append({(step.kind, step.code) for step in reached.path})
    for number, way in enumerate(ways):
        for kind, code in way:
            opposite = (_OPPOSITES.get(kind, ""), code)
            if any(opposite in other for other in ways[number + 1 :]):
                return True
    return False


def _first_lines(snapshot: Snapshot, calls: tuple[NamedCall, ...]) -> dict[str, int]:
    names = _product_names(snapshot)
    first_lines: dict[str, int] = {}
    for call in calls:
        is_bare = call.reach == "name" and call.name in names.outer
        is_own = call.reach == "self" and call.name in names.methods
        if is_bare or is_own:
            first_lines.setdefault(call.name, call.first)
    return first_lines


@dataclass(frozen=True, slots=True)
class _ProductNames:
    """The simple names of the functions and classes of product code.

    Attributes:
        outer: Those at the level of a module.
        methods: Those inside classes or functions.
    """

    outer: frozenset[str]
    methods: frozenset[str]


@lru_cache(maxsize=2)
def _product_names(snapshot: Snapshot) -> _ProductNames:
    names = [
        entity.name
        for entity in snapshot.entities()
        if entity.kind != "variable" and is_product_code(entity.path)
    ]
    outer = frozenset(name for name in names if "." not in name)
    return _ProductNames(outer, frozenset(name.rpartition(".")[2] for name in names if "." in name))
