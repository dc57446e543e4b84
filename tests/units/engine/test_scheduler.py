"""Failures of single cases, and errors that stop everything."""

import asyncio

import pytest

from goldwright.engine.scheduler import work_through
from goldwright.errors import DamagedStateError


def test_one_failing_case_does_not_stop_the_others() -> None:
    """The failure is reported with its case; every place is released."""
    worked: list[str] = []
    released: list[int] = []

    async def work(_place: int, case: str) -> None:
        if case == "b":
            raise ZeroDivisionError("no")
        worked.append(case)

    failed = asyncio.run(work_through("abc", work, name=str, release=released.append, limit=2))
    assert worked == ["a", "c"]
    assert [(one.case, type(one.error)) for one in failed] == [("b", ZeroDivisionError)]
    assert sorted(released) == [0, 1, 2]


def test_a_damaged_state_stops_everything() -> None:
    """The error comes out as itself and the case that met it is not released."""
    released: list[int] = []

    async def work(place: int, _case: str) -> None:
        if place == 1:
            raise DamagedStateError("torn")

    with pytest.raises(DamagedStateError, match="torn"):
        asyncio.run(work_through("abc", work, name=str, release=released.append, limit=1))
    assert 1 not in released


def test_cases_start_in_order_and_no_more_than_the_limit_run_at_once() -> None:
    """Three at a time, first come first."""
    running = 0
    most = 0
    started: list[int] = []

    async def work(place: int, _case: int) -> None:
        nonlocal running, most
        started.append(place)
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1

    asyncio.run(work_through(range(10), work, name=str, release=lambda _: None, limit=3))
    assert started == list(range(10))
    assert most == 3
