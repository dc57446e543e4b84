"""The rules by which a candidate enters the run, one function each; the first that objects wins."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate, opening
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.identifiers import leaked_identifiers
from goldwright.stages.screen.tier import tier_objection
from goldwright.stats.jaccard import containment, jaccard
from goldwright.task_types import definition_of

LARGEST_OVERLAP: Final = 0.5
NEAR_REPEAT: Final = 0.8
SAME_OPENING_IN_CELL: Final = 2
SAME_OPENING_IN_BATCH: Final = 8

Question = tuple[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class ScreenRefusal:
    """Why a candidate stays out: the rule's name and the fact."""

    reason: str
    message: str


@dataclass(frozen=True)
class ScreeningCase:
    """A draft on its way through the rules, with what they look at."""

    draft: CandidateDraft
    cell: Cell
    room: int
    snapshot: Snapshot
    accepted: "AcceptedCandidates"

    @cached_property
    def targets(self) -> tuple[Entity, ...]:
        """The target entities that resolve, each once."""
        found = (
            self.snapshot.entity(target) for target in dict.fromkeys(self.draft.target_entity_ids)
        )
        return tuple(entity for entity in found if entity is not None)


@dataclass
class AcceptedCandidates:
    """The candidates that are in, with what the rules ask of them counted.

    ``spent_targets`` are entities about which people turned records of an earlier batch down.
    """

    candidates: list[QueryCandidate] = field(default_factory=list)
    spent_targets: frozenset[str] = frozenset()

    def add(self, candidate: QueryCandidate) -> None:
        """Let one more in."""
        self.candidates.append(candidate)

    def in_cell(self, cell: Cell) -> int:
        """How many stand in a cell."""
        return sum(Cell(one.task_type, one.difficulty) == cell for one in self.candidates)


def screen(case: ScreeningCase) -> ScreenRefusal | None:
    """Ask every rule in turn; ``None`` means that the candidate may enter."""
    for reason, rule in RULES:
        message = rule(case)
        if message is not None:
            return ScreenRefusal(reason, message)
    return None


def leaks(case: ScreeningCase) -> tuple[str, ...]:
    """The identifiers of targets that the query names."""
    return leaked_identifiers(case.draft.query_text, case.draft.target_entity_ids)


def repeats(asked: Question, earlier: Question) -> str | None:
    """Tell in which way a question repeats an earlier one, if it does; the text goes on with the
    earlier one's id.
    """
    if containment(frozenset(asked[1]), frozenset(earlier[1])) > LARGEST_OVERLAP:
        return "over half of its targets are targets of"
    if jaccard(_words(asked[0]), _words(earlier[0])) >= NEAR_REPEAT:
        return "its wording nearly repeats"
    return None


def may_name_its_target(cell: Cell) -> bool:
    """Tell whether a query of this cell may hold an identifier of its target."""
    is_allowed = definition_of(cell.task_type).may_name_target_when_easy
    return cell.difficulty == "easy" and is_allowed


def _overflow(case: ScreeningCase) -> str | None:
    if case.room > 0:
        return None
    return f"the cell {case.cell} has no room left"


def _no_target(case: ScreeningCase) -> str | None:
    return None if case.draft.target_entity_ids else "no target entity is named"


def _unresolved_target(case: ScreeningCase) -> str | None:
    missing = [one for one in case.draft.target_entity_ids if case.snapshot.entity(one) is None]
    return f"{missing[0]} is no entity of the snapshot" if missing else None


def _identifier_leak(case: ScreeningCase) -> str | None:
    found = leaks(case)
    if not found or may_name_its_target(case.cell):
        return None
    return f"the query holds {found[0]!r}, an identifier of its target"


def _file_structure(case: ScreeningCase) -> str | None:
    if not definition_of(case.cell.task_type).hides_file_named_after_target:
        return None
    for target in case.targets:
        if _is_given_away_by_its_file(target, case.snapshot):
            return f"{target.entity_id} is the only public symbol of a file named after it"
    return None


def _is_given_away_by_its_file(target: Entity, snapshot: Snapshot) -> bool:
    top = target.name.partition(".")[0]
    if _letters(PurePosixPath(target.path).stem) != _letters(top):
        return False
    public = {
        entity.name
        for entity in snapshot.entities_in(target.path)
        if "." not in entity.name
        and entity.kind in {"class", "function"}
        and not entity.name.startswith("_")
    }
    return public <= {top}


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _tier(case: ScreeningCase) -> str | None:
    return tier_objection(case.cell, case.targets, case.snapshot)


def _spent_target(case: ScreeningCase) -> str | None:
    spent = [
        target for target in case.draft.target_entity_ids if target in case.accepted.spent_targets
    ]
    return f"people turned down a record about {spent[0]} in an earlier round" if spent else None


def _duplicate(case: ScreeningCase) -> str | None:
    asked = (case.draft.query_text, case.draft.target_entity_ids)
    for other in case.accepted.candidates:
        message = repeats(asked, (other.query_text, other.target_entity_ids))
        if message is not None:
            return f"{message} {other.query_id}"
    return None


def _phrasing(case: ScreeningCase) -> str | None:
    start = opening(case.draft.query_text)
    same = [one for one in case.accepted.candidates if one.opening == start]
    in_cell = _count_in(case.cell, same)
    if in_cell >= SAME_OPENING_IN_CELL:
        return f"{in_cell} candidates of {case.cell} already open with {' '.join(start)!r}"
    if len(same) >= SAME_OPENING_IN_BATCH:
        return f"{len(same)} candidates of the batch already open with {' '.join(start)!r}"
    return None


def _count_in(cell: Cell, candidates: Iterable[QueryCandidate]) -> int:
    return sum(Cell(one.task_type, one.difficulty) == cell for one in candidates)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


Rule = Callable[[ScreeningCase], str | None]

RULES: Final[Sequence[tuple[str, Rule]]] = (
    ("overflow", _overflow),
    ("no_target", _no_target),
    ("unresolved_target", _unresolved_target),
    ("identifier_leak", _identifier_leak),
    ("file_structure", _file_structure),
    ("tier", _tier),
    ("spent_target", _spent_target),
    ("duplicate", _duplicate),
    ("phrasing", _phrasing),
)
