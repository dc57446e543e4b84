"""Kill `relevance run` at random moments, run it again, and compare its trials with a run left
alone.

Use: ``relevance_kills.py --kills 100 --seed 1``. A kill comes at a random time after the logs of
trials have reached a random number of lines; a run is killed up to four times before it may end.
It fails where a trial was made twice, lost, or came out otherwise.

A run is a fork of this process, which has the command line loaded: loading takes longer than all
trials, and a kill that comes before the first one shows little. The run that the others are
compared with is a process of its own.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import goldwright.cli.relevance  # noqa: F401  # loaded once, for all forks
from goldwright.__main__ import main as main_of_goldwright

LOGS = ("trials.jsonl", "controls.jsonl")
MOST_KILLS_OF_ONE_RUN = 4
MOST_SECONDS = 300
# A trial of these tasks takes some milliseconds: a kill comes within, or between, two of them.
JITTER_SECONDS = 0.03
_WORDS = ("harbour", "lantern", "meadow", "saddle", "copper", "violin")


def make_work(directory: Path) -> None:
    """Write a codebase and tasks that need no sandbox, so that a trial is a matter of moments."""
    code = directory / "code"
    code.mkdir()
    lines = [
        f'def find_{word}(x):\n    """Search the {word}."""\n    return x\n' for word in _WORDS
    ]
    lines += [f"def other_{number}(x):\n    return x - {number}\n" for number in range(9)]
    (code / "places.py").write_text("\n\n".join(lines), encoding="utf-8")
    tasks = [
        {
            "id": word,
            "query": f"Which function searches the {word}?",
            "check": {"kind": "qualified_name", "qualified_name": f"places.find_{word}"},
            "seeded": [f"places.py::find_{word}"],
        }
        for word in _WORDS
    ]
    (directory / "tasks.json").write_text(json.dumps({"tasks": tasks}), encoding="utf-8")


def command_line(directory: Path, out: Path) -> list[str]:
    """Return what follows the program's name in the call that makes the trials."""
    arguments = [directory / "tasks.json", "--repo", directory / "code", "--out", out]
    return ["relevance", "run", *map(str, arguments), "--concurrency", "3"]


def run_afresh(arguments: Sequence[str]) -> None:
    """Make all trials, in a process that was started for it."""
    command = [sys.executable, "-m", "goldwright", *arguments]
    subprocess.run(command, check=True, capture_output=True)


def run_to_its_end(arguments: Sequence[str]) -> None:
    """Make the trials that are left; the campaign ends where that fails."""
    _, status = os.waitpid(fork_run(arguments), 0)
    if status:
        sys.exit(f"a run that went on ended with status {status}")


def fork_run(arguments: Sequence[str]) -> int:
    """Start a run as a fork of this process; return its id."""
    process = os.fork()
    if process:
        return process
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    sys.argv = ["goldwright", *arguments]
    try:
        main_of_goldwright()
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    os._exit(1)


def trials_of(out: Path) -> Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]:
    """Read the trials, by log and task, each task's in their order."""
    trials: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for log in LOGS:
        path = out / log
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            record = json.loads(line)
            trials.setdefault((log, record["task_id"]), []).append(record)
    return trials


def repeated(out: Path) -> int:
    """Count trials that stand in a log more than once."""
    counts: Counter[str] = Counter()
    for (log, _), records in trials_of(out).items():
        for record in records:
            fields = ("task_id", "number", *(("included", "alteration") if "cont" in log else ()))
            counts[json.dumps([log, *(record[name] for name in fields)])] += 1
    return sum(count - 1 for count in counts.values())


def lines_in(out: Path) -> int:
    """Count the whole lines of the logs."""
    paths = [out / log for log in LOGS]
    return sum(path.read_bytes().count(b"\n") for path in paths if path.exists())


def kill_at(arguments: Sequence[str], out: Path, lines: int, jitter: float) -> bool:
    """Start a run and kill it some time after its logs hold so many lines; tell whether it hit."""
    process = fork_run(arguments)
    deadline = time.monotonic() + MOST_SECONDS
    while (ended := os.waitpid(process, os.WNOHANG))[0] == 0 and lines_in(out) < lines:
        if time.monotonic() > deadline:
            break
        time.sleep(0.001)
    if ended[0]:
        return False
    time.sleep(jitter)
    os.kill(process, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(process, 0)[1])


def main() -> None:
    """Play the campaign, and print what it counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    chance = Random(options.seed)
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        make_work(directory)
        reference = directory / "reference"
        run_afresh(command_line(directory, reference))
        total = lines_in(reference)
        while tally["kills"] < options.kills:
            out = directory / f"run-{tally['runs']}"
            arguments = command_line(directory, out)
            moments = sorted(
                chance.randrange(total) for _ in range(chance.randint(1, MOST_KILLS_OF_ONE_RUN))
            )
            for lines in moments:
                is_hit = kill_at(arguments, out, lines, chance.random() * JITTER_SECONDS)
                tally["kills"] += is_hit
                tally["before the first trial"] += is_hit and lines_in(out) == 0
            run_to_its_end(arguments)
            tally["runs"] += 1
            tally["repeated"] += repeated(out)
            tally["different"] += trials_of(out) != trials_of(reference)
    print(
        f"{tally['kills']} kills in {tally['runs']} runs of {total} trials: "
        f"{tally['repeated']} trials made twice, {tally['different']} runs with other trials; "
        f"{tally['before the first trial']} kills came before a trial was written; "
        f"{time.monotonic() - begun:.0f} s"
    )
    sys.exit(bool(tally["repeated"] or tally["different"]))


if __name__ == "__main__":
    main()
