"""Writing whole files so that a crash leaves either the old state or the new one, never a half."""

import contextlib
import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from goldwright.errors import DamagedStateError, GoldwrightError, InputError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.ELOOP,
    errno.EISDIR,
)


# Reports go to others: to the next step of a build, to a colleague.
READABLE = 0o644


def sync_directory(directory: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_fully(descriptor: int, data: bytes) -> None:
    """Write every byte; a short write is legal and goes on where it ended."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def write_failure(path: Path, error: OSError) -> GoldwrightError:
    """Say in one line why a file could not be written, and whose matter that is."""
    if error.errno in _FULL:
        return InputError(
            f"{path}: no room to write ({error.strerror}); free some space, then resume"
        )
    if error.errno in _FORBIDDEN:
        return InputError(f"{path}: cannot be written: {error.strerror}")
    return DamagedStateError(
        f"{path}: the disk refused a write ({error.strerror}); nothing more was written to it"
    )


def replace_file(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Put new content under a name in one step; only one process may do so at a time.

    Raises:
        InputError: There is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    fresh = path.with_name(f".{path.name}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        descriptor = os.open(fresh, flags, 0o600)
        _write_and_close(descriptor, data, mode=mode)
        fresh.rename(path)
        sync_directory(path.parent)
    except OSError as error:
        raise write_failure(path, error) from error


def replace_report(path: Path, data: bytes, *, head: bytes) -> None:
    """Write a report, over an earlier one of its kind at most; nothing else that bears the name is
    ever replaced.

    Args:
        path: Where to.
        data: The report, which begins with ``head``.
        head: How reports of this kind begin, by which an earlier one is known.

    Raises:
        InputError: Something else stands there, there is no room, or the directory cannot be
            written.
        DamagedStateError: The disk failed.
    """
    check_report(path, head=head)
    replace_file(path, data, mode=READABLE)


def check_report(path: Path, *, head: bytes) -> None:
    """Make sure that a report may be written: its directory is there, and at most an earlier one
    bears the name.

    Raises:
        InputError: The directory is missing, or something else stands there.
    """
    try:
        with path.open("rb") as file:
            found = file.read(len(head))
    except FileNotFoundError as error:
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no directory {path.parent}") from error
        return
    except OSError as error:
        raise write_failure(path, error) from error
    # An empty file is a name that was reserved, as mktemp does.
    if found and found != head:
        raise InputError(f"{path}: holds something else, which is not replaced; give another name")


def publish(path: Path, data: bytes) -> bool:
    """Create a read-only file, whole or not at all, and never over another one.

    Returns:
        False if exactly these bytes stand there already, which is no error.

    Raises:
        InputError: The name is taken by other content, there is no room, or the directory cannot
            be written.
        DamagedStateError: The disk failed.
    """
    if is_taken(path):
        return _settle_taken(path, data)
    try:
        _link_into_place([(path, data)])
    except OSError as error:
        if is_taken(path):
            return _settle_taken(path, data)
        raise write_failure(path, error) from error
    return True


def publish_together(files: Sequence[tuple[Path, bytes]]) -> None:
    """Create read-only files of one directory, all of them or none, and never over another one.

    All are written and durable before the first gets its name.

    Raises:
        InputError: A name is taken, there is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    try:
        _link_into_place(files)
    except OSError as error:
        path = next((path for path, _ in files if is_taken(path)), files[-1][0])
        raise write_failure(path, error) from error


@contextlib.contextmanager
def locked_directory(directory: Path) -> Iterator[None]:
    """Hold a directory, made where it is missing, so that those who hold it come one after the
    other.

    Raises:
        InputError: It cannot be made or read.
        DamagedStateError: The disk failed.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise write_failure(directory, error) from error
    try:
        # Some network disks know no locks; there, two who publish one version meet at the name
        # itself.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def is_taken(path: Path) -> bool:
    """Tell whether anything stands under a name, and be it a link that leads nowhere."""
    return path.is_symlink() or path.exists()


def _link_into_place(files: Sequence[tuple[Path, bytes]]) -> None:
    with contextlib.ExitStack() as scraps, contextlib.ExitStack() as undone:
        fresh = []
        for path, data in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(
                prefix=f".{path.name}.", suffix=".new", dir=path.parent
            )
            scraps.callback(_forget, Path(name))
            _write_and_close(descriptor, data, mode=0o444)
            fresh.append((name, path))
        for name, path in fresh:
            # A link fails where the name is taken; a rename would silently replace a published
            # version.
            os.link(name, path, follow_symlinks=False)
            undone.callback(_forget, path)
        for directory in {path.parent for path, _ in files}:
            sync_directory(directory)
        undone.pop_all()


def _forget(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _write_and_close(descriptor: int, data: bytes, *, mode: int) -> None:
    try:
        write_fully(descriptor, data)
        os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _settle_taken(path: Path, data: bytes) -> bool:
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        sync_directory(path.parent)
        return False
    raise InputError(
        f"{path}: is there already with other content; a version is never overwritten, take a new number"
    )
