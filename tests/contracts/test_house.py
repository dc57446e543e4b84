"""The house's own rules, held against every file of it.

Each test looks at all files and lists every offender, so that one run shows all there is to mend.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pipeline" / "goldwright"
LONGEST_FUNCTION = 60
LONGEST_MODULE = 400
# Nine functions in ten are at most this long.
COMMON_LENGTH = 25
FORBIDDEN_NAMES = frozenset(
    {"base", "common", "handler", "handlers", "helper", "helpers", "manager", "util", "utils"}
)
# The fields that all records share; there is no better word.
ALLOWED_NAMES = frozenset({"records/base.py"})
MACHINE_PATH = re.compile(
    "|".join(rf"(?<![\w.]){re.escape(str(path))}/" for path in (ROOT, Path.home()))
)
# Python before 3.11.5 misreads a possessive repetition of a group; an atomic group says the same.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")
# An import of ours that does not stand at the very left; few files have any.
INDENTED_IMPORT = re.compile(r"^.+\bfrom\s+(?:\.|goldwright)", re.MULTILINE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the package, read once for all tests."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path inside the package."""
        return self.path.relative_to(PACKAGE).as_posix()

    @property
    def functions(self) -> list[Function]:
        """Every function, nested ones too."""
        return [node for node in ast.walk(self.tree) if isinstance(node, Function)]


@pytest.fixture(scope="module")
def modules() -> list[Module]:
    """Every module of the package."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.append(Module(path, text, ast.parse(text)))
    return found


def length_of(function: Function) -> int:
    """The number of lines without the docstring."""
    docstring = ast.get_docstring(function, clean=False) or ""
    last_line = function.end_lineno or function.lineno
    return last_line - function.lineno + 1 - len(docstring.splitlines())


def test_every_module_says_in_its_docstring_what_it_is(modules: list[Module]) -> None:
    """The first thing in a file is a sentence."""
    assert [module.name for module in modules if not ast.get_docstring(module.tree)] == []


def test_modules_and_functions_stay_short(modules: list[Module]) -> None:
    """No function over 60 lines, no module over 400, and long functions are the exception."""
    long_modules = [
        module.name for module in modules if len(module.text.splitlines()) > LONGEST_MODULE
    ]
    lengths = [
        (length_of(function), f"{module.name}:{function.lineno} {function.name}")
        for module in modules
        for function in module.functions
    ]
    assert long_modules == []
    assert [place for length, place in lengths if length > LONGEST_FUNCTION] == []
    lengths.sort()
    assert lengths[len(lengths) * 9 // 10][0] <= COMMON_LENGTH


def test_every_module_is_named_after_what_it_holds(modules: list[Module]) -> None:
    """No drawer for whatever does not fit elsewhere."""
    drawers = []
    for module in modules:
        names = {module.path.stem, *module.path.relative_to(PACKAGE).parts[:-1]}
        if names & FORBIDDEN_NAMES and module.name not in ALLOWED_NAMES:
            drawers.append(module.name)
    assert drawers == []


def test_no_two_classes_share_a_name(modules: list[Module]) -> None:
    """A name means one thing, whichever file it is read in; an underscore makes no other word."""
    places: dict[str, list[str]] = {}
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name.lstrip("_"), []).append(module.name)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_imports_stand_at_the_top(modules: list[Module]) -> None:
    """No circle hides behind an import for types only; inside functions only third-party ones may
    wait.
    """
    hidden = [
        f"{module.name}:{line}"
        for module in modules
        if INDENTED_IMPORT.search(module.text)
        for line in hidden_imports(module.tree)
    ]
    assert hidden == []


def hidden_imports(tree: ast.Module) -> Iterator[int]:
    """The lines that import a module of ours inside a function or a condition."""
    for outer in ast.walk(tree):
        if not isinstance(outer, Function | ast.If):
            continue
        for node in ast.walk(outer):
            if isinstance(node, ast.ImportFrom) and is_ours(node):
                yield node.lineno


def is_ours(node: ast.ImportFrom) -> bool:
    """Whether the import is relative or names the package."""
    return bool(node.level) or (node.module or "").startswith("goldwright")


def test_no_file_holds_a_path_of_somebody_s_machine() -> None:
    """What is committed works everywhere."""
    offenders = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in committed_texts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert offenders == []


def test_no_pattern_repeats_a_group_possessively() -> None:
    offenders = []
    for path in (*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if POSSESSIVE_GROUP.search(line):
                offenders.append(f"{path.relative_to(ROOT)}:{number}")
    assert offenders == []


def committed_texts() -> Iterator[Path]:
    """The text files that git knows or would add."""
    options = ("-z", "--cached", "--others", "--exclude-standard")
    command = ["git", "-C", str(ROOT), "ls-files", *options]
    names = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        path = ROOT / name
        if path.is_file() and b"\0" not in path.read_bytes()[:8192]:
            yield path
