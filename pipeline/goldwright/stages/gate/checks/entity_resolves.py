"""Every expected entity is an entity of the snapshot."""

import difflib
from collections.abc import Iterator

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.model import split_entity_id
from goldwright.stages.gate.case import Finding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, case, entities


class EntityResolves:
    """Ids are exact: path and qualified name."""

    code = "entity_resolves"
    passes = (case(), case(expected_entities=entities(f"{BASKET}::Basket.add", f"{PRICES}::price_of")))
    fails = (
        case(expected_entities=entities(f"{BASKET}::Basket.remove")),
        case(expected_entities=entities(f"{BASKET}::Basket.ad")),
        case(expected_entities=entities(f"{PRICES}::Basket.add")),
        case(expected_entities=entities("Basket.add")),
        case(expected_entities=entities(f"./{BASKET}::Basket.add")),
    )

    def look(self, case: GateCase) -> Iterator[Finding]:
        """Yield the ids that name nothing, each with the nearest id that names something."""
        for number, identifier in enumerate(case.answer.entity_ids, start=1):
            if case.codebase.entity(identifier) is None:
                yield Finding(f"entity-{number}", _message(identifier, case.codebase))


def _message(identifier: str, codebase: Codebase) -> str:
    nearest = _nearest(identifier, codebase)
    advice = f"; the nearest is {nearest}" if nearest else ""
    return f"no entity {identifier!r} in the snapshot{advice}"


def _nearest(identifier: str, codebase: Codebase) -> str | None:
    path, name = split_entity_id(identifier)
    elsewhere = codebase.named((name or path).rpartition(".")[2])
    here = [entity.entity_id for entity in codebase.entities_in(path)] if codebase.has_text(path) else []
    candidates = here + [entity.entity_id for entity in elsewhere[:50]]
    found = difflib.get_close_matches(identifier, candidates, n=1, cutoff=0.5)
    return found[0] if found else next((entity.entity_id for entity in elsewhere), None)
