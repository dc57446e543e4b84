"""Working many cases at once, and telling a failure from a result.

A verdict, good or bad, is a result and is written. An exception is a failure: the case stays
unfinished, the others go on, and the next resume tries it again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from goldwright.errors import GoldwrightError, ItemCeilingError, QuarantineError, UnansweredError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CaseFailure:
    """A case that could not be finished: its name, and the exception that stopped it."""

    case: str
    error: Exception


def is_given_up(failed: CaseFailure) -> bool:
    """Tell whether a case failed by itself, so that the others, and what follows, can go on without
    it.
    """
    error = failed.error
    return isinstance(error, ItemCeilingError) or (
        isinstance(error, QuarantineError) and not isinstance(error, UnansweredError)
    )


async def work_through(
    cases: Sequence[T],
    work: Callable[[int, T], Awaitable[None]],
    *,
    name: Callable[[T], str],
    release: Callable[[int], None],
    limit: int,
) -> tuple[CaseFailure, ...]:
    """Work every case, at most ``limit`` at a time, started in their order.

    ``release`` is told the place of every case that ended, well or in failure; a case that is
    cut off by a signal or by an error that stops the run is not released.

    Returns:
        The cases that failed, in their order. An error of the program's own state, input or
        budget is none of them: it stops everything.
    """
    gate = asyncio.Semaphore(limit)
    failed: dict[int, CaseFailure] = {}

    async def one(place: int, case: T) -> None:
        async with gate:
            await asyncio.sleep(0)
            try:
                await work(place, case)
            except QuarantineError as error:
                failed[place] = CaseFailure(name(case), error)
            except GoldwrightError:
                raise
            except (
                Exception
            ) as error:  # the one place where a failure of a single case is contained
                failed[place] = CaseFailure(name(case), error)
            release(place)

    try:
        async with asyncio.TaskGroup() as group:
            for place, case in enumerate(cases):
                group.create_task(one(place, case))
    except* GoldwrightError as errors:
        raise _first(errors) from errors
    return tuple(failed[place] for place in sorted(failed))


def _first(errors: BaseExceptionGroup[GoldwrightError]) -> GoldwrightError:
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    if not isinstance(found, GoldwrightError):
        raise TypeError(f"a group of {type(found).__name__}") from found
    return found
