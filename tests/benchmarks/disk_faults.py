"""Fail each call that touches the disk, one at a time, in a small run; resume it, and compare.

Use: ``PYTHONPATH=tests python tests/benchmarks/disk_faults.py [--trials 200] [--seed 1]``. Without
``--trials`` every counted call fails in every way: with EIO, with ENOSPC, with a disk that stays
full, and by a short write. Each time the program must end with the right exit code and one line,
and after ``resume`` (or the run again, where none had begun) all stage files must be those of a run
that was left alone.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.kill_campaign import CALLS_FILE, Place, Tally, compare
from journeys.faulty_disk import OPERATIONS, SHORT, DiskFault
from journeys.sample_code import SHOP, write_code
from journeys.starting import Started, call, start_fork_server

FULL: Final = "ENOSPC"
BROKEN: Final = "EIO"
READS: Final = ("read", "pread", "scandir")
# A disk that is full refuses no reads.
WRITES: Final = tuple(operation for operation in OPERATIONS if operation not in READS)
PLAN: Final = {
    "schema_version": "1.0.0",
    "name": "tiny",
    "total": 2,
    "cells": {"locate": {"easy": 1}, "explain": {"easy": 1}},
    "minimum_total": 0,
}
SEED: Final = 7
SAME_CALLS: Final = f"{CALLS_FILE}: differs (in another order)"
MOST_PROBLEMS: Final = 40


@dataclass
class Result:
    """What a campaign found.

    Attributes:
        trials: How many faults were tried.
        codes: How often each exit code came, by the kind of error.
        problems: What is wrong, a line each.
    """

    trials: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Reference:
    """The run that was left alone, its exit code, and how many calls of each kind it made."""

    run: Path
    exit_code: int
    counts: Mapping[str, int]


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as directory:
        base = Path(directory)
        server = base / "server"
        server.mkdir()
        start_fork_server(server, os.getpid())
        Started.fork_server = server
        code = write_code(base / "code", SHOP)
        reference = make_reference(base, code)
        print(", ".join(f"{count} {name}" for name, count in sorted(reference.counts.items())))
        faults = list(all_faults(reference.counts))
        if options.trials:
            faults = random.Random(options.seed).sample(faults, min(options.trials, len(faults)))
        result = try_all(base, code, reference, faults)
    print(f"exit codes: {dict(sorted(result.codes.items()))}")
    print(
        f"{result.trials} faults, {len(result.problems)} problems, {time.monotonic() - begun:.0f} s"
    )
    return 1 if result.problems else 0


def make_reference(base: Path, code: Path) -> Reference:
    """Run once undisturbed, and count its calls."""
    place = make_place(base / "reference")
    counts = base / "counts.json"
    ended, _ = start(place, code, DiskFault(root=str(place.root), counts=str(counts)))
    if place.run is None or ended not in (0, 1):
        raise RuntimeError(f"the undisturbed run ended in {ended}: {place.errors}")
    return Reference(place.run, ended, json.loads(counts.read_text()))


def make_place(root: Path) -> Place:
    """Make a working directory with the plan, and a cache in it."""
    root.mkdir()
    (root / "tiny.json").write_text(json.dumps(PLAN))
    return Place(root, root / "cache")


def all_faults(counts: Mapping[str, int]) -> Iterator[DiskFault]:
    """Give every fault of every counted call; the directory is filled in later."""
    for operation, count in sorted(counts.items()):
        for number in range(1, count + 1):
            yield DiskFault("", operation, number, BROKEN)
            if operation in WRITES:
                yield DiskFault("", operation, number, FULL)
                yield DiskFault("", operation, number, FULL, is_lasting=True)
            if operation == "write":
                yield DiskFault("", operation, number, SHORT)


def try_all(base: Path, code: Path, reference: Reference, faults: list[DiskFault]) -> Result:
    """Try the faults one after the other, until it is clear enough that something is wrong."""
    result = Result()
    for number, fault in enumerate(faults):
        place = make_place(base / f"trial-{number}")
        problems = list(try_one(place, code, reference, fault, result))
        result.trials += 1
        for problem in problems:
            result.problems.append(f"{name_of(fault)}: {problem}")
            print(result.problems[-1], flush=True)
        shutil.rmtree(place.root)
        if len(result.problems) >= MOST_PROBLEMS:
            break
    return result


def try_one(
    place: Place, code: Path, reference: Reference, fault: DiskFault, result: Result
) -> Iterator[str]:
    """Fail once, carry on, and say what is wrong."""
    here = DiskFault(str(place.root), fault.operation, fault.number, fault.error, fault.is_lasting)
    ended, errors = start(place, code, here)
    result.codes[f"{fault.error} {ended}"] += 1
    # The cache may be put elsewhere, so its disk is the user's to choose.
    is_of_cache = ended == 2 and "the cache" in errors
    if ended not in wanted_codes(fault, reference) and not is_of_cache:
        yield f"ended in {ended}: {place.errors}"
    if "Traceback" in errors:
        yield f"a traceback: {place.errors}"
    if ended != reference.exit_code:
        last, _ = start(place, code)
        if last != reference.exit_code:
            yield f"carrying on ended in {last}: {place.errors}"
            return
    if place.run is None:
        yield "no run was written"
        return
    tally = Tally()
    compare(place.run, reference.run, tally)
    # A resume finishes one stage before the next, where the run had cases on their way in several.
    yield from (problem for problem in tally.problems if not problem.startswith(SAME_CALLS))


def wanted_codes(fault: DiskFault, reference: Reference) -> set[int]:
    """The exit codes that are right: that of a run without fault where it harmed nothing."""
    if fault.error == SHORT:
        return {reference.exit_code}
    if fault.error == FULL:
        return {reference.exit_code, 2}
    if fault.operation in READS or fault.operation == "open":
        return {reference.exit_code, 2, 4}
    return {reference.exit_code, 4}


def start(place: Place, code: Path, fault: DiskFault | None = None) -> tuple[int, str]:
    """Start a run, or resume the one that began."""
    arguments: tuple[object, ...] = ("resume", "latest")
    if place.run is None:
        arguments = ("run", "tiny.json", "--repo", code, "--seed", SEED)
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(place.cache)}
    ended = call(*arguments, cwd=place.root, environment=environment, fault=fault)
    (place.root / "errors.txt").write_text(ended.stderr)
    return ended.returncode, ended.stderr


def name_of(fault: DiskFault) -> str:
    """Name a fault in a few words."""
    lasting = " and all after it" if fault.is_lasting else ""
    return f"{fault.error} at {fault.operation} {fault.number}{lasting}"


if __name__ == "__main__":
    sys.exit(main())
