"""One owner at a time, by a lock that the kernel takes back when its owner dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldwright.atomic_files import write_failure
from goldwright.errors import BusyError, InputError

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class _Held:
    """An open descriptor that holds a lock."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


@contextmanager
def hold(path: Path, *, what: str) -> Iterator[None]:
    """Hold the lock on a file for as long as the block runs; never wait for it.

    The file's content is for people only, and the file stays: a lock that is deleted can be held
    twice.

    Raises:
        BusyError: Another process holds it.
        InputError: The file cannot be opened, or this file system has no locks.
    """
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except OSError as error:
        raise write_failure(path, error) from error
    held = _Held(descriptor)
    # A forked child inherits the lock and would keep it after its parent was killed.
    os.register_at_fork(after_in_child=held.close)
    try:
        _take(descriptor, path, what)
        yield
    finally:
        held.close()


def _take(descriptor: int, path: Path, what: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        owner = os.pread(descriptor, 100, 0).decode("ascii", "replace").strip()
        raise BusyError(
            f"{what} is in use by another process ({owner or 'just started'})"
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be locked here: {error.strerror}") from error
    if not _is_still(descriptor, path):
        raise BusyError(f"{what} is in use by another process ({path.name} was replaced)")
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"pid {os.getpid()}\n".encode("ascii"), 0)


def _is_still(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
