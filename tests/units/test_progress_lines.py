"""What a command says on the way where no terminal is redrawn."""

import itertools

import pytest

from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.engine.clock import SystemClock
from goldwright.engine.progress import PartProgress
from goldwright.errors import InputError


def test_the_last_of_several_runs_is_told_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_on_stderr(SystemClock()) as progress:
        for number in (1, 2, 3):
            PartProgress(f"run {number} of 3", progress).phase("asking 9 queries")
    assert capsys.readouterr().err.splitlines() == [
        "run 1 of 3: asking 9 queries",
        "run 2 of 3: asking 9 queries",
        "run 3 of 3: asking 9 queries",
    ]


def _refuse() -> None:
    with progress_on_stderr(SystemClock()) as progress:
        progress.phase("reading the codebase")
        raise InputError("no such retriever")


def test_a_refusal_stays_the_only_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError):
        _refuse()
    assert not capsys.readouterr().err


class _LongSteps(SystemClock):
    """A clock on which every look is a minute after the one before."""

    def __init__(self) -> None:
        self._looks = itertools.count()

    def seconds(self) -> float:
        return next(self._looks) * 60.0


def test_a_stage_says_what_it_lost_so_that_the_next_total_adds_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress_on_stderr(_LongSteps()) as progress:
        progress.expect("author", 2)
        progress.advance("author", "rejected")
        progress.advance("author", "passed")
        progress.expect("oracle", 1)
        progress.advance("oracle", "passed")
    *_, last = capsys.readouterr().err.splitlines()
    assert last == "queries written 2/2 (1 rejected); answered 1/1"


class _Steps(SystemClock):
    """A clock that stands still but for one look in so many."""

    def __init__(self, *moments: float) -> None:
        self._moments = [*moments]

    def seconds(self) -> float:
        return self._moments.pop(0) if len(self._moments) > 1 else self._moments[0]


def test_the_last_counts_are_told_where_earlier_ones_were(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A log that ends with one of two would look cut off."""
    with progress_on_stderr(_Steps(0.0, 0.0, 9.0)) as progress:
        progress.expect("author", 2)
        progress.advance("author", "passed")
        progress.advance("author", "passed")
        progress.phase("measuring the trust card")
    assert capsys.readouterr().err.splitlines() == [
        "queries written 1/2",
        "queries written 2/2",
        "measuring the trust card",
    ]
