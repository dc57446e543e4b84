"""What metadata say of each batch of a version, and of all of them together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from goldwright.golden.metadata import BatchSummary, CellCount, VersionBound
from goldwright.records import DIFFICULTIES, TASK_TYPES, GoldenLabel
from goldwright.text import counted


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
    """Add up the cells of all batches, in the order of task types and difficulties."""
    totals: dict[tuple[str, str], CellCount] = {}
    for batch in batches:
        for cell in batch.cells:
            key = (cell.task_type, cell.difficulty)
            totals[key] = _sum(totals.get(key), cell)
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


def floor_shortfalls(batches: Iterable[BatchSummary]) -> Iterator[str]:
    """Say which floors of its plan a batch does not keep any more, a sentence each."""
    for batch in batches:
        count = len(batch.query_ids)
        if count < batch.minimum_total:
            yield (
                f"The batch of version {batch.version} holds {counted(count, 'record')}, "
                f"fewer than the {batch.minimum_total} its plan wants."
            )
        for cell in batch.cells:
            if cell.count < batch.minimum_cell_share * cell.target:
                place = (
                    f"{cell.task_type}/{cell.difficulty} of the batch of version {batch.version}"
                )
                yield f"The cell {place} holds {cell.count} of {cell.target} records."


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
