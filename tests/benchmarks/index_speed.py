"""The index against its floors, in one run: bare parsing, griffe, a second process, and reading
with hashing.

Usage: python tests/benchmarks/index_speed.py [--rounds N] CODEBASE...

Methods are interleaved, each figure is the median of its rounds, and ratios are taken within a
round.
"""

import argparse
import ast
import hashlib
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

from goldwright.snapshot import open_snapshot
from goldwright.snapshot.call_graph import CallGraph
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.indexing.file_indexing import SMALLEST_SHARED_WORK, facts_of
from goldwright.snapshot.languages.python.definitions import definitions
from goldwright.snapshot.languages.python.language import PYTHON
from goldwright.snapshot.languages.python.parsing import (
    UnparsableError,
    parse_module,
    read_facts,
)

Files = Mapping[str, bytes]
PEAK = (
    "import resource, sys; from pathlib import Path; "
    "from goldwright.snapshot import open_snapshot; "
    "s = open_snapshot(Path(sys.argv[1]), cache=Path(sys.argv[2])); "
    "s.graph; sum(1 for _ in s.entities()); "
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
)


def read_all(codebase: Path) -> dict[str, bytes]:
    """The Python files of a directory by path."""
    paths = (
        path for path in sorted(codebase.rglob("*.py")) if path.is_file() and not path.is_symlink()
    )
    return {path.relative_to(codebase).as_posix(): path.read_bytes() for path in paths}


def parse_bare(files: Files) -> None:
    """What the standard library takes for the syntax trees alone."""
    for data in files.values():
        try:
            ast.parse(data)
        except (SyntaxError, ValueError):
            continue


def index_definitions(files: Files) -> None:
    """Parse and list definitions, in this process."""
    with garbage_collection_paused():
        for data in files.values():
            try:
                definitions(parse_module(data), data.split(b"\n"))
            except UnparsableError:
                continue


def index_everything(files: Files) -> dict[str, FileFacts]:
    """Parse, list definitions and collect references, in this process."""
    with garbage_collection_paused():
        return {path: read_facts(data) for path, data in files.items()}


def visit_with_griffe(files: Files) -> None:
    """The same files through griffe's visitor."""
    import griffe  # noqa: PLC0415  # a development tool that is not always there

    for path, data in files.items():
        try:
            griffe.visit("module", Path(path), data.decode("utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue


def link(facts: Mapping[str, FileFacts]) -> None:
    """Build the call graph from collected references."""
    kinds = {
        f"{path}::{one.name}": one.kind for path, each in facts.items() for one in each.definitions
    }
    with garbage_collection_paused():
        CallGraph(facts, kinds)


def read_and_hash(codebase: Path) -> None:
    """The least that can tell whether anything changed."""
    for data in read_all(codebase).values():
        hashlib.sha256(data).digest()


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def one_round(
    codebase: Path, files: Files, facts: Mapping[str, FileFacts], cache: Path
) -> dict[str, float]:
    """Time every method once."""
    return {
        "parse": seconds(lambda: parse_bare(files)),
        "definitions": seconds(lambda: index_definitions(files)),
        "references": seconds(lambda: index_everything(files)),
        "griffe": seconds(lambda: visit_with_griffe(files)),
        "link": seconds(lambda: link(facts)),
        "one process": seconds(lambda: facts_of(files, PYTHON, 1)),
        "two processes": seconds(lambda: facts_of(files, PYTHON, 2)),
        "warm": seconds(lambda: open_snapshot(codebase, cache=cache)),
        "read and hash": seconds(lambda: read_and_hash(codebase)),
    }


def report(codebase: Path, rounds: list[dict[str, float]], peak: str, files: Files) -> None:
    """Print the medians and the ratios beside their targets."""

    def ratio(
        top: Callable[[dict[str, float]], float], bottom: Callable[[dict[str, float]], float]
    ) -> float:
        return median(top(one) / bottom(one) for one in rounds)

    size = sum(map(len, files.values()))
    shared = (
        "a pool" if size >= SMALLEST_SHARED_WORK else "no pool: it would cost more than it saves"
    )
    print(f"\n{codebase.name}: {len(files)} files, {size / 1e6:.1f} MB ({shared})")
    print(
        "  "
        + ", ".join(f"{name} {median(one[name] for one in rounds):.3f} s" for name in rounds[0])
    )
    lines = (
        (
            "index / bare ast.parse",
            ratio(lambda x: x["definitions"], lambda x: x["parse"]),
            "<= 1.15",
        ),
        ("griffe / index", ratio(lambda x: x["griffe"], lambda x: x["definitions"]), ">= 1.5"),
        (
            "call graph (references and linking) on top of the index",
            ratio(
                lambda x: x["references"] - x["definitions"] + x["link"], lambda x: x["definitions"]
            ),
            "<= 0.5",
        ),
        (
            "one process / two",
            ratio(lambda x: x["one process"], lambda x: x["two processes"]),
            ">= 1.7 if large",
        ),
        (
            "warm open / read and hash",
            ratio(lambda x: x["warm"], lambda x: x["read and hash"]),
            "<= 3",
        ),
    )
    for name, value, target in lines:
        print(f"  {name:<58} {value:5.2f}   target {target}")
    print(f"  {'peak memory of opening it with its graph, MB':<58} {peak:>5}   target <= 500")


def main() -> None:
    """Measure each codebase."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codebases", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for codebase in options.codebases:
        files = read_all(codebase)
        facts = index_everything(files)
        with tempfile.TemporaryDirectory() as scratch:
            cache = Path(scratch)
            command = [sys.executable, "-c", PEAK, str(codebase), scratch]
            peak = subprocess.run(
                command, capture_output=True, text=True, check=True
            ).stdout.strip()
            rounds = [one_round(codebase, files, facts, cache) for _ in range(options.rounds)]
        report(codebase, rounds, peak, files)


if __name__ == "__main__":
    main()
