"""The file of every expected entity is an expected file."""

from collections.abc import Iterator

from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, entities, example


class EntityFileListed:
    """Entities and files name the same places."""

    code = "entity_file_listed"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers that list the file of each entity; more files may be listed."""
        yield example()
        price_of = entities(f"{PRICES}::price_of")
        yield example(expected_entities=price_of, expected_files=(BASKET, PRICES))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers that leave out the file of an entity."""
        two_entities = entities(f"{BASKET}::Basket.add", f"{PRICES}::price_of")
        yield example(expected_entities=two_entities)
        yield example(expected_files=(PRICES,))
        yield example(expected_files=())

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the entities whose file is not listed."""
        files = frozenset(case.answer.expected_files)
        for number, entity_id in enumerate(case.answer.entity_ids, start=1):
            path, _ = split_entity_id(entity_id)
            if path not in files:
                message = f"the file {path!r} of {entity_id} is not in expected_files"
                yield CheckFinding(f"entity-{number}", message)
