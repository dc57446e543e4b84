"""Where every record of a run stands: a pure function of its stage files and its plan."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from goldwright.plan import Cell, Plan
from goldwright.stages.cell_places import NO_RULINGS, HumanRulings, in_order_of_claims
from goldwright.stages.stage_files import StageFiles

Fate = Literal["blessed", "pending", "reserve", "queued", "failed_gate", "rejected", "open"]
FATES: Final[tuple[Fate, ...]] = get_args(Fate)

# The fates of records that agreement let through.
SURVIVING_FATES: Final[frozenset[Fate]] = frozenset({"blessed", "pending", "reserve"})


@dataclass(frozen=True, slots=True)
class RecordFate:
    """One record's cell and fate.

    Attributes:
        query_id: The id of the record.
        cell: Its cell.
        fate: ``pending`` is a record selected for the dataset that waits for people; ``open`` is
            one that the run has not finished with. Every other fate is final until a person
            decides otherwise.
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
    """Find the one fate of every emitted candidate, in the order of their ids.

    Args:
        plan: The plan of the run; survivors beyond a cell's target are in reserve.
        stage_files: The records of the run.
        rulings: What people decided.
        is_blessed: Whether people have blessed the batch, so that nothing waits for them.
    """
    fates: dict[str, RecordFate] = {}
    for rejected in stage_files.rejected.done.values():
        cell = Cell(rejected.task_type, rejected.difficulty)
        fates[rejected.query_id] = RecordFate(rejected.query_id, cell, "rejected")
    survivors: Counter[Cell] = Counter()
    candidates = stage_files.candidates.done.values()
    for candidate in in_order_of_claims(candidates, rulings):
        query_id = candidate.query_id
        # A candidate that a person took out is in both files, and is rejected.
        if query_id in fates:
            continue
        cell = Cell(candidate.task_type, candidate.difficulty)
        fate = _fate_before_selection(query_id, stage_files, rulings)
        if fate == "pending":
            survivors[cell] += 1
            is_selected = survivors[cell] <= plan.target(cell)
            fate = _fate_of_survivor(is_selected=is_selected, is_blessed=is_blessed)
        fates[query_id] = RecordFate(query_id, cell, fate)
    return tuple(fates[query_id] for query_id in sorted(fates))


def survivors_by_cell(plan: Plan, stage_files: StageFiles) -> Counter[Cell]:
    """Count the records of each cell that agreement let through."""
    fates = record_fates(plan, stage_files)
    return Counter(record.cell for record in fates if record.fate in SURVIVING_FATES)


def fates_by_cell(fates: tuple[RecordFate, ...]) -> Mapping[Cell, Counter[Fate]]:
    """Count the fates of each cell."""
    counts: defaultdict[Cell, Counter[Fate]] = defaultdict(Counter)
    for record in fates:
        counts[record.cell][record.fate] += 1
    return dict(counts)


def _fate_before_selection(query_id: str, stage_files: StageFiles, rulings: HumanRulings) -> Fate:
    """The fate of a candidate by itself; ``pending`` where its cell still has to take it."""
    # People have the last word, so their rulings are looked up before the run's own outcome.
    if query_id in rulings.dropped:
        return "rejected"
    if query_id in rulings.reinstated:
        return "pending"
    if query_id in stage_files.failures.done:
        return "failed_gate"
    if query_id in stage_files.queue.done:
        return "queued"
    verdict = stage_files.verdicts.done.get(query_id)
    if verdict is not None and verdict.verdict == "equivalent":
        return "pending"
    return "open"


def _fate_of_survivor(*, is_selected: bool, is_blessed: bool) -> Fate:
    if not is_selected:
        return "reserve"
    return "blessed" if is_blessed else "pending"
