"""Where the mirror of a codebase stands in the store, with its lock."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeAlias

from goldwright.errors import InputError
from goldwright.snapshot.disposal import make_own_directory, remove_entry
from goldwright.snapshot.git.repository import Repository, show_path

_NAME_DIGITS: Final = 32
_LOCK_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
# What a git that was killed leaves behind, and the next one takes for the work of another.
_LEFT_BY_GIT: Final = ("*.lock", "refs/**/*.lock", "objects/**/*.lock", "objects/**/tmp_*")

MirrorIdentity: TypeAlias = tuple[int, int] | None


class MirrorPlace:
    """Where the mirror of one codebase stands.

    Attributes:
        mirror: The bare repository; it need not exist yet.
        home: The directory that git takes for the home of its user.
    """

    def __init__(self, source: Repository, store: Path) -> None:
        name = _name_of(source)
        self.mirror = store / f"{name}.git"
        self.home = store / f"{name}.home"
        self._store = store
        self._lock = store / f"{name}.lock"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the mirror.

        Raises:
            InputError: The store cannot be written.
        """
        try:
            make_own_directory(self._store)
            make_own_directory(self.home)
        except OSError as error:
            raise cache_failure(self._store, error) from error
        with locked_file(self._lock):
            yield

    def clear_unfinished(self) -> Path:
        """Give the path at which a mirror is made, to be renamed when it is complete.

        What an interrupted process left there is removed.
        """
        path = self.mirror.with_suffix(".new")
        self._remove(path)
        return path

    def clear_leavings(self) -> None:
        """Remove the locks and halves of files of a git that was killed; with the lock held."""
        for pattern in _LEFT_BY_GIT:
            for path in self.mirror.glob(pattern):
                self._remove(path)

    def identity(self) -> MirrorIdentity:
        """Tell this mirror from one that is made in its place; None where there is none."""
        try:
            status = self.mirror.lstat()
        except OSError:
            return None
        try:
            # Written once; the numbers of files alone are given to the next file again.
            made_at = (self.mirror / "config").lstat().st_mtime_ns
        except OSError:
            made_at = 0
        return status.st_ino, made_at

    def discard(self, identity: MirrorIdentity) -> None:
        """Remove the mirror, unless another process has made it again since.

        Processes that still read it keep the files they have opened.

        Args:
            identity: The mirror as it was when it was found to be damaged.
        """
        with self.locked():
            if identity is not None and self.identity() == identity:
                self._put_aside()

    def _put_aside(self) -> None:
        """Take the mirror's name from it at once, and then its files one by one."""
        doomed = self.mirror.with_suffix(".old")
        self._remove(doomed)
        try:
            self.mirror.rename(doomed)
        except OSError as error:
            raise cache_failure(self.mirror, error) from error
        self._remove(doomed)

    def _remove(self, path: Path) -> None:
        try:
            remove_entry(path)
        except OSError as error:
            raise cache_failure(path, error) from error


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Hold the lock of a mirror, waiting for whoever holds it.

    Raises:
        InputError: The cache cannot be written.
    """
    try:
        descriptor = _open_lock(path)
    except OSError as error:
        raise cache_failure(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _open_lock(path: Path) -> int:
    try:
        return os.open(path, _LOCK_FLAGS, 0o600)
    except OSError:
        # A directory or a link under the lock's name locks nothing.
        if not os.path.lexists(path) or (path.is_file() and not path.is_symlink()):
            raise
        with suppress(FileNotFoundError):
            remove_entry(path)
        return os.open(path, _LOCK_FLAGS, 0o600)


def cache_failure(path: Path, error: OSError) -> InputError:
    """Say in one line why the cache cannot be used, which only its owner can mend."""
    shown_path = show_path(path)
    return InputError(
        f"{shown_path}: the cache cannot be used ({error.strerror}); "
        "free some space, or set GOLDWRIGHT_CACHE to another place"
    )


def _name_of(source: Repository) -> str:
    """Name a mirror after the codebase.

    All work trees of a repository share one. A directory that becomes a repository gets another,
    for it has other commits, and so does a repository whose objects are named in another way.
    """
    place = source.root
    kind = "directory"
    if source.git is not None:
        kind = "git" if source.object_format == "sha1" else source.object_format
        if source.is_added_work_tree:
            place = _root_of(source.git.common)
    identity = os.fsencode(f"{kind}\0{place}")
    return hashlib.sha256(identity).hexdigest()[:_NAME_DIGITS]


def _root_of(common: Path) -> Path:
    return common.parent if common.name == ".git" else common
