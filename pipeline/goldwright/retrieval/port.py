"""What a retriever is: text in, ranked entities out."""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Hit:
    """One entity that a retriever found.

    Attributes:
        entity_id: The id of the entity.
        score: Only the order of scores has a meaning; higher is better.
    """

    entity_id: str
    score: float


class Retriever(Protocol):
    """Ranks the entities of one snapshot by how well they answer a query."""

    def search(self, query: str, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, each entity once, by falling score and rising id."""
        ...


class SizedRetriever(Retriever, Sized, Protocol):
    """A retriever that knows how many documents it searches."""
