"""Every expected entity is an entity of the snapshot."""

import difflib
from collections.abc import Iterator

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, entities, example


class EntityResolves:
    """Ids are exact: path and qualified name."""

    code = "entity_resolves"
    passes = (
        example(),
        example(expected_entities=entities(f"{BASKET}::Basket.add", f"{PRICES}::price_of")),
    )
    fails = (
        example(expected_entities=entities(f"{BASKET}::Basket.remove")),
        example(expected_entities=entities(f"{BASKET}::Basket.ad")),
        example(expected_entities=entities(f"{PRICES}::Basket.add")),
        example(expected_entities=entities("Basket.add")),
        example(expected_entities=entities(f"./{BASKET}::Basket.add")),
    )

    def look(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the ids that name nothing, each with the nearest id that names something."""
        for number, identifier in enumerate(case.answer.entity_ids, start=1):
            if case.codebase.entity(identifier) is None:
                yield CheckFinding(f"entity-{number}", _message(identifier, case.codebase))


def _message(identifier: str, codebase: Codebase) -> str:
    nearest = _nearest(identifier, codebase)
    advice = f"; the nearest is {nearest}" if nearest else ""
    return f"no entity {identifier!r} in the snapshot{advice}"


def _nearest(identifier: str, codebase: Codebase) -> str | None:
    """Prefer the same name in another file, then a like name in the same file, then the same last
    part anywhere.
    """
    path, name = split_entity_id(identifier)
    wanted = name or path
    elsewhere = codebase.named(wanted.rpartition(".")[2])
    same = [entity.entity_id for entity in elsewhere if entity.name == wanted]
    if same:
        return min(same)
    here = (
        {entity.name: entity.entity_id for entity in codebase.entities_in(path)}
        if codebase.has_text(path)
        else {}
    )
    like = difflib.get_close_matches(wanted, here, n=1)
    return here[like[0]] if like else min((entity.entity_id for entity in elsewhere), default=None)
