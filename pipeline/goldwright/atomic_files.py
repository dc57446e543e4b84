"""Writes whole files so that a crash leaves either the old state or the new one, never a half."""

import contextlib
import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.errors import DamagedStateError, GoldwrightError, InputError
from goldwright.machine_limits import limit_error
from goldwright.regular_files import open_regular

_NOT_WRITABLE: Final = (
    errno.ENAMETOOLONG,
    errno.ENXIO,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.ELOOP,
    errno.EISDIR,
)
_DIRECTORY_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_REPLACE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW

# The mode of reports, which others read: the next step of a build, a colleague.
READABLE: Final = 0o644
# A published version may be read by all and changed by nobody.
_PUBLISHED: Final = 0o444


def sync_directory(directory: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(directory, _DIRECTORY_FLAGS)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_fully(descriptor: int, data: bytes) -> None:
    """Write every byte; a short write is legal and goes on where it ended."""
    remaining = memoryview(data)
    while remaining:
        written_count = os.write(descriptor, remaining)
        remaining = remaining[written_count:]


def write_failure(path: Path, error: OSError) -> GoldwrightError:
    """Describe in one line why a file could not be written, and choose who has to act.

    Returns:
        A MachineLimitError where a disk is full, say, another InputError where the user can help
        in another way (a missing right), else a DamagedStateError.
    """
    if (limit := limit_error(error, path)) is not None:
        return limit
    if error.errno in _NOT_WRITABLE:
        return InputError(f"{path}: cannot be written: {error.strerror}")
    return DamagedStateError(
        f"{path}: the disk refused a write ({error.strerror}); nothing more was written to it"
    )


def read_failure(path: Path, error: OSError) -> InputError:
    """Describe in one line why a file could not be read."""
    limit = limit_error(error, path)
    return limit or InputError(f"{path}: cannot be read: {error.strerror}")


def replace_file(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Put new content under a name in one step; only one process may do so at a time.

    Raises:
        InputError: The disk is full, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    # A fixed name: what a crash left under it is overwritten the next time.
    temporary_path = path.with_name(f".{path.name}.new")
    try:
        descriptor = os.open(temporary_path, _REPLACE_FLAGS, 0o600)
        _write_and_close(descriptor, data, mode=mode)
        temporary_path.rename(path)
        sync_directory(path.parent)
    except OSError as error:
        raise write_failure(path, error) from error


def replace_report(path: Path, data: bytes, *, head: bytes) -> None:
    """Write a report; it may replace an earlier report of its kind and nothing else.

    Args:
        path: Where to.
        data: The report, which starts with ``head``.
        head: How reports of this kind start, by which an earlier one is recognised.

    Raises:
        InputError: The name is taken by something else, the disk is full, or the directory cannot
            be written.
        DamagedStateError: The disk failed.
    """
    check_report(path, head=head)
    replace_file(path, data, mode=READABLE)


def check_report(path: Path, *, head: bytes) -> None:
    """Check that a report may be written: its directory exists, and the name is free or a report's.

    Raises:
        InputError: The directory is missing, or the name is taken by something else.
    """
    try:
        with open_regular(path) as file:
            current_head = file.read(len(head))
    except FileNotFoundError as error:
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no directory {path.parent}") from error
        return
    except OSError as error:
        raise write_failure(path, error) from error
    # An empty file is a name that was reserved, as mktemp does.
    if current_head and current_head != head:
        raise InputError(f"{path}: holds something else, which is not replaced; give another name")


def publish(path: Path, data: bytes) -> bool:
    """Create a read-only file, whole or not at all, and never over another one.

    Returns:
        False if exactly these bytes are published already, which is no error.

    Raises:
        InputError: The name is taken by other content, the disk is full, or the directory cannot
            be written.
        DamagedStateError: The disk failed.
    """
    if is_taken(path):
        return _compare_with_published(path, data)
    try:
        _link_into_place([(path, data)])
    except OSError as error:
        # Another process may have published between the check and the link.
        if is_taken(path):
            return _compare_with_published(path, data)
        raise write_failure(path, error) from error
    return True


def publish_together(files: Sequence[tuple[Path, bytes]]) -> None:
    """Create read-only files of one directory, all of them or none, and never over another one.

    All are written and durable before the first gets its name.

    Raises:
        InputError: A name is taken, the disk is full, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    try:
        _link_into_place(files)
    except OSError as error:
        taken_paths = (path for path, _ in files if is_taken(path))
        last_path = files[-1][0]
        raise write_failure(next(taken_paths, last_path), error) from error


@contextlib.contextmanager
def locked_directory(directory: Path) -> Iterator[None]:
    """Hold a directory, created where it is missing, so that its holders take turns.

    Raises:
        InputError: It cannot be created or read.
        DamagedStateError: The disk failed.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(directory, _DIRECTORY_FLAGS)
    except OSError as error:
        raise write_failure(directory, error) from error
    try:
        # Some network disks have no locks. There, of two who publish one version, the second is
        # refused when it links the name.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def is_taken(path: Path) -> bool:
    """Whether anything has this name, even a link that leads nowhere."""
    return path.is_symlink() or path.exists()


@dataclass(frozen=True, slots=True)
class _StagedFile:
    """A durable file under a temporary name, and the name it will get."""

    temporary_path: Path
    path: Path


def _link_into_place(files: Sequence[tuple[Path, bytes]]) -> None:
    with contextlib.ExitStack() as temporaries, contextlib.ExitStack() as links:
        staged_files = [_stage(path, data, temporaries) for path, data in files]
        for staged in staged_files:
            # A link fails where the name is taken; a rename would silently replace a published
            # version.
            os.link(staged.temporary_path, staged.path, follow_symlinks=False)
            links.callback(_remove, staged.path)
        directories = {path.parent for path, _ in files}
        for directory in directories:
            sync_directory(directory)
        # Everything is durable: from here on the links stay, and only temporary names go.
        links.pop_all()


def _stage(path: Path, data: bytes, temporaries: contextlib.ExitStack) -> _StagedFile:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary_name = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=".new", dir=path.parent
    )
    temporary_path = Path(temporary_name)
    temporaries.callback(_remove, temporary_path)
    _write_and_close(descriptor, data, mode=_PUBLISHED)
    return _StagedFile(temporary_path, path)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _write_and_close(descriptor: int, data: bytes, *, mode: int) -> None:
    try:
        write_fully(descriptor, data)
        # Not given to open, where the umask of the process would take bits away.
        os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _compare_with_published(path: Path, data: bytes) -> bool:
    """Return False where exactly this content is published; else refuse to overwrite."""
    is_plain_file = path.is_file() and not path.is_symlink()
    if is_plain_file and path.read_bytes() == data:
        # Whoever published it may have died before its name was durable.
        sync_directory(path.parent)
        return False
    raise InputError(
        f"{path}: is there already with other content; "
        "a version is never overwritten, take a new number"
    )
