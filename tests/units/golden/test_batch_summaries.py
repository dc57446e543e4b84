"""What a version says of its batches, where records went back to people and were settled."""

from collections.abc import Mapping

from goldwright.golden.batch_summaries import BatchSummary, CellCount, cells_of, floor_shortfalls


def _batch(
    counts: Mapping[str, tuple[int, int]], plan: str, *, version: str = "1.0", minimum: int = 0
) -> BatchSummary:
    """Make a batch of cells (count, target) of ``locate``, by difficulty."""
    cells = [
        CellCount(
            task_type="locate",
            difficulty=difficulty,
            target=target,
            count=count,
            emitted=count,
            fates={"blessed": count},
        )
        for difficulty, (count, target) in counts.items()
    ]
    total = sum(count for count, _ in counts.values())
    return BatchSummary(
        version=version,
        run="run",
        plan=plan,
        query_ids=tuple(f"q_{version}_{number}" for number in range(total)),
        cells=tuple(cells),
        human_reviewers=(),
        sittings={},
        spot_check=None,
        scripted_events=0,
        minimum_total=minimum,
        minimum_cell_share=0.8 if minimum else 0.0,
    )


def test_records_that_came_back_are_asked_for_once() -> None:
    first = _batch({"easy": (4, 7)}, "phase1", minimum=7)
    returned = _batch({"easy": (2, 3)}, "rebase", version="1.2")
    (cell,) = cells_of((first, returned))
    assert (cell.count, cell.target) == (6, 7)


def test_records_of_others_are_asked_for_beside_those_of_a_plan() -> None:
    first = _batch({"easy": (7, 7)}, "phase1", minimum=7)
    adopted = _batch({"easy": (2, 2)}, "adopt", version="1.1")
    (cell,) = cells_of((first, adopted))
    assert (cell.count, cell.target) == (9, 9)


def test_what_came_back_fills_up_the_batch_that_lost_it() -> None:
    first = _batch({"easy": (4, 5), "hard": (3, 5)}, "phase1", minimum=8)
    returned = _batch({"hard": (2, 2)}, "rebase", version="1.2")
    assert list(floor_shortfalls((first,))) == [
        "The batch of version 1.0 holds 7 records, where its plan wants at least 8.",
        "The cell locate/hard of the batch of version 1.0 holds 3 of 5 records.",
    ]
    assert not list(floor_shortfalls((first, returned)))


def test_what_came_back_to_another_cell_fills_up_nothing() -> None:
    first = _batch({"easy": (5, 5), "hard": (3, 5)}, "phase1", minimum=8)
    returned = _batch({"easy": (2, 2)}, "rebase", version="1.2")
    assert list(floor_shortfalls((first, returned))) == [
        "The cell locate/hard of the batch of version 1.0 holds 3 of 5 records."
    ]
