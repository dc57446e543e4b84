"""Looking at what the user calls a codebase, without git and without following anything in it."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.text import make_visible, shorten

SourceKind = Literal["work_tree", "bare", "directory"]

_HEAD_LINE: Final = re.compile(r"ref: (refs/[\w./@+-]+)\n?")
_OID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MOST_REF_BYTES: Final = 16 * 1024 * 1024
_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Repository:
    """A codebase on disk; ``git_directory`` is None for a plain directory."""

    root: Path
    kind: SourceKind
    git_directory: Path | None

    @property
    def is_shallow(self) -> bool:
        """Whether its history is cut off."""
        return self.git_directory is not None and os.path.lexists(self.git_directory / "shallow")

    @property
    def is_partial(self) -> bool:
        """Whether git left objects out when it was cloned."""
        packs = self.git_directory / "objects" / "pack" if self.git_directory else None
        return packs is not None and packs.is_dir() and any(packs.glob("*.promisor"))

    @property
    def is_sparse(self) -> bool:
        """Whether only some of its files are checked out."""
        return (
            self.git_directory is not None
            and (self.git_directory / "info" / "sparse-checkout").is_file()
        )

    @property
    def borrows_objects(self) -> bool:
        """Whether it takes objects from another repository."""
        return (
            self.git_directory is not None
            and (self.git_directory / "objects/info/alternates").is_file()
        )

    def head(self) -> str | None:
        """Read the commit that HEAD names from the files that hold it; None where they are not that
        plain.
        """
        if self.git_directory is None:
            return None
        line = _text(self.git_directory / "HEAD")
        match = _HEAD_LINE.fullmatch(line)
        if match is None or ".." in match[1]:
            return _oid(line)
        return _oid(_text(self.git_directory / match[1])) or _packed(self.git_directory, match[1])


def inspect_repository(repo: Path) -> Repository:
    """Tell what kind of codebase stands at a path.

    Raises:
        InputError: There is none, it may not be read, or its ``.git`` leads elsewhere.
    """
    shown = show_path(repo)
    try:
        root = repo.resolve(strict=True)
        mode = root.stat().st_mode
    except FileNotFoundError as error:
        raise InputError(f"{shown}: does not exist; give the directory of a codebase") from error
    except PermissionError as error:
        raise InputError(f"{shown}: may not be read; ask its owner for access") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{shown}: cannot be opened; give the directory of a codebase") from error
    if not stat.S_ISDIR(mode):
        raise InputError(f"{shown}: is no directory; give the directory of a codebase")
    if not os.access(root, os.R_OK | os.X_OK):
        raise InputError(f"{shown}: may not be read; ask its owner for access")
    return _classified(root, shown)


def show_path(path: Path) -> str:
    """Write a path for a message: visible, and the middle left out when it is long."""
    text = make_visible(str(path))
    return text if len(text) <= 80 else f"{shorten(text, 30)}{text[-50:]}"


def _classified(root: Path, shown: str) -> Repository:
    inner = root / ".git"
    try:
        mode = inner.lstat().st_mode
    except FileNotFoundError:
        looks_bare = (
            (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()
        )
        return Repository(root, "bare", root) if looks_bare else Repository(root, "directory", None)
    except OSError as error:
        raise InputError(f"{shown}: its .git may not be read; ask its owner for access") from error
    if not stat.S_ISDIR(mode):
        raise InputError(
            f"{shown}: its .git is no directory but leads elsewhere; give the main repository"
        )
    if os.path.lexists(inner / "commondir"):
        raise InputError(f"{shown}: its .git shares another repository; give the main repository")
    if not os.access(inner, os.R_OK | os.X_OK):
        raise InputError(f"{shown}: its .git may not be read; ask its owner for access")
    return Repository(root, "work_tree", inner)


def _packed(git_directory: Path, ref: str) -> str | None:
    for line in _text(git_directory / "packed-refs").splitlines():
        oid, _, name = line.partition(" ")
        if name == ref:
            return _oid(oid)
    return None


def _oid(text: str) -> str | None:
    return text.strip() if _OID.fullmatch(text.strip()) else None


def _text(path: Path) -> str:
    """Read a small regular file; anything else is empty."""
    try:
        descriptor = os.open(path, _OPEN)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return stream.read(_MOST_REF_BYTES).decode("utf-8", "replace")
