"""Recompute the symbols of mined cases by other means, and count how many cases agree.

    python tests/benchmarks/mining_symbols.py REPOSITORY CASES.jsonl

``CASES.jsonl`` was mined with ``--level symbol``. Every changed file of a case is compared by one
``git diff`` of its own and read by ``git show``; the tree is walked from the leaves to the root,
and code is compared as ``ast.unparse`` writes it. Of cases pinned to their parents all symbols must
be the same. Of others, each symbol must be one that the commit changed, or the name and code of one
that moved since, and none that is still there may be missing.

Two rules are those of docs/mining.md, written again: ``u"text"`` is the code ``"text"``, and
``except A, b`` of Python 2 is code that parses, other code than ``except (A, b)`` and
``except A as b``. What does not parse here is counted apart.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
# Python 2, and Python 3.14 for what it catches without a name: a comma outside of brackets.
OLD_EXCEPT = re.compile(
    r"^(\s*except\s+)((?:\([^()\n]*\)|[^:#(),\n])+,[^:#\n]*?)(\s*:)", re.MULTILINE
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Repository:
    """A repository that is asked one thing at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def git(self, *arguments: str) -> str:
        """Run git and give what it prints."""
        command = ["git", "-C", str(self.path), "-c", "core.quotePath=false", *arguments]
        run = subprocess.run(command, capture_output=True, check=True)
        return run.stdout.decode("utf-8", "surrogateescape")

    def text(self, commit: str, path: str) -> str | None:
        """Give a file at a commit; None where it is not there."""
        command = ["git", "-C", str(self.path), "show", f"{commit}:{path}"]
        run = subprocess.run(command, capture_output=True, check=False)
        if run.returncode:
            return None
        return run.stdout.decode("utf-8", "replace").replace("\r\n", "\n")

    def changed_paths(self, parent: str, commit: str) -> Iterator[tuple[str, str]]:
        """Yield the old and the new path of each changed Python file."""
        fields = self.git("diff", "--name-status", "-M", "-z", parent, commit).split("\0")
        place = 0
        while place < len(fields) - 1:
            width = 3 if fields[place][0] in "RC" else 2
            paths = fields[place + 1 : place + width]
            if paths[0].endswith((".py", ".pyi")) and paths[-1].endswith((".py", ".pyi")):
                yield paths[0], paths[-1]
            place += width


def symbols_at(text: str, lines: set[int]) -> tuple[set[str], dict[str, list[str]]]:
    """Give the innermost definitions around lines, and the code of every definition."""
    try:
        module = ast.parse(text)
    except SyntaxError:
        module = ast.parse(OLD_EXCEPT.sub(r"\1(old_except, \2)\3", text))
    codes: dict[str, list[str]] = {}
    owner: dict[int, tuple[int, str]] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, DEFINITIONS):
                name = f"{prefix}.{child.name}" if prefix else child.name
                first = min([child.lineno, *(item.lineno for item in child.decorator_list)])
                size = (child.end_lineno or first) - first
                for line in lines & set(range(first, first + size + 1)):
                    if line not in owner or size <= owner[line][0]:
                        owner[line] = (size, name)
            visit(child, name)
            if isinstance(child, DEFINITIONS):
                codes.setdefault(name, []).append(written(child))

    visit(module, "")
    return {name for _, name in owner.values()}, codes


def written(definition: Definition) -> str:
    """Write the code of a definition without docstrings and without inner definitions."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Constant):
            node.kind = None
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                statements[:] = [item for item in statements if not isinstance(item, DEFINITIONS)]
                if not statements and field == "body":
                    statements.append(ast.Pass())
    body = definition.body
    if ast.get_docstring(definition, clean=False) is not None:
        body[0] = ast.Pass()
    # A body that lost all its statements and one that only passes are not told apart here.
    text = ast.unparse(ast.fix_missing_locations(definition))
    return "\n".join(line for line in text.splitlines() if line.strip() != "pass")


def changed_symbols(repository: Repository, parent: str, commit: str) -> dict[str, set[str]]:
    """Give what a commit changed: ids before, ids afterwards."""
    before: set[str] = set()
    after: set[str] = set()
    for old_path, new_path in repository.changed_paths(parent, commit):
        if is_test(new_path):
            continue
        old_text = repository.text(parent, old_path)
        new_text = repository.text(commit, new_path)
        paths = dict.fromkeys((old_path, new_path))
        diff = repository.git("diff", "-U0", "-M", parent, commit, "--", *paths)
        old_lines, new_lines = lines_of(diff)
        old_names, old_codes = symbols_at(old_text or "", old_lines)
        new_names, new_codes = symbols_at(new_text or "", new_lines)
        for name in old_names | new_names:
            if old_codes.get(name) != new_codes.get(name):
                if name in old_codes:
                    before.add(f"{old_path}::{name}")
                if name in new_codes:
                    after.add(f"{new_path}::{name}")
    return {"before": before, "after": after}


def lines_of(diff: str) -> tuple[set[int], set[int]]:
    """Give the numbers of the removed and of the added lines of a diff."""
    removed: set[int] = set()
    added: set[int] = set()
    for old_first, old_count, new_first, new_count in HUNK.findall(diff):
        removed |= set(range(int(old_first), int(old_first) + int(old_count or 1)))
        added |= set(range(int(new_first), int(new_first) + int(new_count or 1)))
    return removed, added


def is_test(path: str) -> bool:
    """The rule of the documentation, written again."""
    *folders, name = path.lower().split("/")
    in_folder = bool({"test", "tests", "testsuite", "test_suite"} & set(folders))
    return in_folder or bool(
        re.fullmatch(r"test_(?!utils?\.).*|.*_tests?\.py|tests?\.py|conftest\.py", name)
    )


def main(repository: Repository, cases: list[dict[str, object]]) -> None:
    """Print how many cases agree, and those that do not."""
    agreeing = moved = unreadable = 0
    for case in cases:
        commit, parent = str(case["commit"]), str(case["parent"])
        mined = set(case["relevant_symbols"])  # type: ignore[call-overload]  # a list of texts
        try:
            symbols = changed_symbols(repository, parent, commit)
        except SyntaxError as error:  # one case costs itself alone
            print(case["id"], "not read:", error.msg)
            unreadable += 1
            continue
        symbols = {
            side: {i for i in ids if not is_test(i.partition("::")[0])}
            for side, ids in symbols.items()
        }
        if case["at_parent"]:
            agrees = mined == symbols["before"]
            expected = symbols["before"]
        else:
            expected = symbols["after"] | symbols["before"]
            strangers = mined - expected
            moved += len(strangers)
            # What moved keeps its own name.
            simple_names = {
                identifier.rpartition("::")[2].rpartition(".")[2] for identifier in expected
            }
            agrees = all(
                i.rpartition("::")[2].rpartition(".")[2] in simple_names for i in strangers
            )
        agreeing += agrees
        if not agrees:
            print(case["id"], sorted(mined - expected), sorted(expected - mined))
    count = len(cases) - unreadable
    print(f"{agreeing} of {count} cases agree, {unreadable} not read")
    print(f"{moved} symbols moved since their commit")


if __name__ == "__main__":
    lines = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    main(Repository(Path(sys.argv[1])), [json.loads(line) for line in lines])
