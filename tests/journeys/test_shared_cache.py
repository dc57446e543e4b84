"""Runs that share one cache, all of them at once and none of them first."""

import json
import os
from pathlib import Path

from effort import share_of
from journeys.starting import Started

RUNS = share_of(4, suite=2)


def test_cold_runs_at_once_are_equal(code: Path, tmp_path: Path) -> None:
    """Whoever is later waits for the copy of the codebase, and nobody finds it damaged."""
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "cache")}
    desks = [tmp_path / f"desk{number}" for number in range(RUNS)]
    runs = []
    for desk in desks:
        desk.mkdir()
        runs.append(Started("run", "smoke", "--repo", code, cwd=desk, environment=environment))
    results = [run.wait() for run in runs]
    assert [result.returncode for result in results] == [0] * RUNS, results[0].stderr
    assert not any("damaged" in result.stderr for result in results)
    first, *others = [results_of(desk) for desk in desks]
    assert all(first == other for other in others)


def results_of(desk: Path) -> dict[str, list[object]]:
    """The stage files of the only run at a desk, without their times."""
    (run,) = (desk / "runs").iterdir()
    return {
        path.name: [without_times(line) for line in path.read_text("utf-8").splitlines()]
        for path in sorted(run.glob("0*.jsonl"))
    }


def without_times(line: str) -> object:
    record = json.loads(line)
    times = {"created_at", "wall_clock_s"}
    return {key: value for key, value in record.items() if key not in times}
