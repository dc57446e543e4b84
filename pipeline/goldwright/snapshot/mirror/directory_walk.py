"""Reading the files below a directory without following a link or waiting on a pipe."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from goldwright.errors import InputError
from goldwright.snapshot.git.repository import show_path
from goldwright.snapshot.size_limits import LARGEST_TEXT_FILE, MOST_ENTRIES

DEEPEST: Final = 100
MOST_BYTES: Final = 1 << 30
JUNK: Final = frozenset(
    {b".venv", b"node_modules", b"__pycache__", b".tox", b".mypy_cache", b".pytest_cache"}
)

_DIRECTORY_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Between the look at a file and its opening it may be swapped for a pipe or a terminal: opening
# must neither wait nor take a terminal over.
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class DirectoryFile:
    """A regular file or a link.

    Attributes:
        path: The path from the directory, with slashes.
        data: The content, or the target of a link. Of a file over 2 MiB these are the first 2 MiB
            and one byte: enough to see that it is large.
        is_link: Whether it is a link.
        is_executable: Whether its owner may run it.
    """

    path: bytes
    data: bytes
    is_link: bool
    is_executable: bool


class OpenDirectory:
    """An open directory; close it, or use it in ``with``."""

    def __init__(self, name: Path | bytes, *, inside: int | None = None) -> None:
        """Open a directory by its path, or by its name inside another one."""
        self.descriptor = os.open(name, _DIRECTORY_FLAGS, dir_fd=inside)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.descriptor)


def walk(root: Path) -> Iterator[DirectoryFile]:
    """Yield the files and links below a directory in the order of their names.

    Junk and ``.git`` are left out. Pipes, sockets and devices are passed over, and so is what lies
    more than 100 directories deep.

    Raises:
        InputError: Something may not be read, or there are over 200,000 files or 1 GiB.
    """
    total_bytes = 0
    with OpenDirectory(root) as directory:
        files = _files_below(directory.descriptor, b"", root=root, depth=0)
        for number, file in enumerate(files, start=1):
            total_bytes += len(file.data)
            if number > MOST_ENTRIES or total_bytes > MOST_BYTES:
                shown_root = show_path(root)
                raise InputError(
                    f"{shown_root}: over {MOST_ENTRIES:,} files or 1 GiB; give a smaller directory"
                )
            yield file


def read_regular_file(directory: int, name: bytes, path: bytes) -> DirectoryFile | None:
    """Read a file of an open directory, up to its first 2 MiB and one byte.

    Returns:
        The file under the given path, or None where it is no regular file.

    Raises:
        OSError: There is no such file, or it may not be read.
    """
    descriptor = os.open(name, _FILE_FLAGS, dir_fd=directory)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        # One byte more than the size, for the file may have grown since.
        limit = min(status.st_size, LARGEST_TEXT_FILE) + 1
        data = _read_up_to(descriptor, limit)
    finally:
        os.close(descriptor)
    is_executable = bool(status.st_mode & stat.S_IXUSR)
    return DirectoryFile(path, data, is_link=False, is_executable=is_executable)


def _files_below(
    directory: int, prefix: bytes, *, root: Path, depth: int
) -> Iterator[DirectoryFile]:
    for name in _sorted_names(directory):
        if name.lower() == b".git":
            continue
        path = prefix + name
        try:
            mode = os.lstat(name, dir_fd=directory).st_mode
            if not stat.S_ISDIR(mode):
                file = _read_entry(directory, name, path, mode)
                if file is not None:
                    yield file
            elif name not in JUNK and depth < DEEPEST:
                with OpenDirectory(name, inside=directory) as inner:
                    prefix_below = path + b"/"
                    yield from _files_below(
                        inner.descriptor, prefix_below, root=root, depth=depth + 1
                    )
        except FileNotFoundError:
            # Removed since the directory was listed.
            continue
        except OSError as error:
            raise _unreadable(root, path, error) from error


def _unreadable(root: Path, path: bytes, error: OSError) -> InputError:
    place = show_path(root / os.fsdecode(path))
    if isinstance(error, PermissionError):
        return InputError(f"{place}: may not be read; ask its owner for access")
    # A disk that fails, or a file of the system that only looks like one.
    return InputError(f"{place}: cannot be read ({error.strerror}); give another directory")


def _sorted_names(directory: int) -> list[bytes]:
    with os.scandir(directory) as scan:
        names = [os.fsencode(entry.name) for entry in scan]
    return sorted(names)


def _read_entry(directory: int, name: bytes, path: bytes, mode: int) -> DirectoryFile | None:
    if stat.S_ISLNK(mode):
        target = os.readlink(name, dir_fd=directory)
        return DirectoryFile(path, target, is_link=True, is_executable=False)
    if stat.S_ISREG(mode):
        return read_regular_file(directory, name, path)
    return None


def _read_up_to(descriptor: int, limit: int) -> bytes:
    data = b""
    while len(data) < limit:
        missing = limit - len(data)
        chunk = os.read(descriptor, missing)
        if not chunk:
            break
        data += chunk
    return data
