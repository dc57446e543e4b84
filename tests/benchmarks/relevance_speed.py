"""The same trials one and two at a time, side by side.

Use: ``relevance_speed.py`` or ``relevance_speed.py TASKS REPO``. Without arguments, answers come
from a solver that takes 0.2 s, about as a model does at best; with them, from the embedded solver,
and what takes time are the tests. An answer and its tests are two processes, so that one trial at
a time takes more than one core, and two trials on two cores cannot be twice as fast.

It prints the seconds of each and their ratio; both have to come to the same trials.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.relevance_kills import LOGS, make_work, trials_of
from goldwright.app.relevance.relevance import read_registry
from goldwright.app.relevance.relevance_pools import PoolMaker, PoolSettings
from goldwright.app.relevance.relevance_trials import TrialLogs, TrialRun, TrialSettings
from goldwright.engine.progress import SilentProgress
from goldwright.journal.stage_file import StageFile
from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.control_trials import ControlRecord
from goldwright.relevance.solvers import Solution, extract_answer
from goldwright.relevance.task_search import TrialRecord
from goldwright.relevance.validation import Validator
from goldwright.sandbox.layers import NO_LAYER
from goldwright.snapshot import open_snapshot

ROUNDS = 3
SOLVER_SECONDS = 0.2
CONTROL_TRIALS = 3
MakeTrials = Callable[[Path, int], None]


class WaitingSolver:
    """Answers as the embedded solver does, after a while."""

    name = "waiting"

    async def solve(self, query: str, context: str, *, seed: int) -> Solution:  # noqa: ARG002
        """Wait, and answer."""
        await asyncio.sleep(SOLVER_SECONDS)
        return Solution(extract_answer(query, context))


def wait_for_answers(directory: Path) -> MakeTrials:
    """Return what makes the trials of small tasks with a solver that takes its time."""
    make_work(directory)
    tasks = read_registry(directory / "tasks.json").tasks
    snapshot = open_snapshot(directory / "code", rev=None, cache=directory / "cache")
    pools = PoolMaker(snapshot, PoolSettings(), seed=0)
    # No task has facts to be stated.
    validator = Validator(directory, NO_LAYER, lambda *_: False)

    def make_trials(out: Path, concurrency: int) -> None:
        out.mkdir()
        logs = TrialLogs(
            StageFile.open(out / LOGS[0], TrialRecord, writable=True),
            StageFile.open(out / LOGS[1], ControlRecord, writable=True),
        )
        settings = TrialSettings(DesignSettings(), CONTROL_TRIALS, 0, concurrency)
        run = TrialRun(settings, validator, WaitingSolver(), logs, SilentProgress())
        asyncio.run(run.play(tasks, pools))

    return make_trials


def run_tests(tasks: str, repo: str) -> MakeTrials:
    """Return what makes the trials of a registry, in a process of its own."""

    def make_trials(out: Path, concurrency: int) -> None:
        command = [sys.executable, "-m", "goldwright", "relevance", "run", tasks]
        options = ["--repo", repo, "--out", str(out), "--concurrency", str(concurrency)]
        subprocess.run([*command, *options], check=True, capture_output=True)

    return make_trials


def main() -> None:
    """Measure in turns, and print the least of each; fails where trials differ."""
    seconds: dict[int, list[float]] = {1: [], 2: []}
    trials: list[Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]] = []
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        make_trials = run_tests(*sys.argv[1:]) if sys.argv[1:] else wait_for_answers(directory)
        for number in range(ROUNDS):
            for concurrency, times in seconds.items():
                out = directory / f"{number}-{concurrency}"
                begun = time.monotonic()
                make_trials(out, concurrency)
                times.append(time.monotonic() - begun)
                trials.append(trials_of(out))
    one, two = min(seconds[1]), min(seconds[2])
    print(f"one at a time {one:.1f} s, two {two:.1f} s: {one / two:.2f} times as fast")
    sys.exit(any(trial_set != trials[0] for trial_set in trials))


if __name__ == "__main__":
    main()
