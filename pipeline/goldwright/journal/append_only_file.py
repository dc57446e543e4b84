"""A file that only grows: a record is one write and one sync, or it was never written."""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.atomic_files import sync_directory, write_failure, write_fully
from goldwright.errors import BusyError, DamagedStateError, GoldwrightError, InputError, NoRoomError
from goldwright.journal.json_lines import JsonLine

# O_NOFOLLOW: a writer never writes through a symbolic link that stands in the place of its file.
_APPEND_FLAGS: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_QUARANTINE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_LOCK_POLL_SECONDS: Final = 0.005


class AppendOnlyFile:
    """The writing end of a file; the caller holds the lock that makes it the only one.

    Attributes:
        path: Where the file lies.
        size: The number of bytes that are known to be whole lines.
        lacked_room: Whether the failure after which nothing more is written was a full disk.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or create it so that its name survives a power loss.

        Raises:
            InputError: It cannot be opened for writing.
        """
        self.path = path
        self.lacked_room = False
        is_new = not path.exists()
        try:
            self._descriptor = os.open(path, _APPEND_FLAGS, 0o600)
            self.size = os.fstat(self._descriptor).st_size
            # An empty file may come from a process that died before it synced the name.
            if is_new or not self.size:
                sync_directory(path.parent)
        except OSError as error:
            raise write_failure(path, error) from error
        self._has_failed = False

    def append(self, data: bytes) -> None:
        """Add bytes at the end and return once they are durable.

        After a failure nothing more is written: the kernel may drop a page that failed to sync, so
        a second sync that succeeds proves nothing.

        Raises:
            InputError: The disk is full.
            DamagedStateError: The disk failed, now or at an earlier append.
        """
        if self._has_failed:
            raise DamagedStateError(
                f"{self.path}: an earlier write failed; resume the run to carry on"
            )
        try:
            write_fully(self._descriptor, data)
            # Unlike fsync this may skip the file's times; its new size is always written.
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._has_failed = True
            # Part of the data may have fitted; without it the file ends in a whole line again.
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self.size)
            raise self._failure(error) from error
        self.size += len(data)

    def require_room(self, byte_count: int) -> None:
        """Make sure that there is room for what will have to be written.

        Raises:
            NoRoomError: The disk has less.
        """
        disk = os.fstatvfs(self._descriptor)
        if disk.f_bavail * disk.f_frsize < byte_count:
            error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            raise write_failure(self.path, error)

    def sync(self) -> None:
        """Make durable what another process wrote and may not have lived to sync.

        Raises:
            DamagedStateError: The disk failed.
        """
        try:
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._has_failed = True
            raise self._failure(error) from error

    def quarantine_tail(self, offset: int) -> Path:
        """Move everything from ``offset`` on into a new file under ``quarantine/``.

        Returns:
            The new file.

        Raises:
            InputError: The disk is full, or the directory cannot be written.
            DamagedStateError: The disk failed.
        """
        try:
            tail = os.pread(self._descriptor, self.size - offset, offset)
            # The copy is durable before the original is cut, so a crash in between loses nothing.
            copy_path = self._copy_to_quarantine(tail, offset)
            os.ftruncate(self._descriptor, offset)
            os.fsync(self._descriptor)
        except OSError as error:
            raise write_failure(self.path, error) from error
        self.size = offset
        return copy_path

    @contextmanager
    def locked(self, timeout_seconds: float) -> Iterator[None]:
        """Hold the lock of the file itself while the block runs.

        This is for files that several processes write.

        Raises:
            BusyError: Another process holds it for longer than the timeout.
            InputError: The file was replaced or removed, or this file system has no locks.
        """
        self._lock(deadline=time.monotonic() + timeout_seconds)
        try:
            self._check_not_replaced()
            # Others may have written since this process last held the lock.
            self.size = os.fstat(self._descriptor).st_size
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            # The old number may soon belong to another file, which must never be written to.
            self._descriptor = -1
            self._has_failed = True

    def _failure(self, error: OSError) -> GoldwrightError:
        failure = write_failure(self.path, error)
        self.lacked_room = isinstance(failure, NoRoomError)
        return failure

    def _lock(self, deadline: float) -> None:
        # flock itself can wait for ever or not at all, so a limited wait has to poll.
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                if time.monotonic() >= deadline:
                    raise BusyError(
                        f"{self.path}: another process does not release its lock"
                    ) from error
                time.sleep(_LOCK_POLL_SECONDS)
            except OSError as error:
                raise InputError(f"{self.path}: cannot be locked here: {error.strerror}") from error
            else:
                return

    def _check_not_replaced(self) -> None:
        """Check that the path still leads to the open file, whose lock would mean nothing else."""
        try:
            opened = os.fstat(self._descriptor)
            is_same = os.path.samestat(opened, self.path.stat())
        except OSError:
            is_same = False
        if not is_same:
            raise InputError(f"{self.path}: was moved or replaced while it was open; start again")

    def _copy_to_quarantine(self, tail: bytes, offset: int) -> Path:
        directory = self.path.parent / "quarantine"
        directory.mkdir(mode=0o700, exist_ok=True)
        stem = directory / f"{self.path.name}.torn-{offset}"
        copy_path, descriptor = _create_numbered(stem)
        try:
            write_fully(descriptor, tail)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_directory(directory)
        sync_directory(self.path.parent)
        return copy_path


@dataclass(frozen=True, slots=True)
class RepairedFile:
    """A file that is ready for appending, and where its torn last line went if it had one."""

    append_only_file: AppendOnlyFile
    quarantined: Path | None


def open_repaired(path: Path, data: bytes, torn_line: JsonLine | None) -> RepairedFile:
    """Open a file for appending, and repair its end.

    Args:
        path: The file.
        data: What was just read from it.
        torn_line: Its last line, where that is torn; it is moved to ``quarantine/``.

    Raises:
        InputError: It cannot be written.
        DamagedStateError: It is not the file that was read, or the disk failed.
    """
    append_only_file = AppendOnlyFile(path)
    quarantined = None
    try:
        if append_only_file.size != len(data):
            raise DamagedStateError(f"{path}: changed while it was opened")
        if torn_line is not None:
            quarantined = append_only_file.quarantine_tail(torn_line.offset)
        elif data and not data.endswith(b"\n"):
            # The last record is whole: a crash cut off its newline and nothing else.
            append_only_file.append(b"\n")
    except GoldwrightError:
        append_only_file.close()
        raise
    return RepairedFile(append_only_file, quarantined)


def _create_numbered(stem: Path) -> tuple[Path, int]:
    """Create ``stem-1``, or the first number that is free; return its path and descriptor."""
    # The same place can be torn again after a repair, and quarantine overwrites nothing.
    number = 0
    while True:
        number += 1
        path = stem.with_name(f"{stem.name}-{number}")
        with contextlib.suppress(FileExistsError):
            return path, os.open(path, _QUARANTINE_FLAGS, 0o600)
