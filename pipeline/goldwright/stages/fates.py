"""Where every record of a run stands: a pure function of its stage files and its plan."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.plan import Cell, Plan
from goldwright.records import CellRecord
from goldwright.stages.stage_files import StageFiles

Fate = Literal["blessed", "pending", "reserve", "queued", "failed_gate", "rejected", "open"]
FATES: Final[tuple[Fate, ...]] = (
    "blessed",
    "pending",
    "reserve",
    "queued",
    "failed_gate",
    "rejected",
    "open",
)


@dataclass(frozen=True, slots=True)
class HumanRulings:
    """What people decided against the run's own outcome: ids that are in after all, and ids that
    are out.

    ``sampled`` ids have the first claim to a place: what they show is about the dataset as it was
    drawn.
    """

    kept: frozenset[str] = frozenset()
    sampled: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()


NO_RULINGS: Final = HumanRulings()


@dataclass(frozen=True, slots=True)
class RecordFate:
    """One record's cell and fate.

    ``pending`` is a record selected for the dataset that waits for people; ``open`` is one the run
    has not finished with. Every other fate is final until a person decides otherwise.
    """

    query_id: str
    cell: Cell
    fate: Fate


def record_fates(
    plan: Plan,
    stage_files: StageFiles,
    rulings: HumanRulings = NO_RULINGS,
    *,
    is_blessed: bool = False,
) -> tuple[RecordFate, ...]:
    """Give every emitted candidate exactly one fate, in the order of their ids.

    What people kept fills the places that are left, so it never pushes out a record of the sample.
    With ``is_blessed``, what waits for people waits no more.
    """
    taken: Counter[Cell] = Counter()
    found = {
        record.query_id: RecordFate(record.query_id, _cell(record), "rejected")
        for record in stage_files.rejected.done.values()
    }
    in_turn = sorted(
        stage_files.candidates.done.values(), key=lambda one: _turn(one.query_id, rulings)
    )
    for candidate in in_turn:
        if candidate.query_id in found:
            continue
        cell = _cell(candidate)
        fate = _ruled(candidate.query_id, stage_files, rulings)
        if fate == "pending":
            taken[cell] += 1
            selected: Fate = "blessed" if is_blessed else "pending"
            fate = selected if taken[cell] <= plan.target(cell) else "reserve"
        found[candidate.query_id] = RecordFate(candidate.query_id, cell, fate)
    return tuple(found[query_id] for query_id in sorted(found))


def survivors_by_cell(plan: Plan, stage_files: StageFiles) -> Counter[Cell]:
    """Count the records of each cell that agreement let through."""
    return Counter(
        one.cell
        for one in record_fates(plan, stage_files)
        if one.fate in {"blessed", "pending", "reserve"}
    )


def fates_by_cell(found: tuple[RecordFate, ...]) -> Mapping[Cell, Counter[Fate]]:
    """Count the fates of each cell."""
    counts: dict[Cell, Counter[Fate]] = {}
    for one in found:
        counts.setdefault(one.cell, Counter())[one.fate] += 1
    return counts


def _turn(query_id: str, rulings: HumanRulings) -> int:
    if query_id in rulings.kept:
        return 2
    return 0 if query_id in rulings.sampled else 1


def _ruled(query_id: str, stage_files: StageFiles, rulings: HumanRulings) -> Fate:
    if query_id in rulings.dropped:
        return "rejected"
    return "pending" if query_id in rulings.kept else _fate(query_id, stage_files)


def _fate(query_id: str, stage_files: StageFiles) -> Fate:
    if query_id in stage_files.failures.done:
        return "failed_gate"
    if query_id in stage_files.queue.done:
        return "queued"
    verdict = stage_files.verdicts.done.get(query_id)
    return "pending" if verdict is not None and verdict.verdict == "equivalent" else "open"


def _cell(record: CellRecord) -> Cell:
    return Cell(record.task_type, record.difficulty)
