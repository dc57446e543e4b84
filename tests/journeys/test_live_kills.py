"""A run with models that is killed and resumed ends as one that was left alone, and pays for little
twice.

Three kill points are tried here; ``make campaign-live-kills`` tries any number, at system calls and
by the clock.
"""

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.live_kills import (
    LONGEST_LATENCY,
    MICRO,
    NO_MORE_MONEY,
    PLENTY_USD,
    Listener,
    Reference,
    Run,
    Session,
    Setting,
    Tally,
    Trial,
    arguments_of,
    export,
    latency_of,
    open_place,
    read_tape,
    reference_of,
)
from goldwright.snapshot import Snapshot
from journeys.live import PLAN
from journeys.starting import call
from scripted.brain import RolePlayer
from scripted.server import serve_in_thread

CONCURRENCY = 4


def forked_command(run: Run, arguments: tuple[str, ...]) -> str:
    """Run a command where a run is, and give what it printed."""
    result = call(*arguments, cwd=run.root, environment=run.environment())
    assert result.returncode == 0, result.stderr
    return result.stdout


def step(run: Run, way: str, killed_at: int = 0) -> int:
    """Start a run, or resume the one that began, until it ends or is killed; give its exit code."""
    before, began = read_tape(run.path), time.monotonic()
    result = call(
        *arguments_of(run), cwd=run.root, environment=run.environment(), killed_at=killed_at
    )
    (run.root / "errors.txt").write_text(result.stderr)
    # Until the server has seen who left.
    time.sleep(2 * LONGEST_LATENCY)
    ended, after = time.monotonic(), read_tape(run.path)
    run.sessions.append(Session(began, ended, result.returncode, before, after, way))
    return result.returncode


@pytest.fixture(scope="module")
def setting(
    tmp_path_factory: pytest.TempPathFactory, code: Path, cache: Path, snapshot: Snapshot
) -> Iterator[Setting]:
    """A scripted server that counts what it bills, and a small run that leads to it."""
    plan = tmp_path_factory.mktemp("plan") / "small.json"
    plan.write_text(PLAN)
    listener, latency = Listener(), latency_of(7)
    with serve_in_thread(RolePlayer(snapshot), faults=listener, latency=latency) as server:
        program = Path(__file__).parents[2] / "pipeline"
        yield Setting(
            program,
            code,
            plan,
            cache,
            CONCURRENCY,
            server,
            listener,
            traces=False,
            command=forked_command,
        )


@pytest.fixture(scope="module")
def reference(setting: Setting, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """A run that was left alone."""
    run = open_place(setting, tmp_path_factory.mktemp("reference"), "reference")
    assert step(run, "left alone") == 0, run.errors
    return reference_of(run, {})


def judge(trial: Trial) -> None:
    """Complete a run, and hold its requests, its bill and its dataset against the reference."""
    assert step(trial.run, "the last resume") == trial.reference.exit_code, trial.run.errors
    trial.judge_requests()
    trial.judge_money()
    assert trial.tally.problems == []
    assert export(trial.run) == trial.reference.dataset


# The test below is killed once more, for want of money, and judged alike.
@pytest.mark.thorough
@pytest.mark.parametrize("share", [0.5, 0.9, 0.1])
def test_a_killed_run_with_models_ends_in_the_same_dataset_and_books_what_was_billed(
    setting: Setting, reference: Reference, tmp_path: Path, share: float
) -> None:
    """Killed half-way through a line: nothing is asked or paid twice but what was in flight."""
    run = open_place(setting, tmp_path, f"killed-{share}")
    writes = sum(reference.call_journal.kinds.values())
    code = step(run, f"killed at {share}", killed_at=round(share * writes))
    assert code == -signal.SIGKILL, run.errors
    judge(Trial(run, reference, Tally(), Random(1)))


def test_a_run_that_is_killed_under_a_ceiling_never_passes_it(
    setting: Setting, reference: Reference, tmp_path: Path
) -> None:
    """Killed, out of money when it is resumed, and carried on with a higher ceiling."""
    run = open_place(setting, tmp_path, "under-a-ceiling")
    # Room for one reservation more than half of what the run costs: it begins, and cannot end.
    run.ceiling = (0.5 * reference.cost + reference.call_journal.largest) / MICRO
    trial = Trial(run, reference, Tally(), Random(1))
    writes = sum(reference.call_journal.kinds.values())
    assert step(run, "killed", killed_at=round(0.2 * writes)) == -signal.SIGKILL, run.errors
    trial.check_ceiling()
    assert step(run, "without money") == NO_MORE_MONEY, run.errors
    trial.check_ceiling()
    run.ceiling = PLENTY_USD
    judge(trial)
