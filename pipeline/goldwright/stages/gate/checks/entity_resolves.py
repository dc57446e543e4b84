"""Every expected entity is an entity of the snapshot."""

import difflib
from collections.abc import Iterator

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, entities, example


class EntityResolves:
    """Ids are exact: path and qualified name."""

    code = "entity_resolves"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers whose entities exist."""
        yield example()
        two_entities = entities(f"{BASKET}::Basket.add", f"{PRICES}::price_of")
        yield example(expected_entities=two_entities)

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers with an id that is invented, misspelt, misplaced or short."""
        yield example(expected_entities=entities(f"{BASKET}::Basket.remove"))
        yield example(expected_entities=entities(f"{BASKET}::Basket.ad"))
        yield example(expected_entities=entities(f"{PRICES}::Basket.add"))
        yield example(expected_entities=entities("Basket.add"))
        yield example(expected_entities=entities(f"./{BASKET}::Basket.add"))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the ids of no entity, each with the nearest id of an entity."""
        for number, entity_id in enumerate(case.answer.entity_ids, start=1):
            if case.codebase.entity(entity_id) is None:
                message = _absence_message(entity_id, case.codebase)
                yield CheckFinding(f"entity-{number}", message)


def _absence_message(entity_id: str, codebase: Codebase) -> str:
    nearest = _nearest_id(entity_id, codebase)
    advice = f"; the nearest is {nearest}" if nearest else ""
    return f"no entity {entity_id!r} in the snapshot{advice}"


def _nearest_id(entity_id: str, codebase: Codebase) -> str | None:
    """Find the id that was probably meant.

    The same name in another file comes first, then a similar name in the same file, then the same
    last part of a name anywhere.
    """
    path, qualified_name = split_entity_id(entity_id)
    # An id without a path is all path to the splitter.
    name = qualified_name or path
    simple_name = name.rpartition(".")[2]
    namesakes = codebase.named(simple_name)
    same_name_ids = [entity.entity_id for entity in namesakes if entity.name == name]
    # The smallest id: which of several is named must not depend on the order of the index.
    if same_name_ids:
        return min(same_name_ids)
    if codebase.has_text(path):
        neighbours = codebase.entities_in(path)
        ids_by_name = {neighbour.name: neighbour.entity_id for neighbour in neighbours}
        similar_names = difflib.get_close_matches(name, ids_by_name, n=1)
        if similar_names:
            return ids_by_name[similar_names[0]]
    namesake_ids = [entity.entity_id for entity in namesakes]
    return min(namesake_ids, default=None)
