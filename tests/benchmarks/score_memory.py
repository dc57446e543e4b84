"""A run of 100,000 queries with 1,000 results each, scored from files: how much memory, how long.

Writes the files (about 5 GB) into a folder of its own, scores them with ``goldwright score`` in a
process of its own, and prints the most memory which that process had.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> int:
    """Write, score, tell; 1 beyond the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--results", type=int, default=1_000)
    parser.add_argument("--bound", type=float, default=1.0, help="GiB")
    given = parser.parse_args()
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        qrels, run = Path(name) / "qrels.txt", Path(name) / "run.txt"
        scores = [f"{1 - place / given.results:.5f}" for place in range(given.results)]
        with qrels.open("w") as judged, run.open("w") as found:
            for number in range(given.queries):
                first = chance.randrange(10**6)
                for place in (0, 7, 400):
                    judged.write(f"q{number} 0 m{first + place}.py::f {1 + place % 2}\n")
                lines = (
                    f"q{number} Q0 m{first + place}.py::f {place} {score} x\n"
                    for place, score in enumerate(scores)
                )
                found.write("".join(lines))
        print(
            f"{run.stat().st_size / 1e9:.2f} GB in {given.queries * given.results:,} lines",
            flush=True,
        )
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "goldwright", "score", str(qrels), str(run)], check=True
        )
        seconds = time.perf_counter() - began
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1 << 20)
    print(f"at most {most:.2f} GiB, {seconds:.0f} s")
    return 1 if most > given.bound else 0


if __name__ == "__main__":
    sys.exit(main())
