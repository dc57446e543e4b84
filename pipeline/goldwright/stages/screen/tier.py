"""Whether the targets of a candidate are what their tier asks for."""

from collections.abc import Callable, Collection
from functools import partial

from goldwright.plan import Cell
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.task_types import TierRule, tier_rule

Neighbours = Callable[[str], frozenset[str]]
"""The ids of the entities that are one hop from an entity."""


def tier_objection(cell: Cell, targets: Collection[Entity], snapshot: Snapshot) -> str | None:
    """Say how the targets miss the definition of their cell's tier; None when they meet it."""
    tier = tier_rule(cell)
    files = {target.path for target in targets}
    return (
        _out_of_bounds("target entities", len(targets), tier.entities)
        or _out_of_bounds("files", len(files), tier.files)
        or _too_long(tier, targets)
        or _not_joined(tier, targets, snapshot)
    )


def _out_of_bounds(what: str, count: int, bounds: tuple[int, int]) -> str | None:
    low, high = bounds
    if low <= count <= high:
        return None
    allowed = str(low) if low == high else f"{low} to {high}"
    return f"{count} {what}, where the tier wants {allowed}"


def _too_long(tier: TierRule, targets: Collection[Entity]) -> str | None:
    if tier.max_lines is None:
        return None
    longest = max(_line_count(target) for target in targets)
    if longest <= tier.max_lines:
        return None
    return f"a target of {longest} lines, where the tier allows {tier.max_lines}"


def _line_count(entity: Entity) -> int:
    return sum(span.last - span.first + 1 for span in entity.spans)


def _not_joined(tier: TierRule, targets: Collection[Entity], snapshot: Snapshot) -> str | None:
    target_ids = [target.entity_id for target in targets]
    match tier.bond:
        case "none":
            return None
        case "call_chain":
            bond = "calls"
            neighbours: Neighbours = partial(_called_or_calling, snapshot)
        case "linked":
            bond = "one hop"
            neighbours = snapshot.graph.linked
    unreached = _unreached(target_ids, neighbours)
    if not unreached:
        return None
    return f"{unreached[0]} is not joined to the other targets by {bond}"


def _called_or_calling(snapshot: Snapshot, entity_id: str) -> frozenset[str]:
    graph = snapshot.graph
    call_sites = graph.callees(entity_id) + graph.callers(entity_id)
    return frozenset(site.entity_id for site in call_sites)


def _unreached(entity_ids: list[str], neighbours: Neighbours) -> list[str]:
    """The ids that cannot be reached from the first one by hops that stay among the ids."""
    reached = {entity_ids[0]}
    frontier = [entity_ids[0]]
    while frontier:
        current = frontier.pop()
        near_current = neighbours(current)
        for entity_id in entity_ids:
            if entity_id in reached:
                continue
            # A hop counts in both directions, whichever end the graph knows it from.
            if entity_id in near_current or current in neighbours(entity_id):
                reached.add(entity_id)
                frontier.append(entity_id)
    return [entity_id for entity_id in entity_ids if entity_id not in reached]
