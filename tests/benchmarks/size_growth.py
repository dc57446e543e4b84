"""How time and memory grow with a codebase: many files, large files, many names in one file.

For each shape a codebase and one of twice its size are opened and surveyed, each in a process of
its own. Printed are the seconds of a processor, those of worker processes included, the factor
between the two sizes, and the largest memory of the process and of any worker. A factor of 2 is
linear growth.

Run it by ``make bench-size``; arguments name shapes.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.offline_agents.survey.codebase_survey import survey_codebase
from goldwright.snapshot import open_snapshot

# Linear growth within a fifth.
LARGEST_FACTOR: Final = 2.4
FILES_A_FOLDER: Final = 1000


@dataclass(frozen=True)
class Shape:
    """A kind of codebase that grows.

    Attributes:
        sizes: A size, and twice that size.
        write: Writes a codebase of a size into a directory.
    """

    sizes: tuple[int, int]
    write: Callable[[Path, int], None]


def _write_many_files(root: Path, count: int) -> None:
    for number in range(count):
        folder = root / f"part{number // FILES_A_FOLDER}"
        folder.mkdir(parents=True, exist_ok=True)
        text = f"def load_{number}(path):\n    if not path:\n        raise ValueError('no path')\n"
        (folder / f"m{number}.py").write_text(text)


def _write_names(root: Path, count: int) -> None:
    root.mkdir()
    lines = (f"def f{number}(): pass\n" for number in range(count))
    (root / "names.py").write_text("".join(lines))


def _write_large_file(root: Path, megabytes: int) -> None:
    root.mkdir()
    line = "value = {'key': [1, 2, 3], 'other': 'text'}\n"
    (root / "large.py").write_text(line * (megabytes * 1_000_000 // len(line)))
    (root / "small.py").write_text("def small():\n    return 1\n")


def _write_classes(root: Path, count: int) -> None:
    root.mkdir()
    lines = ["class C0:\n    def m(self):\n        return 0\n"]
    for number in range(1, count):
        method = "    def m(self):\n        return super().m()\n"
        lines.append(f"class C{number}(C{number - 1}):\n{method}")
    (root / "ladder.py").write_text("".join(lines))


SHAPES: Final[Mapping[str, Shape]] = {
    "files": Shape((50_000, 100_000), _write_many_files),
    "names": Shape((25_000, 50_000), _write_names),
    "megabytes": Shape((30, 60), _write_large_file),
    "ladder": Shape((2_500, 5_000), _write_classes),
}


def main(names: list[str]) -> int:
    """Measure shapes; gives 1 where one of them grows faster than linearly."""
    is_linear = True
    for name in names or SHAPES:
        shape = SHAPES[name]
        seconds = []
        for size in shape.sizes:
            with tempfile.TemporaryDirectory() as directory:
                root = Path(directory)
                shape.write(root / "code", size)
                own_seconds, memory = _measure(root)
            seconds.append(own_seconds)
            print(f"{name:<10}{size:>8}{own_seconds:>9.1f} s{memory:>7.0f} MB", flush=True)
        factor = seconds[1] / seconds[0]
        is_linear &= factor <= LARGEST_FACTOR
        print(f"{name:<10}twice as large, {factor:.2f} times as long", flush=True)
    return int(not is_linear)


def _measure(root: Path) -> tuple[float, float]:
    """Read a codebase in another process: its seconds of a processor, and its megabytes."""
    command = [sys.executable, __file__, "--read", str(root)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seconds, megabytes = map(float, output.split())
    return seconds, megabytes


def _read(root: Path) -> None:
    began = _seconds()
    snapshot = open_snapshot(root / "code", cache=root / "cache")
    survey_codebase(snapshot)
    snapshot.close()
    parties = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    memory = max(resource.getrusage(party).ru_maxrss for party in parties)
    print(_seconds() - began, memory / 1024)


def _seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        _read(Path(sys.argv[2]))
    else:
        sys.exit(main(sys.argv[1:]))
