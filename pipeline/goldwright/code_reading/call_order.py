"""What a function calls of its own codebase, in which order: closed by two derivations."""

from collections.abc import Mapping
from functools import lru_cache

from goldwright.code_reading.callers import called_names
from goldwright.code_reading.modules import open_function
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code


def closed_callees(snapshot: Snapshot, entity_id: str) -> tuple[str, ...] | None:
    """Give what a function calls of the product, in the order of its first calls.

    The call graph resolves names. The walk resolves none: every called name that anything in the
    product is called by has to be known to the graph.

    Returns:
        The ids; None where the derivations differ, or two first calls stand on one line.
    """
    opened = open_function(snapshot, entity_id)
    if opened is None:
        return None
    by_name: dict[str, str] = {}
    for site in snapshot.graph.callees(entity_id):
        entity = snapshot.entity(site.entity_id)
        if entity is None or by_name.get(entity.simple_name, site.entity_id) != site.entity_id:
            return None
        by_name[entity.simple_name] = site.entity_id
    first_lines: dict[str, int] = {}
    for call in called_names(*opened):
        if call.name in _product_names(snapshot):
            if call.name not in by_name:
                return None
            first_lines.setdefault(call.name, call.first)
    if set(first_lines) != set(by_name) or len(set(first_lines.values())) < len(first_lines):
        return None
    return tuple(by_name[name] for name in sorted(first_lines, key=first_lines.__getitem__))


@lru_cache(maxsize=2)
def _product_names(snapshot: Snapshot) -> Mapping[str, None]:
    """Give the simple names of all functions and classes of product code."""
    names: dict[str, None] = {}
    for entity in snapshot.entities():
        if entity.kind != "variable" and is_product_code(entity.path):
            names[entity.simple_name] = None
    return names
