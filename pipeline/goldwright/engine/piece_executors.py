"""Where independent pieces are computed: one after another here, or in processes of this machine.

A piece is a value that can be pickled, and so is its outcome. Computing one may end in any error;
it is the outcome of that piece and costs no other. Whoever asked for the outcomes writes them, one
by one, as they come.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Generic, Protocol, TypeVar

from goldwright.errors import GoldwrightError

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


class ProcessDiedError(GoldwrightError):
    """The process that computed a piece was killed, or ended by itself."""

    def __init__(self) -> None:
        super().__init__("its process died, as if it was killed or had no memory left")


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
    """Computes pieces in processes of this machine.

    A process that dies takes its pool along, and nobody can tell which piece it had: each piece
    that was under way is computed once more, in a process of its own, and the one whose process
    dies again has that for its error.
    """

    # Twice as many pieces as processes: one is ready when another ends, and no more are pickled.
    _WAITING_PER_PROCESS = 2

    def __init__(self, processes: int) -> None:
        """Take the number of processes, from 1."""
        self._processes = processes

    def settle(
        self, compute: Callable[[Task], Computed], tasks: Iterable[Task]
    ) -> Generator[Settled[Task, Computed], None, None]:
        """Compute pieces; outcomes come in the order in which they are ready."""
        waiting = iter(tasks)
        interrupted: list[Task] | None = None
        while interrupted is None or interrupted:
            interrupted = yield from self._settle_in_pool(compute, waiting)
            for task in interrupted:
                yield from _settle_alone(compute, task)

    def _settle_in_pool(
        self, compute: Callable[[Task], Computed], tasks: Iterator[Task]
    ) -> Generator[Settled[Task, Computed], None, list[Task]]:
        """Compute pieces until all are settled or a process dies; give those it interrupted."""
        limit = self._processes * self._WAITING_PER_PROCESS
        pool = _spawning_pool(self._processes)
        pending: dict[Future[Computed], Task] = {}
        interrupted: list[Task] = []
        try:
            for task in tasks:
                try:
                    pending[pool.submit(compute, task)] = task
                except BrokenProcessPool:
                    interrupted.append(task)
                while len(pending) >= limit or (interrupted and pending):
                    interrupted += yield from _settle_first(pending)
                if interrupted:
                    return interrupted
            while pending:
                interrupted += yield from _settle_first(pending)
        finally:
            pool.shutdown(cancel_futures=True)
        return interrupted


def _spawning_pool(processes: int) -> ProcessPoolExecutor:
    # Spawned, since a fork would copy locks of threads that wait for models.
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"))


def _settle_first(
    pending: dict[Future[Computed], Task],
) -> Generator[Settled[Task, Computed], None, list[Task]]:
    """Settle the pieces that are ready; give those that the end of a process interrupted."""
    ready, _ = wait(pending, return_when=FIRST_COMPLETED)
    interrupted: list[Task] = []
    for future in ready:
        task = pending.pop(future)
        error = future.exception()
        if error is None:
            yield Settled(task, future.result())
        elif isinstance(error, BrokenProcessPool):
            interrupted.append(task)
        elif isinstance(error, Exception):
            yield Settled(task, error=error)
        else:
            raise error
    return interrupted


def _settle_alone(
    compute: Callable[[Task], Computed], task: Task
) -> Generator[Settled[Task, Computed], None, None]:
    """Compute a piece in a process of its own."""
    with _spawning_pool(1) as pool:
        interrupted = yield from _settle_first({pool.submit(compute, task): task})
    if interrupted:
        yield Settled(task, error=ProcessDiedError())
