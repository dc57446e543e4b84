"""Mutants of real files and programs that nobody wrote, by the hundred in one codebase a run.

Use: ``PYTHONPATH=tests python tests/benchmarks/fuzzing.py [--mutants 20000] [--programs 500]
[--batch 400] [--seed 1] [CODEBASE ...]``. The files are taken from the codebases, or from Python's
own standard library. Each run must end as over honest code alone, and no record may be about a file
that neither Python nor libcst can read. Where a run is lost, the file that costs it is looked for
and kept under ``--keep``. Where hypothesmith is installed, it writes as many programs again.
"""

import argparse
import ast
import importlib.util
import itertools
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import libcst

from journeys.sample_code import SHOP, write_code
from zoo.mutants import mutate
from zoo.programs import ProgramWriter
from zoo.run_records import files_of_records

LARGEST_FILE: Final = 12_000
LARGEST_CORPUS: Final = 2_000
PATIENCE_SECONDS: Final = 900
ODD_DIRECTORIES: Final = ("mutants/", "programs/")
GOOD_CODES: Final = (0, 1)

Files = Mapping[str, bytes]


@dataclass(frozen=True)
class BatchResult:
    """What a run over odd files came to.

    Attributes:
        exit_code: None where it did not end.
        problems: What is wrong.
        unparsed: How many files were not read.
    """

    exit_code: int | None
    problems: tuple[str, ...]
    unparsed: int


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("codebases", nargs="*", type=Path)
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--batch", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    begun = time.monotonic()
    corpus = read_corpus(options.codebases or [Path(sysconfig.get_paths()["stdlib"])])
    print(f"{len(corpus)} real files, {sum(map(len, corpus)):,} bytes")
    lost = total = number = 0
    batches = itertools.chain(
        mutant_batches(corpus, options.mutants, options.batch, options.seed),
        program_batches(options.programs, options.batch, options.seed),
    )
    for number, (name, files) in enumerate(batches, start=1):
        total += len(files)
        result = try_batch(files)
        print(f"{number}: {len(files)} {name}, exit {result.exit_code}, ", end="")
        print(f"{result.unparsed} unparsed ({time.monotonic() - begun:.0f} s)", flush=True)
        if result.problems:
            lost += 1
            print("\n".join(result.problems), flush=True)
            print(f"costs it: {culprit(files, options.keep)}", flush=True)
    print(f"{total} files in {number} runs: {lost} runs lost")
    return 1 if lost else 0


def read_corpus(directories: Sequence[Path]) -> list[bytes]:
    """Read real files that are not too long, spread over all there are."""
    paths = sorted(path for directory in directories for path in directory.rglob("*.py"))
    small = [path for path in paths if path.is_file() and 0 < path.stat().st_size <= LARGEST_FILE]
    step = max(len(small) // LARGEST_CORPUS, 1)
    return [path.read_bytes() for path in small[::step]]


def mutant_batches(
    corpus: Sequence[bytes], count: int, batch: int, seed: int
) -> Iterator[tuple[str, Files]]:
    """Make mutants, so many to a codebase."""
    rng = Random(seed)
    for first in range(0, count, batch):
        size = min(batch, count - first)
        yield (
            "mutants",
            {
                f"mutants/m{first + number}.py": mutate(rng.choice(corpus), rng, corpus)
                for number in range(size)
            },
        )


def program_batches(count: int, batch: int, seed: int) -> Iterator[tuple[str, Files]]:
    """Write programs, so many to a codebase."""
    writer = ProgramWriter(Random(seed))
    programs = [writer.program() for _ in range(count)]
    kinds = {"programs": programs}
    if importlib.util.find_spec("hypothesmith") and count:
        kinds["programs of hypothesmith"] = _hypothesmith_programs(count, seed)
    for name, texts in kinds.items():
        for first in range(0, len(texts), batch):
            part = texts[first : first + batch]
            yield (
                name,
                {
                    f"programs/p{first + number}.py": text.encode(errors="surrogatepass")
                    for number, text in enumerate(part)
                },
            )


def _hypothesmith_programs(count: int, seed: int) -> list[str]:
    # Here alone: it is no dependency, and takes long to import.
    command = [sys.executable, "-W", "ignore", "-c", HYPOTHESMITH_SCRIPT, str(count), str(seed)]
    result = subprocess.run(command, check=True, capture_output=True)
    texts: list[str] = json.loads(result.stdout)
    return texts


HYPOTHESMITH_SCRIPT: Final = """
import json, sys
import hypothesis, hypothesmith
count, seed = map(int, sys.argv[1:])
texts = []
@hypothesis.seed(seed)
@hypothesis.settings(
    max_examples=count, database=None, deadline=None, phases=[hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)
@hypothesis.given(hypothesmith.from_grammar())
def collect(text):
    texts.append(text)
collect()
print(json.dumps(texts))
"""


def try_batch(files: Files) -> BatchResult:
    """Run the program over honest code and odd files."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as directory:
        root = Path(directory)
        code = write_code(root / "code", SHOP)
        for path, data in files.items():
            (code / path).parent.mkdir(exist_ok=True)
            (code / path).write_bytes(data)
        (root / "desk").mkdir()
        return _run(root)


def _run(root: Path) -> BatchResult:
    command = [sys.executable, "-m", "goldwright", "run", "smoke", "--repo", str(root / "code")]
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(root / "cache")}
    try:
        ended = subprocess.run(
            command,
            cwd=root / "desk",
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return BatchResult(None, ("does not end",), 0)
    problems = []
    if ended.returncode not in GOOD_CODES or "Traceback" in ended.stderr:
        last_line = ended.stderr.strip().rpartition("\n")[2]
        problems.append(f"ended in {ended.returncode}: {last_line[:300]}")
        return BatchResult(ended.returncode, tuple(problems), 0)
    (run,) = (root / "desk/runs").iterdir()
    unparsed = json.loads((run / "run.json").read_bytes()).get("unparsed") or ()
    problems += _records_of_broken_files(run, root / "code")
    return BatchResult(ended.returncode, tuple(problems), len(unparsed))


def _records_of_broken_files(run: Path, code: Path) -> Iterator[str]:
    for query, paths in files_of_records(run).items():
        for path in sorted(paths):
            if path.startswith(ODD_DIRECTORIES) and not is_readable((code / path).read_bytes()):
                yield f"{query} is about {path}, which nobody can read"


def is_readable(data: bytes) -> bool:
    """Whether Python or libcst can read a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for parse in (ast.parse, libcst.parse_module):
            try:
                parse(data)
            except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError):
                continue
            except (libcst.ParserSyntaxError, UnicodeError):
                continue
            return True
    return False


def culprit(files: Files, keep: Path | None) -> str:
    """Halve the files until one is left that costs the run; keep it."""
    names = list(files)
    while len(names) > 1:
        half = names[: len(names) // 2]
        rest = names[len(names) // 2 :]
        for part in (half, rest):
            if try_batch({name: files[name] for name in part}).problems:
                names = part
                break
        else:
            return f"none of {len(names)} alone"
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / Path(names[0]).name).write_bytes(files[names[0]])
    return names[0]


if __name__ == "__main__":
    sys.exit(main())
