"""The rationale of an entity names nothing that the entity does not bear."""

from collections.abc import Iterator

from goldwright.records import FileRange
from goldwright.snapshot.entities import Entity
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, example
from goldwright.stages.gate.text_mentions import inspect_texts, numbered_texts


def _example(rationale: str) -> GateCase:
    """Make a case whose one entity is expected for another reason."""
    entity = ANSWER.expected_entities[0].model_copy(update={"rationale": rationale})
    return example(expected_entities=(entity,))


class RationalesCovered:
    """The lines of an entity use what is said for expecting it, or the answer expects that too."""

    code = "rationales_covered"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield reasons that name what the entity's lines use."""
        yield example()
        yield _example("")
        yield _example("`Basket.add` appends to `self.lines`, or raises a ValueError.")

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield reasons that name what is elsewhere, or nowhere."""
        yield _example("It calls `Basket.total`.")
        yield _example("It raises `AmountError`.")
        yield _example("It is what `conjure_rabbits()` calls.")
        yield _example("It stands beside shop/prices.py.")

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names of each rationale that its entity lacks, each once."""
        entities = case.answer.expected_entities
        rationales = [entity.rationale for entity in entities]
        resolved = [case.codebase.entity(entity.entity_id) for entity in entities]
        ranges = map(_lines_of, resolved)
        yield from inspect_texts(case, numbered_texts("entity", rationales, ranges))


def _lines_of(entity: Entity | None) -> tuple[FileRange, ...]:
    """Give the lines of an entity; one that does not resolve is another check's finding."""
    if entity is None:
        return ()
    spans = entity.spans
    return tuple(FileRange(file=entity.path, start=span.first, end=span.last) for span in spans)
