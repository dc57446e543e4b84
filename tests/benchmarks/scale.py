"""What a run costs as codebases grow: many files, many names in one file, one giant file.

Use: ``python tests/benchmarks/scale.py [--files 12500 25000 50000 100000] [--names 6250 12500 25000
50000]``. For each size it prints processor seconds, peak memory and the cost of
a unit beyond the smallest size; where work grows in proportion, these costs are equal. The last
column holds the cost against that of the step before.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kill_campaign import freeze_program
from journeys.sample_code import SHOP, write_code

FILES_IN_A_DIRECTORY = 500
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Cost:
    """What one run took.

    Attributes:
        cpu_seconds: Of the program and all that it started.
        megabytes: The peak of the largest of its processes.
        exit_code: How it ended.
    """

    cpu_seconds: float
    megabytes: float
    exit_code: int


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, nargs="*", default=[12_500, 25_000, 50_000, 100_000])
    parser.add_argument("--names", type=int, nargs="*", default=[6_250, 12_500, 25_000, 50_000])
    parser.add_argument("--megabytes", type=int, nargs="*", default=[1, 60])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scale-") as directory:
        base = Path(directory)
        source = freeze_program(base / "program")
        measure("files", options.files, write_files, base, source)
        measure("names in one file", options.names, write_names, base, source)
        measure("megabytes in one file", options.megabytes, write_megabytes, base, source)
    return 0


def measure(
    unit: str, sizes: Sequence[int], write: Callable[[Path, int], None], base: Path, source: Path
) -> None:
    """Run over codebases of several sizes and print a row for each."""
    previous: tuple[int, float] | None = None
    last_slope: float | None = None
    for size in sizes:
        root = base / f"{unit.replace(' ', '-')}-{size}"
        code = write_code(root / "code", SHOP)
        write(code, size)
        cost = run(root, source)
        row = (
            f"{size:>8,} {unit}: {cost.cpu_seconds:7.1f} s of processors, {cost.megabytes:6.0f} MB"
        )
        row += f", exit {cost.exit_code}"
        if previous is not None and size > previous[0]:
            slope = (cost.cpu_seconds - previous[1]) / (size - previous[0])
            row += f", {slope * 1e6:8.0f} µs for each more"
            if last_slope:
                row += f" ({slope / last_slope:.2f} of the step before)"
            last_slope = slope
        print(row, flush=True)
        previous = (size, cost.cpu_seconds)
        subprocess.run(["rm", "-rf", root], check=False)


def run(root: Path, source: Path) -> Cost:
    """Run the small plan over a codebase, and add up what it and its processes took."""
    (root / "desk").mkdir()
    command = [sys.executable, "-m", "goldwright", "run", "smoke", "--repo", str(root / "code")]
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "GOLDWRIGHT_CACHE": str(root / "cache"),
    }
    with (root / "errors.txt").open("wb") as errors:
        child = subprocess.Popen(
            command, cwd=root / "desk", env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    # ``ru_maxrss`` is in kilobytes, of the largest process that it waited for, itself included.
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode)


def write_files(code: Path, count: int) -> None:
    """Write many small modules, with a function and a class each."""
    for number in range(count):
        directory = code / "many" / f"part_{number // FILES_IN_A_DIRECTORY}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"module_{number}.py").write_text(
            f"def work_{number}(value):\n    return value + {number}\n\n\n"
            f"class Piece{number}:\n    def weigh(self):\n        return work_{number}(1)\n"
        )


def write_names(code: Path, count: int) -> None:
    """Write one module of many constants."""
    (code / "shop/names.py").write_text("".join(f"NAME_{n} = {n}\n" for n in range(count)))


def write_megabytes(code: Path, size: int) -> None:
    """Write one module of many lines."""
    line = b"x = 1\n"
    (code / "shop/giant.py").write_bytes(line * (size * MEGABYTE // len(line)))


if __name__ == "__main__":
    sys.exit(main())
