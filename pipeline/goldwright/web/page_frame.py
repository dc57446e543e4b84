"""The frame around every page: who reviews what, the queues, and the map of cells."""

from dataclasses import dataclass
from itertools import chain
from typing import Literal

from goldwright.plan import Cell, Plan
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.review.queues import VERDICT_QUEUES, QueueItem, ReviewQueue
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView


@dataclass(frozen=True, slots=True)
class CellSquare:
    """One cell of the plan in the map.

    Attributes:
        cell: The cell.
        judged: How many of its records to judge have a verdict of this pass.
        total: How many of its records are to be judged.
        is_here: Whether the record on screen is in this cell.
    """

    cell: Cell
    judged: int
    total: int
    is_here: bool

    @property
    def state(self) -> Literal["none", "open", "begun", "done"]:
        """The class with which the style sheet draws the square."""
        if not self.total:
            return "none"
        if not self.judged:
            return "open"
        if self.judged < self.total:
            return "begun"
        return "done"


SquareRow = tuple[CellSquare, ...]
SquareRows = tuple[SquareRow, ...]


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What every page shows around its content.

    Attributes:
        run: The name of the run.
        reviewer: Who reviews.
        review_pass: The pass they take part in.
        queues: The queues of the pass.
        squares: The map: a row of squares for each task type of the plan.
        covered: How many cells have a verdict.
        cells: How many cells have records to judge.
        reviewed: How many records have a verdict or decision.
        total: How many records the queues hold.
        is_practice: Whether the numbers are those of a training round.
    """

    run: str
    reviewer: str
    review_pass: str
    queues: tuple[ReviewQueue, ...]
    squares: SquareRows
    covered: int
    cells: int
    reviewed: int
    total: int
    is_practice: bool = False


def make_frame(
    session: ReviewSession, view: SessionView, on_screen: QueueItem | None, *, run: str
) -> PageFrame:
    """Make the frame of a page.

    Args:
        session: The review session.
        view: What it sees.
        on_screen: The record on screen; None where the page shows none.
        run: The name of the run.
    """
    squares = _squares(view, on_screen)
    states = [square.state for square in chain.from_iterable(squares)]
    cells = len(states) - states.count("none")
    covered = cells - states.count("open")
    return PageFrame(
        run=run,
        reviewer=session.reviewer,
        review_pass=session.review_pass,
        queues=view.queues,
        squares=squares,
        covered=covered,
        cells=cells,
        reviewed=view.done,
        total=len(view.items),
    )


def _squares(view: SessionView, on_screen: QueueItem | None) -> SquareRows:
    to_judge = [item for item in view.items if item.queue in VERDICT_QUEUES]
    rows = []
    for cells in _rows_of_cells(view.batch.plan):
        row = [_square(cell, to_judge, on_screen) for cell in cells]
        rows.append(tuple(row))
    return tuple(rows)


def _rows_of_cells(plan: Plan) -> list[list[Cell]]:
    """All cells of each task type of which the plan has at least one."""
    rows = []
    for task_type in TASK_TYPES:
        cells = [Cell(task_type, difficulty) for difficulty in DIFFICULTIES]
        if any(plan.target(cell) for cell in cells):
            rows.append(cells)
    return rows


def _square(cell: Cell, to_judge: list[QueueItem], on_screen: QueueItem | None) -> CellSquare:
    items = [item for item in to_judge if item.cell == cell]
    judged = sum(not item.is_open for item in items)
    is_here = on_screen is not None and on_screen.cell == cell
    return CellSquare(cell, judged, len(items), is_here)
