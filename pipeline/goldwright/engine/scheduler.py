"""Works on many cases at once, and keeps failures apart from results.

A verdict, good or bad, is a result and is written. An exception is a failure: the case stays
unfinished, the others go on, and the next resume tries it again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

from goldwright.engine.task_groups import task_group
from goldwright.engine.work import Case, Executor, Outcome, Piece, Work
from goldwright.errors import GoldwrightError, ItemCeilingError, QuarantineError, UnansweredError
from goldwright.machine_limits import limit_error


@dataclass(frozen=True, slots=True)
class CaseFailure:
    """A case that could not be finished: its name, and the exception that stopped it."""

    case: str
    error: Exception


def is_given_up(failure: CaseFailure) -> bool:
    """Whether the cause lies in the case alone, so that everything else can go on without it."""
    error = failure.error
    # A kind of UnansweredError, but its ceiling concerns the one case only.
    if isinstance(error, ItemCeilingError):
        return True
    has_answers = not isinstance(error, UnansweredError)
    return isinstance(error, QuarantineError) and has_answers


async def work_through(
    cases: Sequence[Case],
    work: Work[Case, Piece, Outcome],
    *,
    executor: Executor,
    limit: int,
    first_place: int = 0,
) -> tuple[CaseFailure, ...]:
    """Work on every case, at most ``limit`` at a time, started in their order.

    The place of every case that ended, well or in failure, is released; that of a case that was cut
    off by a signal or by an error that stops the run is not.

    Args:
        cases: The cases of one batch.
        work: What is done with each of them.
        executor: Where their pieces are computed.
        limit: How many cases may be under way at once.
        first_place: The place of the first case, so that several batches can follow one another.

    Returns:
        The cases that failed, in their order.

    Raises:
        GoldwrightError: The program's own state, its input or its budget stops everything.
    """
    batch = _Batch(work, executor, asyncio.Semaphore(limit))
    async with task_group() as group:
        for place, case in enumerate(cases, start=first_place):
            group.create_task(batch.work_on(place, case))
    return batch.failures_in_order()


@dataclass(frozen=True, slots=True)
class _Batch(Generic[Case, Piece, Outcome]):
    """The cases under way, and the failures among them by place."""

    work: Work[Case, Piece, Outcome]
    executor: Executor
    free_places: asyncio.Semaphore
    failures: dict[int, CaseFailure] = field(default_factory=dict)

    async def work_on(self, place: int, case: Case) -> None:
        """Finish one case, or keep the failure that stopped it."""
        async with self.free_places:
            # Every case stands in line before the first one begins, so they begin in order.
            await asyncio.sleep(0)
            try:
                await self._finish(place, case)
            except QuarantineError as error:
                self._add_failure(place, case, error)
            # Not contained: its case is not released and no place is settled, so that a resume
            # finds the files as they would be had the process been killed here.
            except GoldwrightError:
                raise
            except Exception as error:  # the one place that contains a failing case
                # No case can do anything about the machine, and the next one would fail as well.
                if (limit := limit_error(error)) is not None:
                    raise limit from error
                self._add_failure(place, case, error)
            self.work.release(place)

    def failures_in_order(self) -> tuple[CaseFailure, ...]:
        """List the failures in the order of their cases."""
        return tuple(self.failures[place] for place in sorted(self.failures))

    async def _finish(self, place: int, case: Case) -> None:
        """Compute and write the pieces of a case until there are no more."""
        while (piece := self.work.next_piece(place, case)) is not None:
            outcome = await self.executor.compute(self.work.compute, piece)
            self.work.write(place, piece, outcome)

    def _add_failure(self, place: int, case: Case, error: Exception) -> None:
        self.failures[place] = CaseFailure(self.work.name(case), error)
