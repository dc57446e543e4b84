"""A run that is killed and resumed ends as one that was left alone.

Three kill points are tried here; ``make campaign-kills`` tries any number, at system calls and by
the clock.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.kill_campaign import CALLS_FILE, STAGE_FILES, Place, Tally, check_growth, compare
from effort import first_of
from journeys.live import PLAN
from journeys.sharing import make_once
from journeys.starting import call

SEED = 7
# The write of a resume at which it is killed as well: it has just repaired what was torn.
SECOND_KILL = 3


@pytest.fixture
def start(code: Path, cache: Path) -> Callable[..., int]:
    """Start a run at a place, or resume the one that began there; gives the exit code."""

    def start_at(place: Place, killed_at: int = 0) -> int:
        began = place.run is not None
        (place.root / "small.json").write_text(PLAN)
        first = ("run", "small.json", "--repo", code, "--seed", SEED)
        result = call(
            *(("resume", "latest") if began else first),
            cwd=place.root,
            environment={**os.environ, "GOLDWRIGHT_CACHE": str(cache)},
            killed_at=killed_at,
        )
        (place.root / "errors.txt").write_text(result.stderr)
        return result.returncode

    return start_at


@pytest.fixture
def undisturbed(shared: Path, cache: Path, start: Callable[..., int]) -> Path:
    """A run that was left alone."""

    def run(directory: Path) -> None:
        assert start(Place(directory, cache)) in {0, 1}

    run_directory = Place(make_once(shared / "undisturbed", run), cache).run
    assert run_directory is not None
    return run_directory


@pytest.mark.parametrize("share", first_of([0.5, 0.9, 0.1], suite=1))
def test_a_killed_run_ends_in_the_same_records_as_one_that_was_left_alone(
    tmp_path: Path, cache: Path, undisturbed: Path, start: Callable[..., int], share: float
) -> None:
    """Killed half-way through a line, and once more in its resume: nothing is lost, doubled or
    different, and no whole line ever vanishes.
    """
    place, tally, lines = Place(tmp_path, cache), Tally(), dict[str, bytes]()
    files = [undisturbed / name for name in (*STAGE_FILES, CALLS_FILE)]
    # Each line is one write.
    writes = sum(path.read_bytes().count(b"\n") for path in files if path.exists())
    for killed_at in (round(share * writes), SECOND_KILL):
        assert start(place, killed_at) == -signal.SIGKILL, place.errors
        check_growth(place, lines, f"killed at write {killed_at}", tally)
    assert start(place) in {0, 1}, place.errors
    check_growth(place, lines, "the last resume", tally)
    assert place.run is not None
    compare(place.run, undisturbed, tally)
    assert (tally.problems, tally.lost, tally.duplicated, tally.mismatched) == ([], 0, 0, 0)
