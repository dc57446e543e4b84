"""The whole offline Phase-1 run against the cold index of the same codebase, start-up included.

Usage: python tests/benchmarks/run_speed.py [--rounds N] [--processor] CODEBASE...

With --processor, the time of all processes on the processor is compared: on a machine that others
use too, it says more than the clock.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

INDEX = (
    "import sys; from pathlib import Path; from goldwright.snapshot import open_snapshot; {body}"
)
OPEN = "open_snapshot(Path(sys.argv[1]), cache=Path(sys.argv[2]))"
TARGET = 15


def clock_seconds() -> float:
    """Seconds by the clock."""
    return time.perf_counter()


def processor_seconds() -> float:
    """Seconds that the processes which have ended spent on the processor."""
    times = os.times()
    return times.children_user + times.children_system


def seconds(command: Sequence[str], cache: Path, toolset: Path, now: Callable[[], float]) -> float:
    """Time a command with a cache of its own."""
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(cache)}
    began = now()
    done = subprocess.run(
        command, cwd=toolset, env=environment, capture_output=True, text=True, check=False
    )
    took = now() - began
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return took


def measure(codebase: Path, now: Callable[[], float]) -> tuple[float, float]:
    """One round: seconds of the cold index without start-up, and of the whole cold run."""
    with tempfile.TemporaryDirectory() as scratch:
        toolset = Path(scratch)
        python = [sys.executable, "-c"]
        idle = seconds([*python, INDEX.format(body="None")], toolset / "none", toolset, now)
        cold = seconds(
            [*python, INDEX.format(body=OPEN), str(codebase), str(toolset / "a")],
            toolset / "a",
            toolset,
            now,
        )
        run = [sys.executable, "-m", "goldwright", "run", "phase1", "--repo", str(codebase)]
        return cold - idle, seconds(run, toolset / "b", toolset, now)


def main() -> None:
    """Print a line for each codebase."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codebases", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processor", action="store_true")
    options = parser.parse_args()
    now = processor_seconds if options.processor else clock_seconds
    for codebase in options.codebases:
        rounds = [measure(codebase.resolve(), now) for _ in range(options.rounds)]
        index, run = median(one for one, _ in rounds), median(one for _, one in rounds)
        ratio = median(run / index for index, run in rounds)
        files = sum(1 for _ in codebase.rglob("*.py"))
        print(
            f"{codebase.name}: {files} files, cold index {index:.2f} s, whole run {run:.2f} s, "
            f"ratio {ratio:.1f} (target {TARGET})"
        )


if __name__ == "__main__":
    main()
