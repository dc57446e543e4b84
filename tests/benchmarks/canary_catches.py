"""Who catches falsified answers: the gate, the offline Adversary or the offline judge, by kind.

Usage: python tests/benchmarks/canary_catches.py [--plan phase1] [--seed N] [--canaries N] [--show]
CODEBASE...

Each codebase is a directory, such as an unpacked source distribution. For each it makes an offline
run with canaries and prints the catch rates by kind with their 95 % Wilson intervals; then the
table over all codebases. With ``--show`` it also prints every canary that came through.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from goldwright.app.runs.adversary_power import canary_rates
from goldwright.golden.catch_rates import CatchRate
from goldwright.records import CanaryOutcome

ROW = "{:<24}{:<26}{:<26}{:<26}{}"


def main(arguments: Sequence[str]) -> None:
    """Measure every codebase, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codebases", nargs="+", type=Path)
    parser.add_argument("--plan", default="phase1")
    parser.add_argument("--seed", type=int, default=0)
    # More than any run gives ground for: every answer serves every kind that it can.
    parser.add_argument("--canaries", type=int, default=1000)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args(arguments)
    all_outcomes: list[CanaryOutcome] = []
    for codebase in options.codebases:
        with tempfile.TemporaryDirectory() as scratch:
            outcomes = measure(codebase.resolve(), Path(scratch), options)
        print_table(codebase.name, outcomes)
        if options.show:
            show(outcomes)
        all_outcomes += outcomes
    if len(options.codebases) > 1:
        print_table("all codebases", all_outcomes)


def measure(codebase: Path, root: Path, options: argparse.Namespace) -> list[CanaryOutcome]:
    """Make an offline run in a directory of its own, and read what was made of its canaries."""
    command = [sys.executable, "-m", "goldwright", "run", options.plan]
    command += ["--repo", str(codebase), "--seed", str(options.seed)]
    command += ["--canaries", str(options.canaries), "--json"]
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "GOLDWRIGHT_CACHE": str(root / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    # A run that leaves cells short ends with 1.
    if done.returncode not in (0, 1):
        raise SystemExit(f"{codebase.name}: exit {done.returncode}: {done.stderr[-2000:]}")
    run = Path(root, json.loads(done.stdout)["path"])
    lines = (run / "canaries.jsonl").read_text(encoding="utf-8").splitlines()
    return list(map(CanaryOutcome.model_validate_json, lines))


def print_table(title: str, outcomes: Sequence[CanaryOutcome]) -> None:
    """Print the catch rates by kind; ``stopped`` is all who have a say together."""
    print()
    print(ROW.format(title, "gate", "Adversary", "judge", "stopped"))
    for kind, rate in canary_rates(outcomes).items():
        cells = [cell(each) for each in (rate.gate, rate, rate.judge, rate.stopped)]
        print(ROW.format(kind, *cells).rstrip())


def cell(rate: CatchRate | None) -> str:
    """A rate in a few characters; a dash where nothing was measured."""
    if rate is None or not rate.released:
        return "-"
    low, high = rate.interval
    return f"{rate.caught:>3} of {rate.released:<4}[{low:.2f}, {high:.2f}]"


def show(outcomes: Sequence[CanaryOutcome]) -> None:
    """Print the canaries that nobody stopped."""
    for line in survivors(outcomes):
        print(f"  {line}")


def survivors(outcomes: Sequence[CanaryOutcome]) -> Iterator[str]:
    """Name the canaries that came through, and what is wrong with them."""
    for outcome in outcomes:
        if not outcome.stopped:
            yield f"{outcome.kind} {outcome.query_id} {outcome.claim_id}: {outcome.what}"


if __name__ == "__main__":
    main(sys.argv[1:])
