"""One suite computed in several ways, and the bytes of its dataset held against each other.

In one process; killed at several moments and carried on; in four shards by a scripted array,
merged; and wherever ``--executor`` says. Needs directories of codebases, twelve or more.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PROGRAM = (sys.executable, "-m", "goldwright")
# What a job of a SLURM array runs; the sites of docs/scale.md differ in the names of variables.
ARRAY_JOB = (
    'exec "$PYTHON" -m goldwright suite run "$SUITE" --out "$OUT/shard-$SLURM_ARRAY_TASK_ID"'
    ' --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"'
)
SHARDS = 4


def main() -> int:
    """Compute the suite in every way; 1 where two ways differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("codebases", nargs="+", type=Path)
    parser.add_argument("--plan", default="smoke")
    parser.add_argument("--executor", action="append", default=[])
    parser.add_argument("--kill-after", action="append", type=float, default=[])
    arguments = parser.parse_args()
    out = arguments.out.absolute()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    suite = write_suite(out / "suite.toml", arguments.codebases, arguments.plan)
    digests = {"one process": _timed("one process", lambda: run_whole(suite, out / "one"))}
    moments = arguments.kill_after or [1.0, 3.0, 5.0, 7.0]
    digests["killed"] = _timed("killed", lambda: run_killed(suite, out / "killed", moments))
    digests["shards"] = _timed(f"{SHARDS} shards", lambda: run_array(suite, out / "array"))
    for executor in arguments.executor:
        place = out / executor.replace(":", "-").replace("/", "-")
        digests[executor] = _timed(executor, lambda: run_whole(suite, place, executor))  # noqa: B023  # called at once
    is_equal = len(set(digests.values())) == 1
    print("byte-equal" if is_equal else f"DIFFERENT: {digests}")
    return 0 if is_equal else 1


def write_suite(path: Path, codebases: Sequence[Path], plan: str) -> Path:
    """Write the suite of some directories, named after them."""
    lines = ['name = "campaign"', f'plan = "{plan}"']
    for directory in codebases:
        name = directory.name.lower()
        lines += ["[[codebases]]", f'name = "{name}"', f'repo = "{directory.absolute()}"']
    path.write_text("\n".join(lines) + "\n")
    return path


def run_whole(suite: Path, place: Path, executor: str = "local") -> str:
    """Run the suite in one call; gives the digest of its dataset."""
    command = _run_command(suite, place, executor)
    run = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    # With 1 it says that a codebase is not done.
    if run.returncode not in {0, 1}:
        raise SystemExit(run.stderr)
    return exported(place)


def run_killed(suite: Path, place: Path, moments: Sequence[float]) -> str:
    """Kill the run some seconds after each of its starts, then carry it on to the end."""
    for seconds in moments:
        with subprocess.Popen(
            _run_command(suite, place), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
    return run_whole(suite, place)


def run_array(suite: Path, place: Path) -> str:
    """Run the jobs of an array, two at a time, and merge what they leave."""
    pending = list(range(1, SHARDS + 1))
    while pending:
        pair = [_start_job(suite, place, number) for number in pending[:2]]
        del pending[:2]
        for process in pair:
            process.wait()
    shards = [str(place / f"shard-{number}") for number in range(1, SHARDS + 1)]
    merge = [*PROGRAM, "merge", *shards, "--out", str(place / "merged")]
    subprocess.run(merge, check=False, stdout=subprocess.DEVNULL)
    return exported(place / "merged")


def exported(place: Path) -> str:
    """Export what is done of a suite; gives the digest of dataset and provenance."""
    command = [*PROGRAM, "suite", "export", str(place), "--version", "1.0", "--partial"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    dataset = (place / "suite_v1.0.draft.json").read_bytes()
    provenance = (place / "suite_v1.0.draft.provenance.json").read_bytes()
    return hashlib.sha256(dataset + provenance).hexdigest()


def _start_job(suite: Path, place: Path, number: int) -> "subprocess.Popen[bytes]":
    variables = {
        **os.environ,
        "PYTHON": sys.executable,
        "SUITE": str(suite),
        "OUT": str(place),
        "SLURM_ARRAY_TASK_ID": str(number),
        "SLURM_ARRAY_TASK_COUNT": str(SHARDS),
    }
    quiet = subprocess.DEVNULL
    return subprocess.Popen(["sh", "-c", ARRAY_JOB], env=variables, stdout=quiet, stderr=quiet)


def _run_command(suite: Path, place: Path, executor: str = "local") -> list[str]:
    return [*PROGRAM, "suite", "run", str(suite), "--out", str(place), "--executor", executor]


def _timed(title: str, compute: Callable[[], str]) -> str:
    start = time.monotonic()
    digest = compute()
    print(f"{title:<14} {time.monotonic() - start:6.1f} s  {digest[:16]}", flush=True)
    return digest


if __name__ == "__main__":
    raise SystemExit(main())
