"""Measure the review page in headless Chromium: keys per record, and from a key to the next record
on screen.

Use: ``PYTHONPATH=tests python tests/benchmarks/review_speed.py CODEBASE [CODEBASE ...]``. A batch
of Phase 1 is made of each codebase and its sample judged by keyboard. The time runs from the time
stamp of the key's own event to the first task after the frame in which the next record was drawn;
the verdict is on disk by then. Each batch is judged as fast as keys can be pressed, and by a reader
who takes a second for a record, as the page expects.
"""

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from journeys.browser import Desk, Reader, ReviewServer, chromium
from journeys.starting import Started, start_fork_server


def main() -> None:
    """Measure each codebase and print a line of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codebases", type=Path, nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as fork_directory, chromium() as browser:
        start_fork_server(Path(fork_directory), os.getpid())
        Started.fork_server = Path(fork_directory)
        for codebase in arguments.codebases:
            with tempfile.TemporaryDirectory() as directory:
                workplace = Desk(Path(directory) / "desk", Path(directory) / "cache")
                workplace.path.mkdir()
                workplace.goldwright("run", "phase1", "--repo", codebase.resolve())
                for sitting, reading_ms in (((), 0), (("--second",), 1000)):
                    told = measure(workplace, browser, sitting, reading_ms)
                    print(f"{codebase.name}, {reading_ms} ms of reading: {told}", flush=True)


def measure(workplace: Desk, browser: Browser, sitting: tuple[str, ...], reading_ms: int) -> str:
    """Judge the sample, a key a record, and tell what it took."""
    with (
        ReviewServer(workplace, f"Reader {reading_ms}", *sitting) as server,
        Reader(browser, server.address) as reader,
    ):
        while reader.data("lane") == "sample":
            reader.page.wait_for_timeout(reading_ms)
            reader.turn("1")
        brought = reader.records
    times = sorted(one["ms"] for one in brought)
    keys = median(one["keys"] for one in brought)
    slow = times[min(len(times) - 1, round(0.95 * len(times)))]
    return (
        f"{len(brought)} records, median {keys:.0f} keys each; "
        f"next record after {median(times):.0f} ms (median), "
        f"{slow:.0f} ms (95th percentile), {times[-1]:.0f} ms (longest)"
    )


if __name__ == "__main__":
    main()
