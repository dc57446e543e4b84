"""Hold the entities of TypeScript codebases against ctags, which knows neither us nor the compiler.

    python tests/benchmarks/typescript_indexers.py [--others N] REPOSITORY...

For each repository and kind it prints how many definitions ctags sees, how many of them we have
(same file, line and name; and how many of those have the same parents), and how many of ours of the
like kinds ctags lacks. With ``--others`` it shows some that only one of both has.
"""

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.typescript_entities import files_of
from goldwright.snapshot.languages.typescript.language import TYPESCRIPT

# What ctags calls what we call a class, a method, a function or a variable.
KINDS = {
    "class": "class",
    "interface": "class",
    "enum": "class",
    "namespace": "class",
    "method": "method",
    "function": "function",
    "generator": "function",
    "enumerator": "variable",
    "property": "variable",
    "alias": "variable",
    "constant": "variable",
    "variable": "variable",
}
Place = tuple[str, int, str]


def ctags_symbols(repository: Path, names: Iterable[str]) -> dict[Place, tuple[str, str]]:
    """Give kind and parents of what ctags sees, by file, line and name."""
    command = ["ctags", "--output-format=json", "--fields=+nKs", "--languages=TypeScript"]
    command += ["--kinds-TypeScript=-z", "-L", "-", "-f", "-"]
    command += [f"--map-TypeScript=+{suffix}" for suffix in TYPESCRIPT.suffixes]
    run = subprocess.run(
        command,
        input="\n".join(names),
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    found = {}
    for line in run.stdout.splitlines():
        tag = json.loads(line)
        found[tag["path"], tag["line"], tag["name"]] = (tag["kind"], tag.get("scope", ""))
    return found


def our_symbols(repository: Path, names: Iterable[str]) -> dict[Place, tuple[str, str, int]]:
    """Give kind, parents and last line of ours by file, first line and last part of the name."""
    found = {}
    for name in names:
        for item in TYPESCRIPT.read_facts((repository / name).read_bytes()).definitions:
            # A setter is ``Cart.total.set``, and a method may have the name ``set``.
            for whole in (item.name.removesuffix(".set"), item.name):
                parents, _, own = whole.rpartition(".")
                found[name, item.first, own] = (item.kind, parents, item.last)
    return found


def compare(repository: Path, others: int) -> None:
    """Print the figures of one repository."""
    names = files_of(repository)
    theirs, ours = ctags_symbols(repository, names), our_symbols(repository, names)
    spans: dict[tuple[str, str], list[tuple[int, int, str]]] = {}
    for (name, first, own), (_, parents, last) in ours.items():
        spans.setdefault((name, own), []).append((first, last, parents))
    seen, same, same_parents = Counter[str](), Counter[str](), Counter[str]()
    alone: list[str] = []
    matched: set[Place] = set()
    for (name, line, own), (kind, scope) in theirs.items():
        seen[kind] += 1
        # Ours begin with decorators and ``export``, theirs where the name stands.
        fitting = [one for one in spans.get((name, own), ()) if one[0] <= line <= one[1]]
        if not fitting:
            # Those of functions are entities to ctags, and to nobody else.
            if kind not in {"constant", "variable", "alias"}:
                alone.append(f"  ctags alone: {kind} {name}:{line} {scope}.{own}")
            continue
        first, _, parents = max(fitting)
        matched.add((name, first, own))
        same[kind] += 1
        same_parents[kind] += parents == scope
    print(f"{repository.name}: {len(names)} files")
    for kind, count in seen.most_common():
        print(
            f"  {kind:<12}{count:>7} of ctags, {same[kind]:>6} ours, "
            f"{same_parents[kind]:>6} with the same parents"
        )
    kinds = Counter(kind for place, (kind, *_) in ours.items() if place not in matched)
    print(f"  ours alone: {dict(kinds)} of {len(ours)}")
    ours_alone = [
        f"  ours alone: {value[0]} {place[0]}:{place[1]} {value[1]}.{place[2]}"
        for place, value in ours.items()
        if place not in matched
    ]
    for lines in (alone, ours_alone):
        step = max(1, len(lines) // max(1, others))
        print("\n".join(lines[::step][:others]))


def main() -> None:
    """Compare every repository named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=int, default=0)
    parser.add_argument("repositories", nargs="+", type=Path)
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        compare(repository, arguments.others)


if __name__ == "__main__":
    main()
