"""Facts with the definitions that they speak of."""

from collections.abc import Iterator
from typing import NamedTuple

from goldwright.canaries.mutations.fact_wording import FactWording
from goldwright.records import FactCitation
from goldwright.snapshot import Entity


class FactUnderMutation(NamedTuple):
    """A fact with the definitions around its lines."""

    number: int
    text: str
    citations: tuple[FactCitation, ...]
    around: tuple[Entity, ...]

    @property
    def claim_id(self) -> str:
        """The id that claims and citations know the fact by."""
        return f"fact-{self.number}"


def outcomes(fact: FactUnderMutation, wording: FactWording) -> Iterator[tuple[int, str]]:
    """Yield what a fact names beside the definitions that it speaks of."""
    own = {part for entity in fact.around for part in (entity.name, entity.simple_name)}
    return ((place, piece) for place, piece in wording.pieces() if piece not in own)
