"""How many answers a second the gate judges on a warm snapshot (floor: 2,000).

Usage: gate_speed.py DIR [--answers 2000] [--seed 1]
"""

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

# A script beside this one.
from gate_mutation import make_answers, make_world  # type: ignore[import-not-found]

from goldwright.records import AnswerDraft
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate import run_gate

_FLOOR = 2000
_ROUNDS = 5


def answers_per_second(answers: Sequence[AnswerDraft], snapshot: Snapshot) -> float:
    """Judge all the answers once and say at which rate."""
    start = time.perf_counter()
    for answer in answers:
        run_gate(answer, snapshot)
    return len(answers) / (time.perf_counter() - start)


def main() -> None:
    """Print the rate of the first round, cold, and the best of the warm ones."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("codebase", type=Path, metavar="DIR")
    parser.add_argument("--answers", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        snapshot = open_snapshot(options.codebase, rev=None, cache=Path(cache), allow_dirty=True)
        rng = random.Random(options.seed)
        answers = list(make_answers(make_world(snapshot, rng), options.answers))
        cold = answers_per_second(answers, snapshot)
        warm = max(answers_per_second(answers, snapshot) for _ in range(_ROUNDS))
    speed = f"cold {cold:,.0f}/s, warm {warm:,.0f}/s, {warm / _FLOOR:.2f} x the floor"
    print(f"{len(answers)} answers: {speed}")


if __name__ == "__main__":
    main()
