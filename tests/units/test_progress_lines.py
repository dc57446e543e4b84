"""What a command says on the way where no terminal is redrawn."""

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
