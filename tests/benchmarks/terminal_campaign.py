"""Every command of the catalog under every fault of its terminal and its surroundings.

    python tests/benchmarks/terminal_campaign.py [--only WORD ...] [--share X] [--seed N]

Each of them is a process of its own that is started as a shell starts it. Prints one line for each
that ends in a wrong exit code, with a traceback, with a raw escape, without a line, or not at all.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from journeys.sample_code import SHOP, write_code
from journeys.terminal_faults import (
    FAULTS,
    PATIENCE,
    Fault,
    command_lines,
    complaints,
    prepare,
)

COMMAND = (sys.executable, "-m", "goldwright")


def main() -> None:
    """Run the campaign; ends with 1 where something is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", default=[], help="commands or faults")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        bad, total = _campaign(Path(directory), options)
    print(f"{bad} of {total} end otherwise than wanted")
    sys.exit(bool(bad))


def _campaign(directory: Path, options: argparse.Namespace) -> tuple[int, int]:
    chance = random.Random(options.seed)
    code = write_code(directory / "code", SHOP)
    root = directory / "desk"
    root.mkdir()
    cache = directory / "cache"
    prepare(root, code, lambda *words: _call(words, root, cache))
    bad = total = 0
    for name, line in command_lines(root, code).items():
        own = _in_copy(line, root, cache, Fault())
        for fault_name, fault in FAULTS.items():
            is_wanted = not options.only or name in options.only or fault_name in options.only
            if not is_wanted or chance.random() > options.share:
                continue
            total += 1
            began = time.monotonic()
            try:
                done = _in_copy(line, root, cache, fault)
                found = complaints(done, fault=fault, own_code=own.returncode)
            except subprocess.TimeoutExpired:
                found, done = ["did not end"], None
            if found:
                bad += 1
                last = done.stderr.strip().splitlines()[-1:] if done else ""
                seconds = time.monotonic() - began
                print(f"{name}, {fault_name}: {'; '.join(found)} ({seconds:.1f} s): {last}")
    return bad, total


def _in_copy(
    line: tuple[str, ...], root: Path, cache: Path, fault: Fault
) -> "subprocess.CompletedProcess[str]":
    """Run a command in a copy of the workplace, because many of them change it."""
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "desk"
        shutil.copytree(root, copy)
        own_cache = Path(directory) / "cache"
        shutil.copytree(cache, own_cache)
        return _call(line, copy, own_cache, fault)


def _call(
    line: tuple[object, ...], root: Path, cache: Path, fault: Fault | None = None
) -> "subprocess.CompletedProcess[str]":
    fault = fault or Fault()
    variables = {**os.environ, "GOLDWRIGHT_CACHE": str(cache), **fault.variables}
    variables = {name: value for name, value in variables.items() if value}
    return subprocess.run(
        [*COMMAND, *map(str, line)],
        cwd=root,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=PATIENCE,
        preexec_fn=fault.apply,
    )


if __name__ == "__main__":
    main()
