"""One owner at a time, by a lock that the kernel releases when its owner dies."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from goldwright.atomic_files import write_failure
from goldwright.errors import BusyError, InputError

_OPEN_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
# Enough for "pid " and any number; a longer text was not written by a lock holder.
_OWNER_BYTES: Final = 100


class _LockDescriptor:
    """An open file descriptor, which is closed once at most."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


@contextmanager
def hold_lock(path: Path, *, purpose: str) -> Iterator[None]:
    """Hold the lock on a file while the block runs; never wait for it.

    The file names its owner for people to read. It stays when the block ends: a lock file that is
    deleted can be held twice, by the old name and by the new one.

    Args:
        path: The lock file, created where it is missing.
        purpose: What the lock protects, for messages.

    Raises:
        BusyError: Another process holds it.
        InputError: The file cannot be opened, or this file system has no locks.
    """
    try:
        descriptor = os.open(path, _OPEN_FLAGS, 0o600)
    except OSError as error:
        raise write_failure(path, error) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError(f"{path}: not a regular file, so it cannot be the lock of {purpose}")
    lock_descriptor = _LockDescriptor(descriptor)
    # A forked child inherits the lock and would keep it after its parent was killed.
    os.register_at_fork(after_in_child=lock_descriptor.close)
    try:
        _acquire(descriptor, path, purpose)
        yield
    finally:
        lock_descriptor.close()


def _acquire(descriptor: int, path: Path, purpose: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        # Empty between the moment a new owner locks the file and the moment it writes its name.
        owner = _read_owner(descriptor) or "just started"
        raise BusyError(f"{purpose} is in use by another process ({owner})") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be locked here: {error.strerror}") from error
    # Between opening and locking, another process may have put a new file under the name.
    if not _is_same_file(descriptor, path):
        raise BusyError(f"{purpose} is in use by another process ({path.name} was replaced)")
    owner_line = f"pid {os.getpid()}\n"
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, owner_line.encode("ascii"), 0)
    except OSError as error:
        raise write_failure(path, error) from error


def _read_owner(descriptor: int) -> str:
    # Nothing to read is in what is no file, such as a pipe of this name.
    owner_line = b""
    with suppress(OSError):
        owner_line = os.pread(descriptor, _OWNER_BYTES, 0)
    return owner_line.decode("ascii", "replace").strip()


def _is_same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
