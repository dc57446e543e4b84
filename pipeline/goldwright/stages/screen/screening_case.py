"""A draft on its way through the screen, and the candidates it is compared with."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from goldwright.plan import Cell
from goldwright.records import CandidateDraft, Evidence, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity


@dataclass(frozen=True, slots=True)
class ScreenRefusal:
    """Why a candidate is refused.

    Attributes:
        reason: The name of the rule.
        message: What breaks it.
    """

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
        """Count the accepted candidates of a cell."""
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
        shown_lines: The lines that its Author was shown; None where that was not recorded.
    """

    draft: CandidateDraft
    cell: Cell
    room: int
    snapshot: Snapshot
    accepted: AcceptedCandidates
    shown_lines: tuple[Evidence, ...] | None = None

    @cached_property
    def targets(self) -> tuple[Entity, ...]:
        """The target entities that resolve, each once."""
        # A dictionary keeps the order and each id once.
        target_ids = dict.fromkeys(self.draft.target_entity_ids)
        entities = map(self.snapshot.entity, target_ids)
        return tuple(entity for entity in entities if entity is not None)


def count_in_cell(candidates: Iterable[QueryCandidate], cell: Cell) -> int:
    """Count the candidates of one cell."""
    count = 0
    for candidate in candidates:
        if (candidate.task_type, candidate.difficulty) == cell:
            count += 1
    return count
