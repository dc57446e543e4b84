"""Looking at what the user calls a codebase, without git and without following anything in it."""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.snapshot.git.git_directory import (
    GitDirectory,
    find_trap,
    follow_git_file,
    packed_bytes,
    special_kind,
)
from goldwright.snapshot.git.git_settings import read_settings
from goldwright.snapshot.git.object_ids import ObjectFormat, is_object_id
from goldwright.snapshot.plain_files import read_plain_text
from goldwright.text import make_visible, shorten

SourceKind = Literal["work_tree", "bare", "directory"]

_SYMBOLIC_REF: Final = re.compile(r"ref: (refs/[\w./@+-]+)\n?")
_MOST_REF_BYTES: Final = 16 * 1024 * 1024
# In characters: a longer path shows its first 30 and its last 50.
_LONGEST_PATH: Final = 80
_PATH_START: Final = 30
_PATH_END: Final = 50


@dataclass(frozen=True)
class Repository:
    """A codebase on disk.

    Attributes:
        root: Its directory, links resolved.
        kind: Whether it has a work tree, is bare, or is no repository.
        git: Where git keeps it; None for a plain directory.
    """

    root: Path
    kind: SourceKind
    git: GitDirectory | None

    @property
    def is_shallow(self) -> bool:
        """Whether its history is cut off."""
        return self._has_common("shallow")

    @property
    def is_partial(self) -> bool:
        """Whether git left objects out when it was cloned."""
        if self.git is None:
            return False
        packs = self.git.common / "objects" / "pack"
        return packs.is_dir() and any(packs.glob("*.promisor"))

    @property
    def is_sparse(self) -> bool:
        """Whether only some of its files are checked out."""
        if self.git is None:
            return False
        return os.path.lexists(self.git.path / "info" / "sparse-checkout")

    @property
    def borrows_objects(self) -> bool:
        """Whether it takes objects from another repository."""
        return self._has_common("objects/info/alternates")

    @property
    def has_grafts(self) -> bool:
        """Whether a file of grafts says that some commits have other parents."""
        return self._has_common("info/grafts")

    @property
    def is_added_work_tree(self) -> bool:
        """Whether it was added to another repository by ``git worktree``."""
        return self.git is not None and self.git.path != self.git.common

    @property
    def object_format(self) -> ObjectFormat:
        """How its objects are named."""
        if self._settings.get("extensions.objectformat", "").lower() == "sha256":
            return "sha256"
        return "sha1"

    @property
    def keeps_refs_in_tables(self) -> bool:
        """Whether its refs are in the format reftable, which git knows since 2.45."""
        return self._settings.get("extensions.refstorage", "").lower() == "reftable"

    @property
    def packed_bytes(self) -> int:
        """The size of its packs."""
        return 0 if self.git is None else packed_bytes(self.git)

    def trap(self) -> str | None:
        """Look for what git would wait for or be misled by in it, as in ``HEAD is a pipe``."""
        return None if self.git is None else find_trap(self.git)

    def head(self) -> str | None:
        """Read the commit that HEAD names from the files that hold it.

        Returns:
            The id, or None where the files are of another form than git usually writes.
        """
        if self.git is None:
            return None
        line = _read_ref_file(self.git.path / "HEAD")
        match = _SYMBOLIC_REF.fullmatch(line)
        if match is None or ".." in match[1]:
            # A detached HEAD holds the id itself.
            return _object_id_in(line)
        ref = match[1]
        loose = _object_id_in(_read_ref_file(self.git.common / ref))
        return loose or _packed_ref(self.git.common, ref)

    @cached_property
    def _settings(self) -> Mapping[str, str]:
        return {} if self.git is None else read_settings(self.git.common)

    def _has_common(self, path: str) -> bool:
        return self.git is not None and os.path.lexists(self.git.common / path)


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
            return Repository(root, "bare", GitDirectory(root, root))
        return Repository(root, "directory", None)
    except OSError as error:
        raise InputError(
            f"{shown_path}: its .git may not be read; ask its owner for access"
        ) from error
    if stat.S_ISREG(mode):
        return _follow(root, shown_path)
    if stat.S_ISLNK(mode):
        raise InputError(
            f"{shown_path}: its .git is a link, which is not followed; give the main repository"
        )
    if not stat.S_ISDIR(mode):
        kind = special_kind(mode)
        raise InputError(f"{shown_path}: its .git is a {kind}; give a repository, or remove it")
    # Only the folder that git keeps for an added work tree has this file.
    if os.path.lexists(git_directory / "commondir"):
        raise InputError(
            f"{shown_path}: its .git shares another repository; give the main repository"
        )
    return _work_tree(root, GitDirectory(git_directory, git_directory), shown_path)


def _follow(root: Path, shown_path: str) -> Repository:
    """Take a work tree whose ``.git`` is a file: an added work tree, or a submodule."""
    directory = follow_git_file(root)
    if directory is None:
        raise InputError(
            f"{shown_path}: its .git is a file, and where it leads does not lead back; "
            "run git worktree repair, or give the main repository"
        )
    return _work_tree(root, directory, shown_path)


def _work_tree(root: Path, directory: GitDirectory, shown_path: str) -> Repository:
    if not os.access(directory.path, os.R_OK | os.X_OK):
        raise InputError(f"{shown_path}: its .git may not be read; ask its owner for access")
    for path in (directory.path / "HEAD", directory.common / "objects"):
        if not os.path.lexists(path):
            raise InputError(
                f"{shown_path}: its .git is no repository (no {path.name}); "
                "mend it, or remove it to have the plain files read"
            )
    return Repository(root, "work_tree", directory)


def _looks_bare(root: Path) -> bool:
    if not (root / "HEAD").is_file():
        return False
    return (root / "objects").is_dir() and (root / "refs").is_dir()


def _packed_ref(git_directory: Path, ref: str) -> str | None:
    for line in _read_ref_file(git_directory / "packed-refs").splitlines():
        oid, _, name = line.partition(" ")
        if name == ref:
            return _object_id_in(oid)
    return None


def _object_id_in(text: str) -> str | None:
    oid = text.strip()
    if not is_object_id(oid):
        return None
    return oid


def _read_ref_file(path: Path) -> str:
    """Read a regular file of at most 16 MiB; anything else is empty."""
    return read_plain_text(path, most_bytes=_MOST_REF_BYTES)
