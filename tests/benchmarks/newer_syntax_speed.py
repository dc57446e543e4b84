"""What it costs to index files in syntax that is newer than the interpreter (target: 3 x parsing).

Usage: newer_syntax_speed.py [DIR...] [--files 20 200 2000] [--rounds 3] [--seed 1]

The yardstick is a bare ``ast.parse`` of the same files, written in older syntax. Directories of
generated files come first; of each DIR the newer files are measured alone and among all others.
"""

import argparse
import ast
import random
import re
import resource
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import goldwright
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.indexing.file_indexing import facts_of
from goldwright.snapshot.languages.language_catalog import language_named
from goldwright.snapshot.languages.python.backporting import backport
from goldwright.snapshot.languages.python.decoding import decode_strictly
from goldwright.snapshot.languages.python.newer_syntax import newer_definitions
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_strictly
from units.snapshot.python.generated_code import CodeGenerator

_PYTHON = language_named("python")
_TARGET = 3
# libcst is slow; what it takes is known from a few files.
_MOST_FOR_LIBCST = 40

# From one definition up to the next one.
_SECOND_DEFINITION = re.compile(rb"(\n *def \w+\((?:.|\n)*?)(\n *def \w+)\(")

Files = Mapping[str, bytes]


def generated_files(count: int, seed: int) -> Files:
    """Write files of about 4 kB, every one of them newer."""
    generator = CodeGenerator(random.Random(seed), is_newer=True)
    return {f"{number}.py": generator.module(25).encode() for number in range(count)}


def annotated_files(count: int) -> Files:
    """Give the files of this package type parameters on every second definition."""
    paths = sorted(Path(goldwright.__file__).parent.rglob("*.py"))
    files: dict[str, bytes] = {}
    for number in range(count):
        text = paths[number % len(paths)].read_bytes()
        text = _SECOND_DEFINITION.sub(rb"\1\2[T](", text)
        files[f"{number}.py"] = text + b"\n\ntype Alias = int\n"
    return files


def files_of(directory: Path) -> Files:
    """Read the Python files of a directory that Python can read at all."""
    files = {str(path): path.read_bytes() for path in sorted(directory.rglob("*.py"))}
    return {path: data for path, data in files.items() if is_readable(data)}


def is_readable(data: bytes) -> bool:
    """Tell whether a file can be parsed, rewritten or not."""
    try:
        parse_strictly(older_text(data))
    except (UnparsableError, UnicodeError, SyntaxError, ValueError):
        return False
    return True


def is_newer(data: bytes) -> bool:
    """Tell whether this interpreter cannot parse a file."""
    try:
        parse_strictly(data)
    except UnparsableError:
        return True
    return False


def older_text(data: bytes) -> str:
    """Write a file in older syntax."""
    text = decode_strictly(data).replace("\r\n", "\n").replace("\r", "\n")
    return backport(text)


def parse_bare(texts: Sequence[str]) -> None:
    """What the standard library takes for the syntax trees alone."""
    with garbage_collection_paused():
        for text in texts:
            ast.parse(text)


def rewrite(files: Files) -> None:
    """Rewrite all files."""
    for data in files.values():
        older_text(data)


def read_by_libcst(datas: Sequence[bytes]) -> None:
    """What took the place of the rewriting before."""
    for data in datas:
        newer_definitions(data)


def seconds(work: Callable[[], object]) -> float:
    """Time one call, in this process and those that it starts and ends."""
    began = _processor_seconds()
    work()
    return _processor_seconds() - began


def _processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def report(name: str, files: Files, rounds: int) -> None:
    """Print the median ratios of indexing, rewriting and libcst to parsing."""
    texts = [older_text(data) for data in files.values()]
    some = list(files.values())[:_MOST_FOR_LIBCST]
    some_texts = texts[:_MOST_FOR_LIBCST]
    index_ratios, rewriting_ratios, libcst_ratios = [], [], []
    for _ in range(rounds):
        parsing = seconds(lambda: parse_bare(texts))
        index_ratios.append(seconds(lambda: facts_of(files, _PYTHON, 1)) / parsing)
        rewriting_ratios.append(seconds(lambda: rewrite(files)) / parsing)
        parsing_some = seconds(lambda: parse_bare(some_texts))
        libcst_ratios.append(seconds(lambda: read_by_libcst(some)) / parsing_some)
    size = sum(map(len, files.values()))
    print(
        f"{name:<28} {len(files):>6} files {size / 1e6:6.1f} MB   index {median(index_ratios):5.2f}"
        f"   (rewriting alone {median(rewriting_ratios):4.2f}, libcst {median(libcst_ratios):5.1f})"
    )


def main() -> None:
    """Measure generated files and each directory."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directories", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--files", nargs="+", type=int, default=[20, 200, 2000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"times of a bare ast.parse of the same files; target for the index: {_TARGET}")
    for count in options.files:
        report("this package, annotated", annotated_files(count), options.rounds)
        report("corner cases by chance", generated_files(count, options.seed), options.rounds)
    for directory in options.directories:
        files = files_of(directory)
        newer = {path: data for path, data in files.items() if is_newer(data)}
        if newer:
            report(f"{directory.name}, newer", newer, options.rounds)
        report(f"{directory.name}, all", files, options.rounds)


if __name__ == "__main__":
    main()
