"""One file that only grows: one record is one write and one sync, or it did not happen."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldwright.atomic_files import sync_directory, write_failure, write_fully
from goldwright.errors import BusyError, DamagedStateError, GoldwrightError, InputError
from goldwright.journal.json_lines import JsonLine

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_PAUSE_SECONDS = 0.005


class LineFile:
    """The writing end of a file; the caller holds the lock that makes it the only one."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it so that its name survives a power loss.

        Raises:
            InputError: It cannot be opened for writing.
        """
        self.path = path
        is_new = not path.exists()
        try:
            self._descriptor = os.open(path, _FLAGS, 0o600)
            self.size = os.fstat(self._descriptor).st_size
            if is_new or not self.size:
                sync_directory(path.parent)
        except OSError as error:
            raise write_failure(path, error) from error
        self._is_poisoned = False

    def append(self, data: bytes) -> None:
        """Add bytes at the end and return once they are durable.

        After a failure nothing more is written: a page that failed to sync may be dropped by the
        kernel, so a second sync that succeeds proves nothing.

        Raises:
            InputError: There is no room.
            DamagedStateError: The disk failed, now or at an earlier append.
        """
        if self._is_poisoned:
            raise DamagedStateError(
                f"{self.path}: an earlier write failed; resume the run to carry on"
            )
        try:
            write_fully(self._descriptor, data)
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._is_poisoned = True
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self.size)
            raise write_failure(self.path, error) from error
        self.size += len(data)

    def sync(self) -> None:
        """Make durable what another process wrote and may not have lived to sync.

        Raises:
            DamagedStateError: The disk failed.
        """
        try:
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._is_poisoned = True
            raise write_failure(self.path, error) from error

    def cut(self, offset: int) -> Path:
        """Move everything from ``offset`` on into a new file under ``quarantine/``, and say which.

        Raises:
            InputError: There is no room, or the directory cannot be written.
            DamagedStateError: The disk failed.
        """
        try:
            tail = os.pread(self._descriptor, self.size - offset, offset)
            kept = self._set_aside(tail, offset)
            os.ftruncate(self._descriptor, offset)
            os.fsync(self._descriptor)
        except OSError as error:
            raise write_failure(self.path, error) from error
        self.size = offset
        return kept

    @contextmanager
    def locked(self, patience_seconds: float) -> Iterator[None]:
        """Hold the file's own lock for as long as the block runs, for files that several processes
        write.

        Raises:
            BusyError: Another process holds it for longer than the patience lasts.
            InputError: The file was replaced or taken away, or this file system has no locks.
        """
        self._lock(time.monotonic() + patience_seconds)
        try:
            self._check_place()
            self.size = os.fstat(self._descriptor).st_size
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._is_poisoned = True

    def _lock(self, until: float) -> None:
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                if time.monotonic() >= until:
                    raise BusyError(
                        f"{self.path}: another process does not let go of it"
                    ) from error
                time.sleep(_PAUSE_SECONDS)
            except OSError as error:
                raise InputError(f"{self.path}: cannot be locked here: {error.strerror}") from error
            else:
                return

    def _check_place(self) -> None:
        try:
            is_same = os.path.samestat(os.fstat(self._descriptor), self.path.stat())
        except OSError:
            is_same = False
        if not is_same:
            raise InputError(f"{self.path}: was moved or replaced while it was open; start again")

    def _set_aside(self, tail: bytes, offset: int) -> Path:
        directory = self.path.parent / "quarantine"
        directory.mkdir(mode=0o700, exist_ok=True)
        descriptor, kept = _create_numbered(directory / f"{self.path.name}.torn-{offset}")
        try:
            write_fully(descriptor, tail)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_directory(directory)
        sync_directory(self.path.parent)
        return kept


def open_repaired(path: Path, data: bytes, torn: JsonLine | None) -> tuple[LineFile, Path | None]:
    """Open a file that was just read, with its torn last line set aside or its last newline added.

    Returns:
        The writing end, and where the torn line went if there was one.

    Raises:
        InputError: It cannot be written.
        DamagedStateError: It is not the file that was read, or the disk failed.
    """
    appender = LineFile(path)
    try:
        if appender.size != len(data):
            raise DamagedStateError(f"{path}: changed while it was opened")
        if torn is not None:
            return appender, appender.cut(torn.offset)
        if data and not data.endswith(b"\n"):
            appender.append(b"\n")
    except GoldwrightError:
        appender.close()
        raise
    return appender, None


def _create_numbered(stem: Path) -> tuple[int, Path]:
    number = 0
    while True:
        number += 1
        with contextlib.suppress(FileExistsError):
            path = stem.with_name(f"{stem.name}-{number}")
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), path
