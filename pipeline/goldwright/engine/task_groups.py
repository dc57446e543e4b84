"""Task groups out of which the error that stopped the work comes as itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from goldwright.errors import GoldwrightError


@asynccontextmanager
async def task_group() -> AsyncIterator[asyncio.TaskGroup]:
    """Run tasks together; the first error of the program's own is raised in place of a group.

    The first one cancelled the others; it is the one that the user has to act on.

    Raises:
        GoldwrightError: A task failed with it.
    """
    stopping: BaseExceptionGroup[GoldwrightError] | None = None
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except* GoldwrightError as errors:
        stopping = errors
    # Not raised in the clause: Python before 3.11.4 would put it into a group of its own.
    if stopping is not None:
        raise _first_error(stopping) from stopping


def _first_error(errors: BaseExceptionGroup[GoldwrightError]) -> GoldwrightError:
    error: BaseException = errors
    # Groups hold groups where a case itself worked in a task group.
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, GoldwrightError):
        kind = type(error).__name__
        raise TypeError(f"a group of {kind}") from error
    return error
