"""Which target leads an answer, and which part each one plays."""

from collections.abc import Sequence
from typing import Protocol

from goldwright.offline_agents.fact_choice import EntityReading, content_words
from goldwright.records import QueryCandidate, Role
from goldwright.snapshot.entities import CallSite


class TargetCalls(Protocol):
    """The part of a call graph that orders targets."""

    def callees(self, entity_id: str) -> tuple[CallSite, ...]:
        """The calls an entity makes."""
        ...

    def bases(self, class_id: str) -> tuple[str, ...]:
        """The direct base classes inside the snapshot."""
        ...


def leading(
    places: tuple[EntityReading, ...], candidate: QueryCandidate, graph: TargetCalls
) -> tuple[EntityReading, ...]:
    """Put the target first that the answer starts from, the others behind it along their calls.

    A flow starts where nothing of it is called from; a failure where its message is raised; a
    pattern at the base class; anything else at the target that shares most words with the question.
    """
    words = content_words(candidate.query_text)
    ids = list(dict.fromkeys(place.entity_id for place in places))
    called = {site.entity_id for identifier in ids for site in graph.callees(identifier)}
    derived = {identifier for identifier in ids if set(graph.bases(identifier)) & set(ids)}

    def rank(place: EntityReading) -> tuple[float, int]:
        position = ids.index(place.entity_id)
        if candidate.task_type == "debug":
            return (-_failure_match(place, words), position)
        if candidate.task_type == "extend":
            return (
                float(place.entity_id in derived) + float(place.definition.kind == "function") / 2,
                position,
            )
        if candidate.task_type == "explain":
            return (float(place.entity_id in called), position)
        return (0.0, position)

    return tuple(sorted(places, key=rank))


def role_of(identifier: str, places: Sequence[EntityReading], candidate: QueryCandidate) -> Role:
    """The part of one target: primary for what carries the answer, supporting for the rest."""
    if candidate.task_type == "locate" or places[0].entity_id == identifier:
        return "primary"
    return "supporting"


def _failure_match(place: EntityReading, words: frozenset[str]) -> float:
    best = 0.0
    for one in place.definition.everything():
        if one.kind in {"raises", "warns", "swallows", "reraises"}:
            said = content_words(f"{one.text} {one.detail}")
            best = max(best, 0.5 + len(said & words) / (len(said) or 1))
    return best
