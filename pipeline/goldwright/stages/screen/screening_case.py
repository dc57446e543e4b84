"""A draft on its way through the screen, and the candidates it is compared with."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity


@dataclass(frozen=True, slots=True)
class ScreenRefusal:
    """Why a candidate is refused: the name of the rule, and what breaks it."""

    reason: str
    message: str


@dataclass
class AcceptedCandidates:
    """The candidates that were accepted so far.

    Attributes:
        candidates: All of them, in the order in which they were accepted.
        spent_targets: The entities about which people turned records of an earlier batch down.
    """

    candidates: list[QueryCandidate] = field(default_factory=list)
    spent_targets: frozenset[str] = frozenset()

    def add(self, candidate: QueryCandidate) -> None:
        """Accept one more."""
        self.candidates.append(candidate)

    def in_cell(self, cell: Cell) -> int:
        """How many there are in a cell."""
        return count_in_cell(self.candidates, cell)


@dataclass(frozen=True)
class ScreeningCase:
    """A draft with what the rules look at.

    Attributes:
        draft: The draft.
        cell: The cell it was written for.
        room: How many more candidates the cell takes.
        snapshot: The codebase it asks about.
        accepted: The candidates before it.
    """

    draft: CandidateDraft
    cell: Cell
    room: int
    snapshot: Snapshot
    accepted: AcceptedCandidates

    @cached_property
    def targets(self) -> tuple[Entity, ...]:
        """The target entities that resolve, each once."""
        target_ids = dict.fromkeys(self.draft.target_entity_ids)
        entities = (self.snapshot.entity(target_id) for target_id in target_ids)
        return tuple(entity for entity in entities if entity is not None)


def count_in_cell(candidates: Iterable[QueryCandidate], cell: Cell) -> int:
    """Count the candidates of one cell."""
    cells = [Cell(candidate.task_type, candidate.difficulty) for candidate in candidates]
    return cells.count(cell)
