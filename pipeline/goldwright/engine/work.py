"""Work that is computed in one place and written in another.

A case is worked on in pieces. Computing a piece writes nothing, so an executor may compute it
anywhere; its outcome is written here, by the one writer of the run, before the next piece of the
same case begins.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from goldwright.engine.interrupts import is_interrupted

Case = TypeVar("Case")
CaseIn = TypeVar("CaseIn", contravariant=True)
Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")


class Work(Protocol[CaseIn, Piece, Outcome]):
    """What is done with each case of a batch; a place is the position of a case, from 0."""

    def name(self, case: CaseIn) -> str:
        """The name of a case in messages."""
        ...

    def next_piece(self, place: int, case: CaseIn) -> Piece | None:
        """The next piece that a case still needs, or None when it is finished."""
        ...

    async def compute(self, piece: Piece) -> Outcome:
        """Compute a piece and write nothing.

        Raises:
            QuarantineError: This case cannot be finished now; the others go on.
            GoldwrightError: Nothing can go on.
        """
        ...

    def write(self, place: int, piece: Piece, outcome: Outcome) -> None:
        """Write the outcome of a piece, durably, before the next piece of its case."""
        ...

    def release(self, place: int) -> None:
        """Take note that nothing more will be written for a place by this process."""
        ...


class Executor(Protocol):
    """Where pieces are computed."""

    async def compute(
        self, compute: Callable[[Piece], Awaitable[Outcome]], piece: Piece
    ) -> Outcome:
        """Compute one piece; an error of the computation is raised as it is.

        After an interrupt (``is_interrupted``) none is begun: of several pieces whose turn has come
        already, each would otherwise compute for as long as it takes.

        Raises:
            asyncio.CancelledError: An interrupt has come.
        """
        ...


class LocalExecutor:
    """Computes pieces in this process, where waiting for models takes most of the time."""

    async def compute(self, compute: Callable[[Any], Awaitable[Outcome]], piece: object) -> Outcome:
        """Compute one piece, here and now; none is begun after an interrupt."""
        if is_interrupted():
            raise asyncio.CancelledError
        return await compute(piece)
