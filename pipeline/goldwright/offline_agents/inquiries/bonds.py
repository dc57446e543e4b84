"""Whether the targets of a question hang together as its tier asks."""

from collections.abc import Sequence

from goldwright.offline_agents.code_context import CodeContext


def are_joined(code: CodeContext, targets: Sequence[str], *, by_calls: bool) -> bool:
    """Find out whether every target is reached from the first by hops among the targets.

    Args:
        code: The codebase.
        targets: The ids.
        by_calls: Whether only calls are hops; else a base class, a reference and containment too.
    """
    reached = {targets[0]}
    frontier = [targets[0]]
    while frontier:
        near = _neighbours(code, frontier.pop(), by_calls=by_calls)
        near_targets = [target for target in targets if target in near]
        newly_reached = [target for target in near_targets if target not in reached]
        reached.update(newly_reached)
        frontier.extend(newly_reached)
    return len(reached) == len(set(targets))


def _neighbours(code: CodeContext, entity_id: str, *, by_calls: bool) -> frozenset[str]:
    graph = code.snapshot.graph
    if not by_calls:
        return graph.linked(entity_id)
    sites = graph.callees(entity_id) + graph.callers(entity_id)
    return frozenset(site.entity_id for site in sites)
