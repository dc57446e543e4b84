"""Whether the targets of a candidate are what their tier asks for."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from goldwright.code_reading.callers import closed_callers
from goldwright.code_reading.name_files import product_files_with
from goldwright.plan import Cell
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, split_entity_id
from goldwright.task_types import TierRule, tier_rule

Neighbours = Callable[[str], frozenset[str]]
"""The ids of the entities that are one hop from an entity."""


def tier_objection(
    cell: Cell, targets: Collection[Entity], snapshot: Snapshot, named: Sequence[str] = ()
) -> str | None:
    """How the targets miss the definition of their cell's tier; None when they meet it.

    Args:
        cell: The cell.
        targets: The targets.
        snapshot: The codebase.
        named: The ids of entities that the question names and does not ask for. A hop may lead
            through them: the callers of a function that everybody sees hang together by that one.
    """
    objections = _objections(tier_rule(cell), targets, snapshot, named)
    # Only the first is computed: the later ones rely on there being any target.
    return next(objections, None)


def _objections(
    tier: TierRule, targets: Collection[Entity], snapshot: Snapshot, named: Sequence[str]
) -> Iterator[str]:
    files = {target.path for target in targets}
    yield from _check_bounds("target entities", len(targets), tier.entities)
    yield from _check_bounds("files", len(files), tier.files)
    yield from _check_length(tier, targets)
    yield from _check_bond(tier, targets, snapshot, named)


def _check_bounds(noun: str, count: int, bounds: tuple[int, int]) -> Iterator[str]:
    low, high = bounds
    if low <= count <= high:
        return
    allowed = f"{low} to {high}"
    if low == high:
        allowed = str(low)
    yield f"{count} {noun}, where the tier wants {allowed}"


def _check_length(tier: TierRule, targets: Collection[Entity]) -> Iterator[str]:
    if tier.max_lines is None:
        return
    longest = max(map(_line_count, targets))
    if longest > tier.max_lines:
        yield f"a target of {longest} lines, where the tier allows {tier.max_lines}"


def _line_count(entity: Entity) -> int:
    # A definition that is repeated, as overloads are, has several spans.
    return sum(span.last - span.first + 1 for span in entity.spans)


def _check_bond(
    tier: TierRule, targets: Collection[Entity], snapshot: Snapshot, named: Sequence[str]
) -> Iterator[str]:
    match tier.bond:
        case "none":
            return
        case "call_chain":
            bond = "calls"
            neighbours: Neighbours = partial(_callees_and_callers, snapshot)
        case "linked":
            bond = "one hop"
            neighbours = snapshot.graph.linked
    target_ids = [target.entity_id for target in targets]
    unreached = _unreached(target_ids, named, neighbours)
    if unreached:
        # A call on an object of unknown class is missing in the graph, and plain to a reader.
        with_callers = partial(_with_closed_callers, snapshot, neighbours)
        unreached = _unreached(target_ids, named, with_callers)
    if unreached:
        yield f"{unreached[0]} is not joined to the other targets by {bond}"


def _callees_and_callers(snapshot: Snapshot, entity_id: str) -> frozenset[str]:
    graph = snapshot.graph
    callees = graph.callees(entity_id)
    callers = graph.callers(entity_id)
    return frozenset(site.entity_id for site in callees + callers)


def _with_closed_callers(
    snapshot: Snapshot, neighbours: Neighbours, entity_id: str
) -> frozenset[str]:
    _, qualified_name = split_entity_id(entity_id)
    name = qualified_name.rpartition(".")[2]
    files = product_files_with(snapshot, name)
    # A special method is called by syntax, which no name gives away.
    if files is None or name.startswith("__"):
        return neighbours(entity_id)
    callers = closed_callers(snapshot, entity_id, files) or ()
    return neighbours(entity_id) | frozenset(callers)


def _unreached(
    target_ids: Sequence[str], named: Sequence[str], neighbours: Neighbours
) -> list[str]:
    """The targets that no way leads to from the first one, by hops among targets and named ones."""
    reached = {target_ids[0]}
    frontier = [target_ids[0]]
    while frontier:
        current = frontier.pop()
        near_current = neighbours(current)
        for entity_id in (*target_ids, *named):
            if entity_id in reached:
                continue
            # A hop counts in both directions, whichever end the graph knows it from.
            if entity_id in near_current or current in neighbours(entity_id):
                reached.add(entity_id)
                frontier.append(entity_id)
    return [entity_id for entity_id in target_ids if entity_id not in reached]
