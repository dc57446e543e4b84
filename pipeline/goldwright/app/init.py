"""Writing a first ``goldwright.toml``, with every setting in it as a comment."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.atomic_files import READABLE, replace_file
from goldwright.config import COMMAND_KEYS, FILE_NAME
from goldwright.errors import InputError

# Directories that are no part of a codebase, or too large to look through for a first Python file.
_PASSED_OVER: Final = frozenset({"node_modules", "venv", "build", "dist", "__pycache__"})
# Levels below a directory at which a package with its sources under src/ has its first modules.
_DEEPEST_LEVEL: Final = 3

_HEAD: Final = """\
# Settings of goldwright. All are optional: a line that starts with "# " and a name shows a default,
# or what a value looks like; goldwright COMMAND --help says what a flag does. A flag on the command
# line wins over this file, --no-FLAG over what is set here for FLAG. Relative paths start at this
# file.

[commands]  # for every command that has such a flag; a section of its own wins
"""
_MODELS: Final = """
[agents]  # who plays the roles: "offline", or "provider:model" with a key in the environment
# author = "offline"
# oracle = "offline"
# adversary = "offline"
# adversary_fallback = "provider:model"  # follows an Adversary that is found to be weak
# completeness = "offline"
# judge = "offline"
# allow_same_family = false
# retired = []  # models that may play no role any more

[paths]
# prompts = "prompts"  # prompts of your own; those of the program by default

[run]
# seed = 0
# workers = 2  # parsing processes; one for each core by default
# focus_area = "src"  # the part of the codebase to ask about; all of it by default
# adversary_power = 0.5  # the share of falsified answers that the Adversary has to catch
# on_weak_adversary = "fail"  # or "swap" or "double": the fallback attacks instead, or as well
# budget_usd = 25.0  # no ceiling by default
# item_budget_usd = 2.5  # for one piece of work
# dense_pool = true  # search by meaning fills the pool of completeness too, where it is installed
# preflight = true  # every model is tried out with one exchange before it works
# batch = false  # Adversary, completeness and judge are asked in batches, at half the price
# batch_gathering_s = 30.0  # a batch is handed in when nothing new has come for so long
# batch_poll_s = 120.0  # the longest pause between questions how a batch stands
# unpriced = false  # whether models without a known price may play
"""
_PYTEST: Final = """
[pytest]  # for pytest --golden DATASET
# retriever = "SPEC"
# repo = "DIR"
# rev = "REV"
# each = "Hit@10 >= 1"  # what each query must reach
# gate = ["RULE"]  # further gates
# without_gate = ["NAME"]  # gates of the profile that do not count
# baseline = "FILE"  # its queries that always missed are expected to fail
# timeout = 60.0
# allow_drift = false
# allow_dirty = false
"""


Example = str | float | bool | list[str]


@dataclass(frozen=True, slots=True)
class FlagLine:
    """A flag of a command, for the file.

    Attributes:
        key: Its name in the file.
        example: Its default, or what a value of it looks like.
        help_text: What it does.
    """

    key: str
    example: Example
    help_text: str


@dataclass(frozen=True, slots=True)
class NewSettings:
    """A file that was written.

    Attributes:
        path: The file.
        codebase: The codebase that it names, as it names it; None where none was found.
    """

    path: Path
    codebase: str | None


def settable_keys(command: str) -> tuple[str, ...]:
    """Give the flags of a command that the file may set, in the order of its help."""
    return COMMAND_KEYS.get(command, ())


def write_settings(
    directory: Path,
    flags: Iterable[tuple[str, Iterable[FlagLine]]],
    *,
    repo: Path | None = None,
    replaces: bool,
) -> NewSettings:
    """Write ``goldwright.toml`` with every setting as a comment, and the codebase.

    Args:
        directory: Where to.
        flags: The flags of every command with a section, under its name.
        repo: The codebase; the one that is found where none is named.
        replaces: Whether to write over a file that is there.

    Raises:
        InputError: A directory is missing or cannot be written, or the file is there already.
    """
    path = directory / FILE_NAME
    if not directory.is_dir():
        raise InputError(f"{directory}: there is no such directory")
    if os.path.lexists(path) and not replaces:
        raise InputError(f"{path}: is there already; --force writes over it")
    if repo is not None and not repo.is_dir():
        raise InputError(f"{repo}: there is no such directory")
    # The settings hold for whoever works in their directory.
    relative_repo = None
    if repo is not None:
        relative_repo = os.path.relpath(repo.resolve(), directory.resolve())
    codebase = relative_repo or find_codebase(directory)
    text = "".join(_lines(flags, codebase))
    replace_file(path, text.encode("utf-8"), mode=READABLE)
    return NewSettings(path, codebase)


def find_codebase(directory: Path) -> str | None:
    """Find the codebase that settings in a directory are likely meant for.

    Returns:
        The directory itself where it holds a repository or Python files, else the repository around
        it, relative to it; None where there is none. A working directory with runs or datasets in
        it is none: Python files there are scripts of whoever works there.
    """
    absolute = directory.resolve()
    is_workspace = any((absolute / name).is_dir() for name in ("runs", "golden"))
    has_own_code = not is_workspace and _has_python(absolute, _DEEPEST_LEVEL)
    if (absolute / ".git").exists() or has_own_code:
        return "."
    for parent in absolute.parents:
        if (parent / ".git").exists():
            return os.path.relpath(parent, absolute)
    return None


def _has_python(directory: Path, levels: int) -> bool:
    subdirectories = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_file() and entry.name.endswith(".py"):
                    return True
                is_hidden = entry.name.startswith(".")
                is_searched = not is_hidden and entry.name not in _PASSED_OVER
                if is_searched and entry.is_dir(follow_symlinks=False):
                    subdirectories.append(Path(entry.path))
    except OSError:
        # What cannot be read holds no codebase for us; the command that wants it will say why.
        return False
    if levels <= 0:
        return False
    return any(_has_python(path, levels - 1) for path in subdirectories)


def _lines(flags: Iterable[tuple[str, Iterable[FlagLine]]], codebase: str | None) -> Iterator[str]:
    yield _HEAD
    if codebase is None:
        yield '# repo = "DIR"  # the codebase\n'
    else:
        yield f"repo = {_toml(codebase)}  # the codebase\n"
    yield _MODELS
    for command, lines in flags:
        # The section of runs began above, with what a run is made with.
        if command != "run":
            yield f"\n[{command}]\n"
        for line in lines:
            example = _toml(line.example)
            setting = f"{line.key} = {example}"
            yield f"# {setting}  # {line.help_text}\n"
    yield _PYTEST


def _toml(value: Example) -> str:
    # TOML writes text, numbers, booleans and lists of text as JSON does.
    return json.dumps(value, ensure_ascii=False)
