"""What metadata say of each batch of a version, and of all of them together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from goldwright.golden.spot_check_summaries import SpotCheckSummary
from goldwright.records import DIFFICULTIES, TASK_TYPES, GoldenLabel, Record
from goldwright.text import counted


class CellCount(Record):
    """The records of one cell of the plan.

    Attributes:
        task_type: The task type of the cell.
        difficulty: The difficulty of the cell.
        target: How many records the plan asks for; 0 where all of them came back from a rebase.
        count: How many records the dataset holds.
        emitted: How many candidates were written for the cell.
        fates: How many of the emitted candidates ended in each fate.
    """

    task_type: str
    difficulty: str
    target: int
    count: int
    emitted: int
    fates: dict[str, int]

    @property
    def fates_summary(self) -> str:
        """The fates that any candidate had, with their counts: ``3 blessed, 1 failed gate``."""
        counts: list[str] = []
        for fate, count in self.fates.items():
            if count:
                words = fate.replace("_", " ")
                counts.append(f"{count} {words}")
        return ", ".join(counts) or "nothing"


class BatchSummary(Record):
    """What is known of one batch of a version.

    Attributes:
        version: The version that it came in with.
        run: The run that made it.
        plan: The plan of the run.
        query_ids: Its records that are in the version.
        cells: How many of them each cell of the plan holds.
        human_reviewers: Everybody who reviewed it.
        sittings: Who reviewed in which review pass.
        spot_check: What people found in its sample; None where they decided each record.
        scripted_events: How many review events came from a script.
        minimum_total: How many records its plan asks for at the least.
        minimum_cell_share: Which share of its target each cell holds at the least, in 0..1.
    """

    version: str
    run: str
    plan: str
    query_ids: tuple[str, ...]
    cells: tuple[CellCount, ...]
    human_reviewers: tuple[str, ...]
    sittings: dict[str, tuple[str, ...]]
    spot_check: SpotCheckSummary | None
    scripted_events: int
    minimum_total: int
    minimum_cell_share: float

    @property
    def is_returned(self) -> bool:
        """Whether its records came back from a rebase, so that other batches count them already."""
        return self.plan == "rebase" and self.minimum_total == 0

    @property
    def in_short(self) -> str:
        """What a reader of a comparison wants to know: its size, plan and people."""
        people = ", ".join(self.human_reviewers) or "nobody"
        counted_records = counted(len(self.query_ids), "record")
        records = f"{counted_records} of {self.plan}"
        return f"{records} in {self.version}, reviewed by {people}"


class VersionBound(Record):
    """How many records of a whole version may be major or wrong.

    Attributes:
        records: How many records it holds.
        sampled: How many of them people drew and judged.
        upper_bound: The most that may be bad.
        confidence: The confidence of that, in 0..1.
    """

    records: int
    sampled: int
    upper_bound: int
    confidence: float


def remaining_batches(
    batches: Iterable[BatchSummary], labels: Sequence[GoldenLabel]
) -> Iterator[BatchSummary]:
    """Give batches with what a version holds of them; one of which nothing is left is none."""
    by_id = {label.query_id: label for label in labels}
    for batch in batches:
        query_ids = tuple(query_id for query_id in batch.query_ids if query_id in by_id)
        if not query_ids:
            continue
        records = [by_id[query_id] for query_id in query_ids]
        cells = tuple(counted_cells(batch.cells, records))
        yield batch.model_copy(update={"query_ids": query_ids, "cells": cells})


def counted_cells(cells: Iterable[CellCount], labels: Sequence[GoldenLabel]) -> Iterator[CellCount]:
    """Count the records of each cell again; targets and fates stay those of the run."""
    counts = Counter((label.task_type, label.difficulty) for label in labels)
    for cell in cells:
        key = (cell.task_type, cell.difficulty)
        yield cell.model_copy(update={"count": counts[key]})  # type: ignore[index]  # plain texts


def cells_of(batches: Sequence[BatchSummary]) -> tuple[CellCount, ...]:
    """Add up the cells of all batches, in the order of task types and difficulties.

    The batch that a record was made for asked for it; one to which it came back does not again.
    """
    totals: dict[tuple[str, str], CellCount] = {}
    for batch in batches:
        for cell in batch.cells:
            key = _key(cell)
            wanted_cell = cell.model_copy(update={"target": 0}) if batch.is_returned else cell
            totals[key] = _sum(totals.get(key), wanted_cell)
    keys = [(task_type, level) for task_type in TASK_TYPES for level in DIFFICULTIES]
    return tuple(totals[key] for key in keys if key in totals)


def reviewers_of(batches: Iterable[BatchSummary]) -> tuple[str, ...]:
    """Name everybody who reviewed any batch, once."""
    names: set[str] = set()
    for batch in batches:
        names.update(batch.human_reviewers)
    return tuple(sorted(names))


def sittings_of(batches: Iterable[BatchSummary]) -> dict[str, tuple[str, ...]]:
    """Name who reviewed in which pass of any batch."""
    names: dict[str, set[str]] = {}
    for batch in batches:
        for sitting, reviewers in batch.sittings.items():
            names.setdefault(sitting, set()).update(reviewers)
    return {sitting: tuple(sorted(reviewers)) for sitting, reviewers in sorted(names.items())}


def floor_shortfalls(batches: Sequence[BatchSummary]) -> Iterator[str]:
    """Say which floors of its plan a batch does not keep any more, a sentence each.

    Records that came back from a rebase, and that people settled, fill up the batches that they
    were lost from, the oldest one first.
    """
    settled = _settled_cells(batches)
    for batch in batches:
        if batch.is_returned:
            continue
        cells = tuple(_filled_up(batch.cells, settled))
        filled_count = sum(cell.count for cell in cells)
        batch_count = sum(cell.count for cell in batch.cells)
        came_back = filled_count - batch_count
        yield from _batch_shortfalls(batch, cells, came_back)


def _batch_shortfalls(
    batch: BatchSummary, cells: Sequence[CellCount], came_back: int
) -> Iterator[str]:
    count = len(batch.query_ids) + came_back
    if count < batch.minimum_total:
        records = counted(count, "record")
        if came_back:
            records += f" with {came_back} that came back to people and were settled"
        yield (
            f"The batch of version {batch.version} holds {records}, where its plan "
            f"wants at least {batch.minimum_total}."
        )
    for cell in cells:
        if cell.count < batch.minimum_cell_share * cell.target:
            cell_name = f"{cell.task_type}/{cell.difficulty}"
            place = f"{cell_name} of the batch of version {batch.version}"
            yield f"The cell {place} holds {cell.count} of {cell.target} records."


def _settled_cells(batches: Iterable[BatchSummary]) -> Counter[tuple[str, str]]:
    """Count by cell the records that came back from a rebase and were settled."""
    settled: Counter[tuple[str, str]] = Counter()
    for batch in batches:
        if batch.is_returned:
            counts = {_key(cell): cell.count for cell in batch.cells}
            settled.update(counts)
    return settled


def _filled_up(
    cells: Iterable[CellCount], settled: Counter[tuple[str, str]]
) -> Iterator[CellCount]:
    """Add what was settled to cells that lack it, and take it from what is left for others."""
    for cell in cells:
        key = _key(cell)
        missing_count = max(0, cell.target - cell.count)
        added = min(missing_count, settled[key])
        settled[key] -= added
        yield cell.model_copy(update={"count": cell.count + added})


def bound_of(batches: Sequence[BatchSummary]) -> VersionBound | None:
    """Bound the bad records of a whole version; None where no batch has a sample.

    The bounds of the batches add up, and so do their risks (Boole's inequality). Records of a batch
    without a sample, and such that nothing bounds, all count.
    """
    checks = [batch.spot_check for batch in batches]
    if all(check is None for check in checks):
        return None
    upper_bound = 0
    risk = 0.0
    sampled = 0
    for batch in batches:
        check = batch.spot_check
        records = len(batch.query_ids)
        if check is None:
            upper_bound += records
            continue
        bounds = (check.upper_bound, check.upper_bound_stratified, check.upper_bound_corrected)
        largest = max(bound for bound in bounds if bound is not None)
        upper_bound += min(largest, records)
        risk += 1 - check.confidence
        sampled += check.sampled
    records_of_all = sum(len(batch.query_ids) for batch in batches)
    confidence = max(0.0, round(1 - risk, 9))
    return VersionBound(
        records=records_of_all, sampled=sampled, upper_bound=upper_bound, confidence=confidence
    )


def _key(cell: CellCount) -> tuple[str, str]:
    return cell.task_type, cell.difficulty


def _sum(total: CellCount | None, cell: CellCount) -> CellCount:
    if total is None:
        return cell
    fates = Counter(total.fates)
    fates.update(cell.fates)
    return CellCount(
        task_type=cell.task_type,
        difficulty=cell.difficulty,
        target=total.target + cell.target,
        count=total.count + cell.count,
        emitted=total.emitted + cell.emitted,
        fates=dict(sorted(fates.items())),
    )
