"""Hold the entities of TypeScript codebases against the parser of the TypeScript compiler.

    python tests/benchmarks/typescript_entities.py NODE_MODULES REPOSITORY...

``NODE_MODULES`` is a folder in which npm has put ``typescript@5`` (7 has no parser to call); node
is needed as well. For each repository it prints how many files it has, how many were not parsed,
how many symbols the compiler sees and we see, how many are the same (file, name, kind, first and
last line), and every other. It exits with 1 when one of ours is not the compiler's.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from goldwright.snapshot.languages.typescript.language import TYPESCRIPT

SYMBOLS = Path(__file__).with_name("typescript_symbols.js")
Symbol = tuple[str, str, int, int]


def files_of(repository: Path) -> list[str]:
    """List the TypeScript files that git knows, except links."""
    command = ["git", "-C", str(repository), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    names = [name for name in listed.split("\0") if name.endswith(TYPESCRIPT.suffixes)]
    paths = {name: repository / name for name in names}
    return [name for name, path in paths.items() if path.is_file() and not path.is_symlink()]


def compiler_symbols(
    node_modules: Path, repository: Path, names: list[str]
) -> Iterator[set[Symbol]]:
    """Yield what the compiler sees in each file."""
    run = subprocess.run(
        ["node", str(SYMBOLS), str(node_modules.resolve())],
        input="\0".join(names),
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    for line in run.stdout.splitlines():
        yield {(name, kind, first, last) for name, kind, first, last in json.loads(line)["found"]}


def compare(node_modules: Path, repository: Path) -> bool:
    """Print the figures of one repository; tell whether all of ours are the compiler's."""
    names = files_of(repository)
    unparsed = theirs_unparsed = theirs_total = ours_total = same = 0
    seconds = 0.0
    others: list[str] = []
    for name, theirs in zip(names, compiler_symbols(node_modules, repository, names), strict=True):
        started = perf_counter()
        facts = TYPESCRIPT.read_facts((repository / name).read_bytes())
        seconds += perf_counter() - started
        if facts.reason:
            unparsed += 1
            theirs_unparsed += len(theirs)
            others.append(f"  unparsed {name}: {facts.reason}")
            continue
        ours = {(item.name, item.kind, item.first, item.last) for item in facts.definitions}
        theirs_total += len(theirs)
        ours_total += len(ours)
        same += len(ours & theirs)
        others.extend(f"  compiler alone {name} {symbol}" for symbol in sorted(theirs - ours))
        others.extend(f"  ours alone {name} {symbol}" for symbol in sorted(ours - theirs))
    print(
        f"{repository.name}: {len(names)} files, {unparsed} unparsed ({theirs_unparsed} symbols); "
        f"compiler {theirs_total}, ours {ours_total}, same {same}; {seconds:.1f} s"
    )
    for other in others:
        print(other)
    return same == ours_total


def main() -> int:
    """Compare every repository named on the command line."""
    node_modules, *repositories = (Path(argument) for argument in sys.argv[1:])
    agreements = [compare(node_modules, repository) for repository in repositories]
    return 0 if all(agreements) else 1


if __name__ == "__main__":
    raise SystemExit(main())
