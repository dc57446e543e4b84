"""Hold the entities of TypeScript codebases against scip-typescript, which asks the type checker.

    python tests/benchmarks/typescript_scip.py [--others N] NODE_MODULES REPOSITORY...

``NODE_MODULES`` is a folder in which npm has put ``@sourcegraph/scip-typescript``; node is needed
as well. For each repository it prints how many definitions the index has that other files can name,
how many of them are ours (same file, line, and name with its parents), how many of ours it has, and
what the others are. With ``--others`` it shows some of each kind.
"""

import argparse
import json
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.typescript_entities import files_of
from goldwright.snapshot.languages.typescript.language import TYPESCRIPT

DECODER = Path(__file__).with_name("typescript_scip.js")
OPTIONS = {
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "jsx": "preserve",
    "experimentalDecorators": True,
    "noEmit": True,
    "skipLibCheck": True,
    "types": [],
}
# A descriptor of a symbol: a name, plain or in back quotes, and what it is.
DESCRIPTOR = re.compile(
    r"(?:`(?P<quoted>(?:[^`]|``)+)`|(?P<plain>[\w$+-]+))"
    r"(?P<suffix>[/#.:]|\(\w*\+?\d*\)\.)"
    r"|\((?P<parameter>[^()]+)\)|\[(?P<type_parameter>[^\[\]]+)\]"
)
PARAMETER_FIELD = re.compile(r"`<constructor>`\(.*?\)\.\([^()]+\)$")
ACCESSOR = re.compile(r"<(get|set)>(.+)")


class Ours(NamedTuple):
    """One of ours."""

    file: str
    first: int
    last: int
    name: str

    def covers(self, line: int) -> bool:
        """Whether a line is one of its lines."""
        return self.first <= line <= self.last

    @property
    def last_part(self) -> str:
        """The name without its parents; that of a setter is the name of its value."""
        return self.name.removesuffix(".set").rpartition(".")[2]


def index_of(
    node_modules: Path, repository: Path, names: Iterable[str]
) -> Iterator[tuple[str, int, str, str]]:
    """Yield file, line, own name and symbol of each definition that the indexer sees."""
    with tempfile.TemporaryDirectory() as directory:
        files = [str((repository / name).resolve()) for name in names]
        settings = {"compilerOptions": OPTIONS, "files": files}
        Path(directory, "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        index = Path(directory, "index.scip")
        indexer = node_modules.resolve() / ".bin" / "scip-typescript"
        command = [str(indexer), "index", "--no-progress-bar", "--max-file-byte-size", "2mb"]
        command += ["--cwd", str(repository.resolve()), "--output", str(index), directory]
        subprocess.run(command, capture_output=True, check=True)
        decoded = subprocess.run(
            ["node", str(DECODER), str(node_modules.resolve()), str(index)],
            cwd=repository,
            capture_output=True,
            text=True,
            check=True,
        )
    for line in decoded.stdout.splitlines():
        file, number, text, symbol = json.loads(line)
        yield file, number, text, symbol


def our_name(symbol: str) -> str:
    """Write the name behind the file of a symbol as an id has it."""
    parts: list[str] = []
    for match in DESCRIPTOR.finditer(symbol):
        if match["suffix"] == "/" and re.search(r"\.[cm]?tsx?$", match["quoted"] or ""):
            parts.clear()
            continue
        name = match["quoted"] or match["plain"] or ""
        accessor = ACCESSOR.fullmatch(name)
        if accessor is not None:
            parts.append(accessor[2] + (".set" if accessor[1] == "set" else ""))
        else:
            parts.append("constructor" if name == "<constructor>" else name)
    return ".".join(parts)


def standing(symbol: str) -> str:
    """Say as what the index has something that is no definition to us; empty for what is one."""
    if not symbol:
        return "local of a function or pattern"
    if PARAMETER_FIELD.search(symbol):
        return "parameter of a constructor"
    if symbol.endswith((")", "]")):
        return "parameter"
    if "typeLiteral" in symbol:
        return "member of a type literal"
    return "key of an object" if symbol.endswith(":") else ""


def our_definitions(repository: Path, names: Iterable[str]) -> Iterator[Ours]:
    """Yield ours, file by file."""
    for name in names:
        for item in TYPESCRIPT.read_facts((repository / name).read_bytes()).definitions:
            yield Ours(name, item.first, item.last, item.name)


class Comparison:
    """Which of ours an index has, which of its definitions we have, and what the others are."""

    def __init__(self, ours: Iterable[Ours]) -> None:
        self.ours = set(ours)
        self.seen = 0
        self.same = 0
        self.alone: dict[str, list[str]] = defaultdict(list)
        self._standings: dict[Ours, str] = {}
        self._named: dict[tuple[str, str], list[Ours]] = defaultdict(list)
        self._alike: dict[tuple[str, str], list[Ours]] = defaultdict(list)
        for own in self.ours:
            self._named[own.file, own.name].append(own)
            self._alike[own.file, own.last_part].append(own)

    @property
    def common(self) -> int:
        """How many of ours are definitions of the index."""
        return sum(not other for other in self._standings.values())

    def take(self, file: str, line: int, text: str, symbol: str) -> None:
        """Take something that the index says is defined somewhere."""
        other = standing(symbol)
        place = f"{file}:{line} {text} {symbol}"
        if other:
            self.alone[f"index alone, {other}"].append(place)
            for own in self._alike[file, text]:
                if own.covers(line):
                    self._standings.setdefault(own, other)
            return
        self.seen += 1
        fitting = [own for own in self._named[file, our_name(symbol)] if own.covers(line)]
        self._standings.update(dict.fromkeys(fitting, ""))
        if fitting:
            self.same += 1
        else:
            self.alone["index alone, definition"].append(place)

    def finish(self) -> None:
        """Say as what the index has those of ours that are no definitions there."""
        for own in self.ours:
            other = self._standings.get(own, "not there")
            if other:
                self.alone[f"ours alone, {other}"].append(f"{own.file}:{own.first} {own.name}")


def compare(node_modules: Path, repository: Path, others: int) -> None:
    """Print the figures of one repository."""
    names = files_of(repository)
    comparison = Comparison(our_definitions(repository, names))
    for file, line, text, symbol in index_of(node_modules, repository, names):
        comparison.take(file, line, text, symbol)
    comparison.finish()
    print(f"{repository.name}: {len(names)} files")
    print(f"  of {comparison.seen:,} definitions of the index {comparison.same:,} are ours")
    print(f"  of {len(comparison.ours):,} of ours {comparison.common:,} are there")
    for kind, places in sorted(comparison.alone.items()):
        print(f"    {len(places):>6,} {kind}")
        step = max(1, len(places) // max(1, others))
        for shown in sorted(places)[::step][:others]:
            print(f"             {shown}")


def main() -> None:
    """Compare every repository named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=int, default=0)
    parser.add_argument("node_modules", type=Path)
    parser.add_argument("repositories", nargs="+", type=Path)
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        compare(arguments.node_modules, repository, arguments.others)


if __name__ == "__main__":
    main()
