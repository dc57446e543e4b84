"""Looking at what the user calls a codebase, without git and without following anything in it."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.snapshot.object_ids import is_object_id
from goldwright.text import make_visible, shorten

SourceKind = Literal["work_tree", "bare", "directory"]

_SYMBOLIC_REF: Final = re.compile(r"ref: (refs/[\w./@+-]+)\n?")
_MOST_REF_BYTES: Final = 16 * 1024 * 1024
# A ref may be a link or a pipe in disguise: opening neither follows nor waits.
_OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# In characters: a longer path shows its first 30 and its last 50.
_LONGEST_PATH: Final = 80
_PATH_START: Final = 30
_PATH_END: Final = 50


@dataclass(frozen=True, slots=True)
class Repository:
    """A codebase on disk.

    Attributes:
        root: Its directory, links resolved.
        kind: Whether it has a work tree, is bare, or is no repository.
        git_directory: Where git keeps it; None for a plain directory.
    """

    root: Path
    kind: SourceKind
    git_directory: Path | None

    @property
    def is_shallow(self) -> bool:
        """Whether its history is cut off."""
        if self.git_directory is None:
            return False
        return os.path.lexists(self.git_directory / "shallow")

    @property
    def is_partial(self) -> bool:
        """Whether git left objects out when it was cloned."""
        if self.git_directory is None:
            return False
        packs = self.git_directory / "objects" / "pack"
        return packs.is_dir() and any(packs.glob("*.promisor"))

    @property
    def is_sparse(self) -> bool:
        """Whether only some of its files are checked out."""
        return self._has_file("info/sparse-checkout")

    @property
    def borrows_objects(self) -> bool:
        """Whether it takes objects from another repository."""
        return self._has_file("objects/info/alternates")

    def head(self) -> str | None:
        """Read the commit that HEAD names from the files that hold it.

        Returns:
            The id, or None where the files are of another form than git usually writes.
        """
        if self.git_directory is None:
            return None
        line = _read_small_file(self.git_directory / "HEAD")
        match = _SYMBOLIC_REF.fullmatch(line)
        if match is None or ".." in match[1]:
            # A detached HEAD holds the id itself.
            return _object_id_in(line)
        ref = match[1]
        loose = _object_id_in(_read_small_file(self.git_directory / ref))
        return loose or _packed_ref(self.git_directory, ref)

    def _has_file(self, path: str) -> bool:
        if self.git_directory is None:
            return False
        return (self.git_directory / path).is_file()


def inspect_repository(repo: Path) -> Repository:
    """Tell what kind of codebase stands at a path.

    Raises:
        InputError: There is none, it may not be read, or its ``.git`` leads elsewhere.
    """
    shown_path = show_path(repo)
    try:
        root = repo.resolve(strict=True)
        mode = root.stat().st_mode
    except FileNotFoundError as error:
        raise InputError(
            f"{shown_path}: does not exist; give the directory of a codebase"
        ) from error
    except PermissionError as error:
        raise InputError(f"{shown_path}: may not be read; ask its owner for access") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(
            f"{shown_path}: cannot be opened; give the directory of a codebase"
        ) from error
    if not stat.S_ISDIR(mode):
        raise InputError(f"{shown_path}: is no directory; give the directory of a codebase")
    if not os.access(root, os.R_OK | os.X_OK):
        raise InputError(f"{shown_path}: may not be read; ask its owner for access")
    return _classify(root, shown_path)


def show_path(path: Path) -> str:
    """Write a path for a message: visible, and the middle left out when it is long."""
    text = make_visible(str(path))
    if len(text) <= _LONGEST_PATH:
        return text
    return shorten(text, _PATH_START) + text[-_PATH_END:]


def _classify(root: Path, shown_path: str) -> Repository:
    git_directory = root / ".git"
    try:
        mode = git_directory.lstat().st_mode
    except FileNotFoundError:
        if _looks_bare(root):
            return Repository(root, "bare", root)
        return Repository(root, "directory", None)
    except OSError as error:
        raise InputError(
            f"{shown_path}: its .git may not be read; ask its owner for access"
        ) from error
    if not stat.S_ISDIR(mode):
        raise InputError(
            f"{shown_path}: its .git is no directory but leads elsewhere; give the main repository"
        )
    # Only a work tree that was added to another repository has this file.
    if os.path.lexists(git_directory / "commondir"):
        raise InputError(
            f"{shown_path}: its .git shares another repository; give the main repository"
        )
    if not os.access(git_directory, os.R_OK | os.X_OK):
        raise InputError(f"{shown_path}: its .git may not be read; ask its owner for access")
    return Repository(root, "work_tree", git_directory)


def _looks_bare(root: Path) -> bool:
    if not (root / "HEAD").is_file():
        return False
    return (root / "objects").is_dir() and (root / "refs").is_dir()


def _packed_ref(git_directory: Path, ref: str) -> str | None:
    for line in _read_small_file(git_directory / "packed-refs").splitlines():
        oid, _, name = line.partition(" ")
        if name == ref:
            return _object_id_in(oid)
    return None


def _object_id_in(text: str) -> str | None:
    oid = text.strip()
    if not is_object_id(oid):
        return None
    return oid


def _read_small_file(path: Path) -> str:
    """Read a regular file of at most 16 MiB; anything else is empty."""
    try:
        descriptor = os.open(path, _OPEN_FLAGS)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return stream.read(_MOST_REF_BYTES).decode("utf-8", "replace")
