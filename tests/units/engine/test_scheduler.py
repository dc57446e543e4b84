"""Failures of single cases, errors that stop everything, and the order of computing and writing."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from goldwright.engine.scheduler import work_through
from goldwright.engine.work import LocalExecutor
from goldwright.errors import DamagedStateError, QuarantineError


@dataclass
class Recorded:
    """Work in pieces that are numbered; what happens is written down, and some pieces fail."""

    pieces: int = 1
    failing: dict[str, Exception] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)
    written: dict[str, int] = field(default_factory=dict)
    released: list[int] = field(default_factory=list)

    def name(self, case: str) -> str:
        return f"case {case}"

    def next_piece(self, _place: int, case: str) -> tuple[str, int] | None:
        done = self.written.get(case, 0)
        return (case, done) if done < self.pieces else None

    async def compute(self, piece: tuple[str, int]) -> str:
        self.events.append(f"compute {piece[0]}{piece[1]}")
        await asyncio.sleep(0)
        if piece[0] in self.failing:
            raise self.failing[piece[0]]
        return f"{piece[0]}{piece[1]}"

    def write(self, place: int, piece: tuple[str, int], outcome: str) -> None:
        self.events.append(f"write {outcome} at {place}")
        self.written[piece[0]] = piece[1] + 1

    def release(self, place: int) -> None:
        self.released.append(place)


def worked(work: Recorded, cases: str = "abc", **options: Any) -> Any:
    options = {"executor": LocalExecutor(), "limit": 2, **options}
    return asyncio.run(work_through(cases, work, **options))


@pytest.mark.parametrize("error", [ZeroDivisionError("no"), QuarantineError("not now")])
def test_one_failing_case_does_not_stop_the_others(error: Exception) -> None:
    """The failure is reported with its case; every place is released."""
    work = Recorded(failing={"b": error})
    failures = worked(work)
    assert sorted(work.written) == ["a", "c"]
    assert [(failure.case, failure.error) for failure in failures] == [("case b", error)]
    assert sorted(work.released) == [0, 1, 2]


def test_a_damaged_state_stops_everything() -> None:
    """The error comes out as itself and the case that met it is not released."""
    work = Recorded(failing={"b": DamagedStateError("torn")})
    with pytest.raises(DamagedStateError, match="torn"):
        worked(work, limit=1)
    assert 1 not in work.released


def test_a_piece_is_written_before_the_next_piece_of_its_case_is_computed() -> None:
    work = Recorded(pieces=2)
    worked(work, "a", first_place=7)
    assert work.events == ["compute a0", "write a0 at 7", "compute a1", "write a1 at 7"]
    assert work.released == [7]


def test_a_case_with_nothing_left_to_do_is_released_and_neither_computed_nor_written() -> None:
    work = Recorded(written={"a": 1})
    worked(work, "a")
    assert work.events == []
    assert work.released == [0]


def test_cases_begin_in_order_and_no_more_than_the_limit_are_under_way_at_once() -> None:
    """Three at a time, first come first."""
    under_way: set[str] = set()
    most = 0

    @dataclass
    class Slow(Recorded):
        async def compute(self, piece: tuple[str, int]) -> str:
            nonlocal most
            self.events.append(piece[0])
            under_way.add(piece[0])
            most = max(most, len(under_way))
            await asyncio.sleep(0.001)
            under_way.discard(piece[0])
            return piece[0]

    work = Slow()
    worked(work, "abcdefghij", limit=3)
    begun = [event for event in work.events if not event.startswith("write")]
    assert begun == list("abcdefghij")
    assert most == 3


def test_pieces_are_computed_where_the_executor_computes_them() -> None:
    """Another executor needs no change of the work: it is handed each piece, and hands back."""
    seen: list[object] = []

    class Elsewhere:
        async def compute(self, compute: Callable[[Any], Awaitable[Any]], piece: Any) -> Any:
            seen.append(piece)
            return await compute(piece)

    work = Recorded()
    worked(work, "ab", executor=Elsewhere(), limit=1)
    assert seen == [("a", 0), ("b", 0)]
    assert sorted(work.written) == ["a", "b"]
