"""Carry drafts along real histories, and judge every record by a second reading that shares no code
with the first.

Usage: python tests/benchmarks/rebase_history.py REPO --old REV --new REV [--new REV ...] [--seed N]
[--show N]

A Phase-1 draft is made at the old commit by the command line and carried to each of the newer ones.
The checker reads both commits with git and ast alone. It prints what each said of the records, how
many that were carried have another body now (must be none), and which share of those that the
checker finds again was carried without people (must be 95 % or more), with the reasons for the
rest.
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from goldwright.golden.loading import parse_dataset
from goldwright.golden.rebase import RebasedRecord, rebase_labels
from goldwright.records import GoldenLabel
from goldwright.snapshot import open_snapshot

KINDS = ("unchanged", "moved", "edited", "gone")
SMALLEST_SHARE = 0.95

Definitions = dict[str, list[tuple[int, int]]]


class Commit:
    """The files and definitions of a commit, read with git and ast."""

    def __init__(self, repo: Path, rev: str) -> None:
        self.repo = repo
        self.rev = git(repo, "rev-parse", f"{rev}^{{commit}}").strip()
        self._lines: dict[str, list[str]] = {}
        self._definitions: dict[str, Definitions] = {}

    @cached_property
    def paths(self) -> frozenset[str]:
        listed = git(self.repo, "ls-tree", "-r", "-z", "--name-only", self.rev)
        return frozenset(path for path in listed.split("\0") if path)

    def lines(self, path: str) -> list[str]:
        if path not in self._lines:
            text = git(self.repo, "show", f"{self.rev}:{path}") if path in self.paths else ""
            self._lines[path] = text.replace("\r\n", "\n").split("\n")
        return self._lines[path]

    def definitions(self, path: str) -> Definitions:
        if path not in self._definitions:
            found: Definitions = {}
            try:
                define(ast.parse("\n".join(self.lines(path))).body, "", found, in_function=False)
            except (SyntaxError, ValueError):
                found = {}
            self._definitions[path] = found
        return self._definitions[path]

    def body(self, identifier: str) -> str | None:
        path, _, name = identifier.partition("::")
        if path not in self.paths or name not in self.definitions(path):
            return None
        return "\0".join(
            self.text(path, first, last) for first, last in self.definitions(path)[name]
        )

    def text(self, path: str, first: int, last: int) -> str:
        lines = (line.rstrip() for line in self.lines(path)[first - 1 : last])
        return textwrap.dedent("\n".join(lines))

    @cached_property
    def by_simple_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(path for path in self.paths if path.endswith((".py", ".pyi"))):
            for name in self.definitions(path):
                found.setdefault(name.rpartition(".")[2], []).append(f"{path}::{name}")
        return found


@cache
def git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def define(body: list[ast.stmt], prefix: str, found: Definitions, *, in_function: bool) -> None:
    for node in body:
        end = node.end_lineno or node.lineno
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                found.setdefault(prefix + node.name, []).append((first, end))
                define(
                    node.body,
                    f"{prefix}{node.name}.",
                    found,
                    in_function=not isinstance(node, ast.ClassDef),
                )
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                for name in () if in_function else bound(node):
                    found.setdefault(prefix + name, []).append((node.lineno, end))
            case _:
                for inner in statement_lists(node):
                    define(inner, prefix, found, in_function=in_function)


def bound(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for one in ast.walk(target):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id


def statement_lists(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for name in ("handlers", "cases"):
        for one in getattr(node, name, []):
            yield one.body


def renames(repo: Path, old: Commit, new: Commit) -> dict[str, str]:
    fields = git(repo, "diff", "--raw", "-z", "-M", "--diff-filter=R", old.rev, new.rev).split("\0")
    return {fields[at + 1]: fields[at + 2] for at in range(0, len(fields) - 2, 3)}


def judged_entity(identifier: str, old: Commit, new: Commit, renamed: dict[str, str]) -> str:
    """Tell what became of an entity."""
    path, _, name = identifier.partition("::")
    there = path if path in new.paths else renamed.get(path, path)
    body, now = old.body(identifier), new.body(f"{there}::{name}")
    if body is not None and body == now:
        in_place = there == path and old.definitions(path)[name] == new.definitions(path)[name]
        return "unchanged" if in_place else "moved"
    if now is not None:
        return "edited"
    same = [
        one for one in new.by_simple_name.get(name.rpartition(".")[2], []) if new.body(one) == body
    ]
    if len(same) == 1:
        return "moved"
    return "edited" if same else "gone"


def judged_range(
    cited: dict[str, Any], inside: bool, old: Commit, new: Commit, renamed: dict[str, str]
) -> str:
    """Tell what became of a range; one inside an entity fares as that does."""
    file, first, last = cited["file"], cited["start"], cited["end"]
    wanted = old.lines(file)[first - 1 : last]
    if file in new.paths and new.lines(file)[first - 1 : last] == wanted:
        return "unchanged"
    lines = new.lines(file if file in new.paths else renamed.get(file, file))
    stands = any(
        lines[at : at + len(wanted)] == wanted for at in range(len(lines) - len(wanted) + 1)
    )
    return "moved" if inside or stands else "edited"


def judge(record: dict[str, Any], old: Commit, new: Commit, renamed: dict[str, str]) -> str:
    """Give the worst of what became of the entities and ranges of a record."""
    identifiers = [one["entity_id"] for one in record["expected_entities"]]
    verdicts = [judged_entity(one, old, new, renamed) for one in identifiers]
    for cited in (
        *record["expected_line_ranges"],
        *record["fact_citations"],
        *record["source_evidence"],
    ):
        inside = any(
            identifier.startswith(f"{cited['file']}::")
            and first <= cited["start"]
            and cited["end"] <= last
            for identifier in identifiers
            for first, last in old.definitions(cited["file"]).get(identifier.partition("::")[2], [])
        )
        verdicts.append(judged_range(cited, inside, old, new, renamed))
    return max(verdicts, key=KINDS.index)


def breaches(
    record: dict[str, Any], carried: dict[str, Any], old: Commit, new: Commit
) -> list[str]:
    """Name what a carried record says of the new commit that is not what the old record said of the
    old one.
    """
    found = [
        f"{after['entity_id']}: another body"
        for before, after in zip(
            record["expected_entities"], carried["expected_entities"], strict=True
        )
        if new.body(after["entity_id"]) is None
        or new.body(after["entity_id"]) != old.body(before["entity_id"])
    ]
    for part in ("expected_line_ranges", "fact_citations", "source_evidence"):
        for before, after in zip(record[part], carried[part], strict=True):
            was, now = (
                commit.text(one["file"], one["start"], one["end"])
                for commit, one in ((old, before), (new, after))
            )
            if was != now:
                found.append(f"{part} {after['file']}:{after['start']}-{after['end']}: other lines")
    words = " ".join([carried["canonical_narrative"], *carried["must_mention_facts"]])
    found += [
        f"still names {path}"
        for path in record["expected_files"]
        if path not in new.paths and path in words.split()
    ]
    spans = {
        span for one in carried["expected_entities"] for span in spans_of(one["entity_id"], new)
    }
    for first, last in re.findall(r"\blines (\d+) to (\d+)", words):
        if (int(first), int(last)) not in spans:
            found.append(f"names lines {first} to {last}, which no expected entity has")
    return found


def unmarked_claims(
    record: dict[str, Any], rebased: RebasedRecord, old: Commit, new: Commit
) -> Iterator[str]:
    """Name the facts of a returned record whose lines say something else, and are not marked."""
    if rebased.draft is None:
        return
    marked = {change.claim_id for change in rebased.changed_claims}
    texts: dict[str, list[str]] = {}
    for cited in rebased.draft.fact_citations:
        now = new.text(cited.file, cited.start, cited.end)
        texts.setdefault(cited.claim_id, []).append(now)
    for cited in record["fact_citations"]:
        before = old.text(cited["file"], cited["start"], cited["end"])
        if before not in texts.get(cited["claim_id"], []) and cited["claim_id"] not in marked:
            yield f"{record['query_id']} {cited['claim_id']}: {cited['file']}:{cited['start']}"


def stale_counts(
    labels: tuple[GoldenLabel, ...], old: Commit, new: Commit, root: Path
) -> tuple[list[str], int]:
    """Plant a count of uses into each record; give those that were carried and are wrong."""
    planted = []
    for label in labels:
        name = simple_name(label)
        sentence = f"`{name}` is used in {uses(name, old)} places of the codebase."
        facts = (*label.must_mention_facts[:-1], f"{label.must_mention_facts[-1]} {sentence}")
        planted.append(label.model_copy(update={"must_mention_facts": facts}))
    cache_path = root / "cache"
    snapshots = [open_snapshot(one.repo, rev=one.rev, cache=cache_path) for one in (old, new)]
    carried = [one for one in rebase_labels(planted, *snapshots) if one.label is not None]
    by_id = {label.query_id: label for label in labels}
    stale = []
    for one in carried:
        name = simple_name(by_id[one.query_id])
        before, now = uses(name, old), uses(name, new)
        if before != now:
            stale.append(f"{one.query_id}: {name} was used in {before} places, and is in {now}")
    return stale, len(carried)


def simple_name(label: GoldenLabel) -> str:
    return label.entity_ids[0].rpartition("::")[2].rpartition(".")[2]


def uses(name: str, commit: Commit) -> int:
    """Count the lines of code that hold a name as a word, but for those that import it."""
    found = subprocess.run(
        [
            "git",
            "-C",
            str(commit.repo),
            "grep",
            "-h",
            "-w",
            "-F",
            "-e",
            name,
            commit.rev,
            "--",
            "*.py",
        ],
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
    ).stdout.split("\n")
    lines = [line.strip() for line in found if line.strip()]
    return sum(not line.startswith(("import ", "from ")) for line in lines)


def spans_of(identifier: str, commit: Commit) -> list[tuple[int, int]]:
    path, _, name = identifier.partition("::")
    return commit.definitions(path).get(name, [])


def goldwright(*arguments: str, root: Path) -> str:
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(root / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "goldwright", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(f"{arguments[0]}: exit {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def draft(repo: Path, rev: str, seed: str, root: Path) -> bytes:
    chosen = ("--repo", str(repo), "--rev", rev, "--seed", seed)
    report = json.loads(goldwright("run", "phase1", *chosen, "--json", root=root))
    written = goldwright("export", report["run"], "--version", "1.0", "--draft", root=root)
    return (root / written.strip()).read_bytes()


def compare(repo: Path, data: bytes, old_rev: str, new_rev: str, root: Path, show: int) -> bool:
    records = {one["query_id"]: one for one in json.loads(data)}
    old, new = Commit(repo, old_rev), Commit(repo, new_rev)
    old_snapshot = open_snapshot(repo, rev=old.rev, cache=root / "cache")
    new_snapshot = open_snapshot(repo, rev=new.rev, cache=root / "cache")
    began = time.monotonic()
    rebased = rebase_labels(parse_dataset(data, source="draft"), old_snapshot, new_snapshot)
    seconds = time.monotonic() - began
    renamed = renames(repo, old, new)
    judged = {query_id: judge(record, old, new, renamed) for query_id, record in records.items()}
    apart = git(repo, "rev-list", "--count", f"{old.rev}..{new.rev}").strip()
    distance = f"{apart} commits, {len(renamed)} renames"
    print(f"\n{repo.name} {old.rev[:10]} -> {new.rev[:10]}, {distance}, {seconds:.2f} s")
    unmarked = [
        claim for one in rebased for claim in unmarked_claims(records[one.query_id], one, old, new)
    ]
    stale, counted = stale_counts(parse_dataset(data, source="draft"), old, new, root)
    print(f"changed claims of returned records that nobody has to look at: {len(unmarked)}")
    print(f"planted counts that were carried: {counted}, of which stale: {len(stale)}")
    for problem in (*unmarked, *stale):
        print(f"  BREACH {problem}")
    is_good = print_verdicts(rebased, judged, records, (old, new), show)
    return is_good and not unmarked and not stale


def print_verdicts(
    rebased: tuple[RebasedRecord, ...],
    judged: dict[str, str],
    records: dict[str, dict[str, Any]],
    commits: tuple[Commit, Commit],
    show: int,
) -> bool:
    table: Counter[tuple[str, str]] = Counter((judged[one.query_id], one.kind) for one in rebased)
    print(f"{'checker':<12}" + "".join(f"{kind:>11}" for kind in KINDS) + "   (rebase)")
    for verdict in KINDS:
        print(f"{verdict:<12}" + "".join(f"{table[verdict, kind]:>11}" for kind in KINDS))
    broken = {
        one.query_id: found
        for one in rebased
        if one.label
        and (found := breaches(records[one.query_id], one.label.model_dump(), *commits))
    }
    stand = [one for one in rebased if judged[one.query_id] in {"unchanged", "moved"}]
    left = [one for one in stand if one.label is None]
    share = 1 - len(left) / len(stand) if stand else 1.0
    carried = f"carried of those that stand: {share:.1%} of {len(stand)}"
    print(f"carried with a breach: {len(broken)}; {carried}")
    for query_id, found in broken.items():
        print(f"  BREACH {query_id}: {found}")
    for one in left[:show]:
        print(f"  left {one.query_id} {one.kind}: {'; '.join(one.reasons)} {one.hints}")
    for one in rebased:
        if one.label and judged[one.query_id] not in {"unchanged", "moved"}:
            print(f"  carried against the checker: {one.query_id}")
    return not broken and share >= SMALLEST_SHARE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--old", required=True)
    parser.add_argument("--new", required=True, action="append")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    repo = options.repo.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        data = draft(repo, options.old, options.seed, root)
        kept = [compare(repo, data, options.old, new, root, options.show) for new in options.new]
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
