"""Who takes a place in a cell that more records have survived for than it has places."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from goldwright.records import QueryCandidate


@dataclass(frozen=True, slots=True)
class HumanRulings:
    """What people decided against the run's own outcome.

    Attributes:
        reinstated: The ids of stopped records that are in after all.
        sampled: The ids of the sample. They have the first claim to a place, because what they
            show is about the dataset as it was drawn.
        dropped: The ids of records that are out.
    """

    reinstated: frozenset[str] = frozenset()
    sampled: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()


NO_RULINGS: Final = HumanRulings()


def in_order_of_claims(
    candidates: Iterable[QueryCandidate], rulings: HumanRulings
) -> list[QueryCandidate]:
    """Sort candidates by their claim to a place in the dataset.

    The sample comes first and what people kept comes last, so that keeping a record never pushes
    out one of the sample. Otherwise the order of the file decides.
    """

    def claim_rank(candidate: QueryCandidate) -> int:
        if candidate.query_id in rulings.reinstated:
            return 2
        if candidate.query_id in rulings.sampled:
            return 0
        return 1

    return sorted(candidates, key=claim_rank)
