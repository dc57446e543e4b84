"""Where git keeps a repository: in ``.git`` itself, or where a file of this name leads.

Such a file is followed only where the place it names leads back, as git's own work trees and
submodules do: else a codebase could name any repository of its reader's as its own.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.snapshot.git.git_settings import MOST_SETTINGS_BYTES, read_settings
from goldwright.snapshot.plain_files import read_plain_text

# Longer than any path that a system call takes.
_MOST_POINTER_BYTES: Final = 16 * 1024
# What git reads whole into memory. HEAD holds one name, and ``packed-refs`` of the largest
# repositories some hundred thousand lines.
_MOST_LISTED_BYTES: Final = 512 * 1024 * 1024
_MOST_BYTES_BY_NAME: Final[Mapping[str, int]] = {
    "HEAD": 64 * 1024,
    "config": MOST_SETTINGS_BYTES,
    "objects/info/alternates": 1024 * 1024,
}
# What git reads while it sends commits. Whatever else stands there may be anything: the monitor of
# files, for one, keeps a socket.
_READ: Final = frozenset(
    """
    HEAD commondir config config.worktree info objects packed-refs refs reftable shallow
    """.split()
)
_OBJECTS: Final = "objects"
# Folders of refs and objects are a few levels deep; a deeper one is a trap or a mistake.
_DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class GitDirectory:
    """Where git keeps a repository.

    Attributes:
        path: The directory that holds HEAD.
        common: The directory that holds objects and refs; another one for added work trees.
    """

    path: Path
    common: Path


def follow_git_file(root: Path) -> GitDirectory | None:
    """Find the repository that the file ``.git`` of a work tree leads to.

    Returns:
        The directories of an added work tree or of a submodule; None where the file is no plain
        pointer, or where it leads does not lead back.
    """
    git_file = root / ".git"
    target = _pointer(git_file, prefix="gitdir: ")
    if target is None or not target.is_dir():
        return None
    common = _pointer(target / "commondir")
    if common is not None:
        return _added_work_tree(git_file, target, common)
    work_tree = read_settings(target).get("core.worktree")
    if work_tree and _resolve(target, work_tree) == root:
        return GitDirectory(target, target)
    return None


def find_trap(directory: GitDirectory) -> str | None:
    """Look for what git must not be led to in a repository: it would wait, or follow, or swell.

    Returns:
        What was found and where, as in ``HEAD is a pipe``; None where all is plain.
    """
    places = [directory.common]
    if directory.path != directory.common:
        places.append(directory.path)
    for place in places:
        for problem in _traps_below(place, "", depth=0):
            return problem
    return None


def packed_bytes(directory: GitDirectory) -> int:
    """Add up the sizes of a repository's packs, which is what reading it takes time by."""
    total = 0
    try:
        with os.scandir(directory.common / _OBJECTS / "pack") as scan:
            for entry in scan:
                total += entry.stat(follow_symlinks=False).st_size
    except OSError:
        # Without packs, objects are loose, and there are few.
        return total
    return total


def _added_work_tree(git_file: Path, target: Path, common: Path) -> GitDirectory | None:
    # Git writes the way back so that it can clean up behind work trees that are gone.
    way_back = _pointer(target / "gitdir")
    is_ours = way_back == git_file and target.parent == common / "worktrees"
    if not is_ours or not (common / _OBJECTS).is_dir():
        return None
    return GitDirectory(target, common)


def _pointer(path: Path, *, prefix: str = "") -> Path | None:
    """Read a file that holds a path, taken from the file's own directory."""
    text = read_plain_text(path, most_bytes=_MOST_POINTER_BYTES)
    name = text.removesuffix("\n").removesuffix("\r")
    if not name.startswith(prefix) or name == prefix:
        return None
    return _resolve(path.parent, name.removeprefix(prefix))


def _resolve(directory: Path, name: str) -> Path | None:
    try:
        path = directory / name
        # A work tree's own ``.git`` is not resolved itself, else a link would lead back as well.
        if path.name == ".git":
            return path.parent.resolve(strict=True) / path.name
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _traps_below(directory: Path, prefix: str, *, depth: int) -> Iterator[str]:
    try:
        with os.scandir(directory) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        yield f"{prefix or 'it'} cannot be listed ({error.strerror})"
        return
    for entry in entries:
        name = f"{prefix}{entry.name}"
        if depth == 0 and entry.name not in _READ:
            continue
        if entry.is_dir(follow_symlinks=False):
            if depth >= _DEEPEST:
                yield f"{name} lies too deep"
                return
            inner_directory = directory / entry.name
            yield from _traps_below(inner_directory, f"{name}/", depth=depth + 1)
        elif problem := _file_problem(entry, name):
            yield f"{name} {problem}"


def _file_problem(entry: "os.DirEntry[str]", name: str) -> str | None:
    most_bytes = _MOST_BYTES_BY_NAME.get(name, _MOST_LISTED_BYTES)
    is_among_objects = name.startswith(f"{_OBJECTS}/")
    is_object = is_among_objects and name not in _MOST_BYTES_BY_NAME
    if is_object and entry.is_file(follow_symlinks=False):
        # Objects are many, and git maps them into memory piece by piece.
        return None
    try:
        status = entry.stat()
    except OSError:
        # A link that leads nowhere is as good as no file.
        return None
    if stat.S_ISDIR(status.st_mode):
        return "is a link to another directory"
    if not stat.S_ISREG(status.st_mode):
        return f"is a {special_kind(status.st_mode)}"
    if status.st_size > most_bytes and not is_object:
        return "is too large"
    return None


def special_kind(mode: int) -> str:
    """Name what is neither a file nor a directory nor a link."""
    if stat.S_ISFIFO(mode):
        return "pipe"
    if stat.S_ISSOCK(mode):
        return "socket"
    return "device"
