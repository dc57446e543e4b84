"""Pieces on a cluster, by a stand-in that holds what it was handed: no cluster runs in tests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from goldwright.engine.ray_executor import Parcel, RayExecutor


@dataclass(eq=False)
class Reference:
    """What the cluster holds: a value, or a call that was not made yet."""

    value: Any = None
    call: Callable[[], Any] | None = None


@dataclass
class StandIn:
    """The few functions of Ray that are used; the piece handed over last is ready first."""

    puts: list[Any] = field(default_factory=list)
    under_way: list[Reference] = field(default_factory=list)
    cancelled: list[Reference] = field(default_factory=list)
    peak: int = 0

    def remote(self, function: Callable[..., Any]) -> Any:
        cluster = self

        class Remote:
            def options(self, **_settings: Any) -> "Remote":
                return self

            def remote(self, *arguments: Any) -> Reference:
                values = [item.value if isinstance(item, Reference) else item for item in arguments]
                reference = Reference(call=lambda: function(*values))
                cluster.under_way.append(reference)
                cluster.peak = max(cluster.peak, len(cluster.under_way))
                return reference

        return Remote()

    def put(self, value: Any) -> Reference:
        self.puts.append(value)
        return Reference(value)

    def wait(
        self, references: list[Reference], *, num_returns: int
    ) -> tuple[list[Reference], list[Reference]]:
        return references[-num_returns:], references[:-num_returns]

    def get(self, reference: Reference) -> Any:
        self.under_way.remove(reference)
        assert reference.call is not None
        return reference.call()

    def cancel(self, reference: Reference) -> None:
        self.cancelled.append(reference)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}


def reciprocal(number: int) -> float:
    return 1 / number


def size_of(number: int, content: bytes) -> int:
    return number + len(content)


def test_every_piece_is_settled_once_and_few_are_under_way() -> None:
    cluster = StandIn()
    settled = list(RayExecutor(cluster).settle(reciprocal, range(100)))
    assert sorted(result.task for result in settled) == list(range(100))
    assert cluster.peak == 12
    (failure,) = [result for result in settled if result.error is not None]
    assert (failure.task, type(failure.error)) == (0, ZeroDivisionError)


def test_pieces_with_the_same_input_share_one_copy() -> None:
    cluster = StandIn()
    parcels = [Parcel(number, partial(bytes, number % 2)) for number in range(10)]
    settled = RayExecutor(cluster).settle_parcels(size_of, parcels)
    assert sorted(result.outcome or 0 for result in settled) == [0, 2, 2, 4, 4, 6, 6, 8, 8, 10]
    assert [value for value in cluster.puts if isinstance(value, bytes)] == [b"", b"\0"]


def test_an_input_that_cannot_be_packed_costs_its_own_piece_alone() -> None:
    def refuse() -> bytes:
        raise OSError("gone")

    parcels = [Parcel(1, refuse), Parcel(2, lambda: b"x")]
    settled = RayExecutor(StandIn()).settle_parcels(size_of, parcels)
    assert [(result.task, result.outcome) for result in settled] == [(1, None), (2, 3)]


def test_whoever_stops_listening_cancels_what_is_under_way() -> None:
    cluster = StandIn()
    results = RayExecutor(cluster, in_flight=3).settle(reciprocal, range(1, 100))
    next(results)
    results.close()
    assert cluster.cancelled == cluster.under_way
    assert len(cluster.cancelled) == 2
