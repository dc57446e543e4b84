"""The built package on every Python there is: installed with what it needs, and used.

Use: ``package_check.py WHEEL REPO [PYTHON ...]``; without PYTHON, those of 3.11 to 3.14 that are
found. For each it makes an environment, installs the wheel under the pinned versions, resolves all
extras without installing them, makes and exports a draft of REPO and scores BM25 on it. It prints a
line for each step with its seconds, and fails where one fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import ZipFile

CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
# What only the makers of the program install.
MAKERS = frozenset({"dev", "docs"})


def main() -> None:
    """Check the wheel on each Python."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("repo", type=Path)
    parser.add_argument("pythons", nargs="*")
    options = parser.parse_args()
    pythons = options.pythons or [name for name in PYTHONS if _works(name)]
    failures = 0
    for python in pythons:
        with tempfile.TemporaryDirectory() as scratch:
            for name, command in _steps(python, options.wheel.resolve(), options.repo, scratch):
                failures += not _does(python, name, command, Path(scratch))
    sys.exit(bool(failures))


def _works(python: str) -> bool:
    if shutil.which(python) is None:
        return False
    # A name may stand for a version that is not installed.
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _steps(
    python: str, wheel: Path, repo: Path, scratch: str
) -> Iterator[tuple[str, Sequence[str]]]:
    environment = Path(scratch) / "env"
    pip = [str(environment / "bin/python"), "-m", "pip", "--disable-pip-version-check", "install"]
    goldwright = str(environment / "bin/goldwright")
    extras = ",".join(_extras(wheel))
    yield "environment", [python, "-m", "venv", str(environment)]
    yield "install", [*pip, "--quiet", "-c", str(CONSTRAINTS), str(wheel)]
    yield "extras resolved", [*pip, "--quiet", "--dry-run", f"{wheel}[{extras}]"]
    yield "help", [goldwright, "--help"]
    yield "run", [goldwright, "run", "phase1", "--repo", str(repo.resolve())]
    yield "export", [goldwright, "export", "latest", "--version", "1.0", "--draft"]
    yield (
        "eval",
        [goldwright, "eval", "latest", "--repo", str(repo.resolve()), "--retriever", "bm25"],
    )


def _extras(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        lines = archive.read(name).decode().splitlines()
    extras = [line.partition(": ")[2] for line in lines if line.startswith("Provides-Extra: ")]
    return [extra for extra in extras if extra not in MAKERS]


def _does(python: str, name: str, command: Sequence[str], scratch: Path) -> bool:
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    variables["GOLDWRIGHT_CACHE"] = str(scratch / "cache")
    begun = time.monotonic()
    done = subprocess.run(
        command, cwd=scratch, env=variables, capture_output=True, text=True, check=False
    )
    # Of a small codebase a run says with 1 that cells stay empty.
    is_done = done.returncode in ({0, 1} if name == "run" else {0})
    seconds = time.monotonic() - begun
    print(f"{python}  {name}: {'done' if is_done else 'FAILED'} in {seconds:.1f} s", flush=True)
    if not is_done:
        print((done.stdout + done.stderr)[-2000:])
    return is_done


if __name__ == "__main__":
    main()
