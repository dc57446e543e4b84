"""Whether the targets of a candidate are what their tier wants: a walk over the call graph by the
tier table.
"""

from collections.abc import Callable, Collection, Iterable

from goldwright.plan import Cell
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.task_types import TierRule, tier_rule


def tier_objection(cell: Cell, targets: Collection[Entity], snapshot: Snapshot) -> str | None:
    """Say how the targets miss the definition of their cell's tier, or ``None`` when they meet it."""
    tier = tier_rule(cell)
    return (
        _out_of_bounds("target entities", len(targets), tier.entities)
        or _out_of_bounds("files", len({target.path for target in targets}), tier.files)
        or _too_long(tier, targets)
        or _not_joined(tier, targets, snapshot)
    )


def _out_of_bounds(what: str, count: int, bounds: tuple[int, int]) -> str | None:
    low, high = bounds
    if low <= count <= high:
        return None
    wanted = str(low) if low == high else f"{low} to {high}"
    return f"{count} {what}, where the tier wants {wanted}"


def _too_long(tier: TierRule, targets: Iterable[Entity]) -> str | None:
    if tier.max_lines is None:
        return None
    longest = max(sum(span.last - span.first + 1 for span in target.spans) for target in targets)
    return (
        f"a target of {longest} lines, where the tier allows {tier.max_lines}"
        if longest > tier.max_lines
        else None
    )


def _not_joined(tier: TierRule, targets: Collection[Entity], snapshot: Snapshot) -> str | None:
    if tier.bond == "none":
        return None
    ids = [target.entity_id for target in targets]
    hops = _calls(snapshot) if tier.bond == "call_chain" else snapshot.graph.linked
    apart = _unreached(ids, hops)
    how = "calls" if tier.bond == "call_chain" else "one hop"
    return f"{apart[0]} is not joined to the other targets by {how}" if apart else None


def _calls(snapshot: Snapshot) -> Callable[[str], frozenset[str]]:
    def hops(entity_id: str) -> frozenset[str]:
        sites = snapshot.graph.callees(entity_id) + snapshot.graph.callers(entity_id)
        return frozenset(site.entity_id for site in sites)

    return hops


def _unreached(ids: list[str], hops: Callable[[str], frozenset[str]]) -> list[str]:
    """The ids that cannot be reached from the first one by hops that stay among the ids."""
    members = frozenset(ids)
    reached = {ids[0]}
    frontier = [ids[0]]
    while frontier:
        current = frontier.pop()
        new = [
            one
            for one in ids
            if one not in reached and (one in hops(current) or current in hops(one))
        ]
        reached.update(new)
        frontier.extend(new)
    return [one for one in ids if one in members - reached]
