"""Where independent pieces are computed: one after another here, or in processes of this machine.

A piece is a value that can be pickled, and so is its outcome. Computing one may end in any error;
it is the outcome of that piece and costs no other. Whoever asked for the outcomes writes them, one
by one, as they come.
"""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Generic, Protocol, TypeVar

Task = TypeVar("Task")
Computed = TypeVar("Computed")


@dataclass(frozen=True, slots=True)
class Settled(Generic[Task, Computed]):
    """How computing a piece ended.

    Attributes:
        task: The piece.
        outcome: What came of it; None where there was an error.
        error: The error; None where there was none.
    """

    task: Task
    outcome: Computed | None = None
    error: Exception | None = None


class PieceExecutor(Protocol):
    """Computes pieces somewhere."""

    def settle(
        self, compute: Callable[[Task], Computed], tasks: Iterable[Task]
    ) -> Generator[Settled[Task, Computed], None, None]:
        """Compute pieces; each outcome is given as soon as it is there, in any order.

        Pieces are taken from the iterable as there is room for them, so it may be long.
        """
        ...


class SequentialExecutor:
    """Computes pieces one after another in this process."""

    def settle(
        self, compute: Callable[[Task], Computed], tasks: Iterable[Task]
    ) -> Generator[Settled[Task, Computed], None, None]:
        """Compute pieces in their order."""
        for task in tasks:
            try:
                outcome = compute(task)
            except Exception as error:  # noqa: BLE001  # an error belongs to its piece alone
                yield Settled(task, error=error)
            else:
                yield Settled(task, outcome)


class ProcessExecutor:
    """Computes pieces in processes of this machine."""

    # Twice as many pieces as processes: one is ready when another ends, and no more are pickled.
    _WAITING_PER_PROCESS = 2

    def __init__(self, processes: int) -> None:
        """Take the number of processes, from 1."""
        self._processes = processes

    def settle(
        self, compute: Callable[[Task], Computed], tasks: Iterable[Task]
    ) -> Generator[Settled[Task, Computed], None, None]:
        """Compute pieces; outcomes come in the order in which they are ready."""
        limit = self._processes * self._WAITING_PER_PROCESS
        # Spawned, since a fork would copy locks of threads that wait for models.
        pool = ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))
        pending: dict[Future[Computed], Task] = {}
        try:
            for task in tasks:
                pending[pool.submit(compute, task)] = task
                while len(pending) >= limit:
                    yield from _settle_first(pending)
            while pending:
                yield from _settle_first(pending)
        finally:
            pool.shutdown(cancel_futures=True)


def _settle_first(
    pending: dict[Future[Computed], Task],
) -> Generator[Settled[Task, Computed], None, None]:
    ready, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in ready:
        task = pending.pop(future)
        error = future.exception()
        if error is None:
            yield Settled(task, future.result())
        elif isinstance(error, Exception):
            yield Settled(task, error=error)
        else:
            raise error
