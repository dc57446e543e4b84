"""Facts with the definitions that they are about."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldwright.canaries.mutations.fact_wording import FactWording, QuotedPiece
from goldwright.records import FactCitation
from goldwright.snapshot import Entity


@dataclass(frozen=True, slots=True)
class FactUnderMutation:
    """A fact with the definitions around its lines.

    Attributes:
        number: Its number in the answer, from 1.
        text: What it says.
        citations: The lines that support it.
        entities: The definitions around these lines, which it is about.
    """

    number: int
    text: str
    citations: tuple[FactCitation, ...]
    entities: tuple[Entity, ...]

    @property
    def claim_id(self) -> str:
        """The id by which claims and citations refer to the fact."""
        return f"fact-{self.number}"


def pieces_besides_entities(fact: FactUnderMutation, wording: FactWording) -> Iterator[QuotedPiece]:
    """Yield the code in a fact's statement, but for the names of the definitions it is about."""
    own_names: set[str] = set()
    for entity in fact.entities:
        own_names.update((entity.name, entity.simple_name))
    for piece in wording.pieces():
        if piece.text not in own_names:
            yield piece
