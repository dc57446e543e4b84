"""The same trials with one task at a time and with two, side by side.

Use: ``relevance_speed.py TASKS REPO``. It prints the seconds of each and their ratio; both have to
come to the same trials.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.relevance_kills import trials_of

ROUNDS = 3


def main() -> None:
    """Measure in turns, and print the least of each; fails where trials differ."""
    tasks, repo = sys.argv[1:]
    seconds: dict[int, list[float]] = {1: [], 2: []}
    trials = []
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(ROUNDS):
            for concurrency, times in seconds.items():
                out = Path(scratch) / f"{number}-{concurrency}"
                command = [sys.executable, "-m", "goldwright", "relevance", "run", tasks]
                options = ["--repo", repo, "--out", str(out), "--concurrency", str(concurrency)]
                begun = time.monotonic()
                subprocess.run([*command, *options], check=True, capture_output=True)
                times.append(time.monotonic() - begun)
                trials.append(trials_of(out))
    one, two = min(seconds[1]), min(seconds[2])
    print(f"one at a time {one:.1f} s, two {two:.1f} s: {one / two:.2f} times as fast")
    sys.exit(any(trial_set != trials[0] for trial_set in trials))


if __name__ == "__main__":
    main()
