"""``ray``: pieces computed by the nodes of a Ray cluster.

A thin layer: Ray decides where a piece runs and moves its input; what a piece is, what came of it
and what is left to do stay with the caller, who alone writes. The cluster may be lost at any
moment, and costs the pieces that were under way.
"""

import importlib
import os
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from goldwright.canonical import digest_bytes
from goldwright.engine.piece_executors import Settled
from goldwright.errors import InputError

# Enough that a worker never waits for the driver; a bound for what waits in the object store.
_IN_FLIGHT_PER_CPU: Final = 4
# Attempts after the first where a worker or its node died; an error of the piece itself is an
# outcome and is not tried again.
_RETRIES_AFTER_DEATH: Final = 3
# Inputs that stay in the object store once no piece under way needs them.
_INPUTS_AT_HAND: Final = 8

RayTask = TypeVar("RayTask")
RayOutcome = TypeVar("RayOutcome")


@dataclass(frozen=True, slots=True)
class Parcel:
    """A piece whose input has to travel with it.

    Attributes:
        task: The piece, small.
        pack: Gives the input; pieces with the same bytes share a copy on every node. None where
            nothing travels.
    """

    task: Any
    pack: Callable[[], bytes] | None


class RayExecutor:
    """Computes pieces on a cluster, a bounded number at a time."""

    def __init__(self, library: Any, *, in_flight: int | None = None) -> None:
        """Take a cluster.

        Args:
            library: The module ``ray``, connected.
            in_flight: How many pieces are handed over at a time; four for each CPU without one.
        """
        self._ray = library
        self._in_flight = in_flight
        self._inputs: OrderedDict[str, Any] = OrderedDict()

    def settle(
        self, compute: Callable[..., RayOutcome], tasks: Iterable[RayTask]
    ) -> Generator[Settled[RayTask, RayOutcome], None, None]:
        """Compute pieces; whoever stops listening cancels those that are under way."""
        return self.settle_parcels(compute, (Parcel(task, None) for task in tasks))

    def settle_parcels(
        self, compute: Callable[..., RayOutcome], parcels: Iterable[Parcel]
    ) -> Generator[Settled[Any, RayOutcome], None, None]:
        """Compute pieces from a task and the bytes that travel with it, if there are any.

        The results carry the tasks of the parcels.
        """
        ray = self._ray
        remote = ray.remote(_compute).options(
            max_retries=_RETRIES_AFTER_DEATH, retry_exceptions=False
        )
        function = ray.put(compute)
        limit = self._limit()
        pending: dict[Any, Any] = {}
        try:
            for parcel in parcels:
                try:
                    arguments = self._arguments(parcel)
                except Exception as error:  # noqa: BLE001  # an error belongs to its piece alone
                    yield Settled(parcel.task, error=error)
                    continue
                pending[remote.remote(function, *arguments)] = parcel.task
                while len(pending) >= limit:
                    yield from self._settle_ready(pending)
            while pending:
                yield from self._settle_ready(pending)
        finally:
            for reference in pending:
                ray.cancel(reference)

    def _limit(self) -> int:
        if self._in_flight is not None:
            return self._in_flight
        cpus = int(self._ray.cluster_resources().get("CPU", 1))
        return max(1, cpus) * _IN_FLIGHT_PER_CPU

    def _arguments(self, parcel: Parcel) -> tuple[Any, ...]:
        if parcel.pack is None:
            return (parcel.task,)
        # An argument of its own: Ray fetches it once for all pieces of a node.
        return (parcel.task, self._input(parcel.pack()))

    def _input(self, content: bytes) -> Any:
        name = digest_bytes(content)
        reference = self._inputs.pop(name, None)
        if reference is None:
            reference = self._ray.put(content)
        self._inputs[name] = reference
        # Pieces under way hold references of their own.
        while len(self._inputs) > _INPUTS_AT_HAND:
            self._inputs.popitem(last=False)
        return reference

    def _settle_ready(self, pending: dict[Any, Any]) -> Generator[Settled[Any, Any], None, None]:
        ready, _ = self._ray.wait(list(pending), num_returns=1)
        for reference in ready:
            # One at a time: results may be large, and each is written before the next is fetched.
            task = pending.pop(reference)
            try:
                outcome = self._ray.get(reference)
            except Exception as error:  # noqa: BLE001  # an error belongs to its piece alone
                yield Settled(task, error=_cause_of(error))
            else:
                yield Settled(task, outcome)


def _compute(compute: Callable[..., Any], task: Any, *content: bytes) -> Any:
    """Compute one piece, on a node."""
    return compute(task, *content)


def _cause_of(error: Exception) -> Exception:
    """Give the error that the piece raised, where Ray wrapped it."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, Exception) else error


def connect_ray(address: str) -> Any:
    """Connect to a cluster, or start one on this machine where no address is named.

    Raises:
        InputError: Ray is not installed, or there is no cluster.
    """
    # Ray reports how it is used over the network unless this says no before it is loaded.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise InputError(
            "--executor ray: is not installed: pip install 'goldwright[ray]'"
        ) from error
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address:
        settings["address"] = address
    else:
        settings["include_dashboard"] = False
    try:
        ray.init(**settings)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"--executor ray:{address}: no cluster there: {reason}") from error
    return ray
