"""Where the mirror of a codebase stands in the store, with its lock."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from goldwright.atomic_files import write_failure
from goldwright.snapshot.repository import Repository

_NAME_DIGITS: Final = 32
_LOCK_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class MirrorPlace:
    """Where the mirror of one codebase stands.

    Attributes:
        mirror: The bare repository; it need not exist yet.
        home: The directory that git takes for the home of its user.
    """

    def __init__(self, source: Repository, store: Path) -> None:
        # A directory that becomes a repository gets another mirror, for it has other commits.
        kind = "directory" if source.kind == "directory" else "git"
        identity = os.fsencode(f"{kind}\0{source.root}")
        digest = hashlib.sha256(identity).hexdigest()
        name = digest[:_NAME_DIGITS]
        self.mirror = store / f"{name}.git"
        self.home = store / f"{name}.home"
        self._store = store
        self._lock = store / f"{name}.lock"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the mirror."""
        try:
            self._store.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.home.mkdir(exist_ok=True, mode=0o700)
            descriptor = os.open(self._lock, _LOCK_FLAGS, 0o600)
        except OSError as error:
            raise write_failure(self._store, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def clear_unfinished(self) -> Path:
        """Give the path at which a mirror is made, to be renamed when it is complete.

        What an interrupted process left there is removed.
        """
        path = self.mirror.with_suffix(".new")
        if path.exists():
            shutil.rmtree(path)
        return path
