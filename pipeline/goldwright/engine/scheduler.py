"""Working many cases at once, and telling a failure from a result.

A verdict, good or bad, is a result and is written. An exception is a failure: the case stays
unfinished, the others go on, and the next resume tries it again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.engine.work import Case, Executor, Outcome, Piece, Work
from goldwright.errors import GoldwrightError, ItemCeilingError, QuarantineError, UnansweredError


@dataclass(frozen=True, slots=True)
class CaseFailure:
    """A case that could not be finished: its name, and the exception that stopped it."""

    case: str
    error: Exception


def is_given_up(failure: CaseFailure) -> bool:
    """Tell whether a case failed by itself, so that everything else can go on without it."""
    error = failure.error
    if isinstance(error, ItemCeilingError):
        return True
    return isinstance(error, QuarantineError) and not isinstance(error, UnansweredError)


async def work_through(
    cases: Sequence[Case],
    work: Work[Case, Piece, Outcome],
    *,
    executor: Executor,
    limit: int,
    first_place: int = 0,
) -> tuple[CaseFailure, ...]:
    """Work every case, at most ``limit`` at a time, started in their order.

    Places are counted from ``first_place``, so that several batches can follow one another.

    The place of every case that ended, well or in failure, is released; a case that is cut off by
    a signal or by an error that stops the run is not.

    Returns:
        The cases that failed, in their order. An error of the program's own state, input or
        budget is none of them: it stops everything.
    """
    free_places = asyncio.Semaphore(limit)
    failures: dict[int, CaseFailure] = {}

    async def work_case(place: int, case: Case) -> None:
        async with free_places:
            # Every case stands in line before the first one begins, so they begin in order.
            await asyncio.sleep(0)
            try:
                await _finish(place, case, work, executor)
            except QuarantineError as error:
                failures[place] = CaseFailure(work.name(case), error)
            except GoldwrightError:
                raise
            except Exception as error:  # the one place where a failing case is contained
                failures[place] = CaseFailure(work.name(case), error)
            work.release(place)

    try:
        async with asyncio.TaskGroup() as group:
            for place, case in enumerate(cases, start=first_place):
                group.create_task(work_case(place, case))
    except* GoldwrightError as errors:
        raise _first_error(errors) from errors
    return tuple(failures[place] for place in sorted(failures))


async def _finish(
    place: int, case: Case, work: Work[Case, Piece, Outcome], executor: Executor
) -> None:
    """Compute and write the pieces of a case until there is none left."""
    while (piece := work.next_piece(place, case)) is not None:
        outcome = await executor.compute(work.compute, piece)
        work.write(place, piece, outcome)


def _first_error(errors: BaseExceptionGroup[GoldwrightError]) -> GoldwrightError:
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, GoldwrightError):
        raise TypeError(f"a group of {type(error).__name__}") from error
    return error
