"""Reading the files below a directory without following a link, opening a device or waiting on a
pipe.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from goldwright.errors import InputError
from goldwright.snapshot.git_objects import LARGE, MOST_ENTRIES
from goldwright.snapshot.repository import show_path

DEEPEST: Final = 100
MOST_BYTES: Final = 1 << 30
JUNK: Final = frozenset(
    {b".venv", b"node_modules", b"__pycache__", b".tox", b".mypy_cache", b".pytest_cache"}
)

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class DirectoryFile:
    """A regular file, or a link with its target as ``data``.

    Of a file over 2 MiB ``data`` holds the first 2 MiB and one byte: enough to see that it is
    large.
    """

    path: bytes
    data: bytes
    is_link: bool
    is_executable: bool


def walk(root: Path) -> Iterator[DirectoryFile]:
    """Yield the files and links below a directory in the order of their names, junk and ``.git``
    left out.

    Pipes, sockets and devices are passed over, and so is what lies more than 100 directories deep.

    Raises:
        InputError: Something may not be read, or there are over 200,000 files or 1 GiB.
    """
    total = 0
    with _OpenDescriptor(root) as top:
        for number, found in enumerate(_below(top.descriptor, b"", root, 0), start=1):
            total += len(found.data)
            if number > MOST_ENTRIES or total > MOST_BYTES:
                raise InputError(
                    f"{show_path(root)}: over {MOST_ENTRIES:,} files or 1 GiB; give a smaller directory"
                )
            yield found


class WorkTree:
    """The checked-out files of a repository, read one by one; fastest in the order of their paths."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stack = ExitStack()
        self._open: list[tuple[bytes, _OpenDescriptor]] = []

    def __enter__(self) -> Self:
        self._top = self._stack.enter_context(_OpenDescriptor(self._root))
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(0)
        self._stack.close()

    def read(self, path: str) -> DirectoryFile | None:
        """Read a regular file up to its first 2 MiB and one byte; None if there is none."""
        *folders, name = path.encode("utf-8").split(b"/")
        try:
            return _regular(self._descend(folders), name, path.encode("utf-8"))
        except OSError:
            return None

    def _descend(self, folders: list[bytes]) -> int:
        same = 0
        while same < min(len(folders), len(self._open)) and self._open[same][0] == folders[same]:
            same += 1
        self._leave(same)
        for folder in folders[same:]:
            self._open.append((folder, _OpenDescriptor(folder, inside=self._innermost())))
        return self._innermost()

    def _innermost(self) -> int:
        return self._open[-1][1].descriptor if self._open else self._top.descriptor

    def _leave(self, depth: int) -> None:
        while len(self._open) > depth:
            self._open.pop()[1].close()


class _OpenDescriptor:
    """An open directory."""

    def __init__(self, name: Path | bytes, *, inside: int | None = None) -> None:
        self.descriptor = os.open(name, _DIRECTORY, dir_fd=inside)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self.descriptor)


def _below(directory: int, prefix: bytes, root: Path, depth: int) -> Iterator[DirectoryFile]:
    with os.scandir(directory) as scan:
        names = sorted(os.fsencode(entry.name) for entry in scan)
    for name in names:
        if name.lower() == b".git":
            continue
        path = prefix + name
        try:
            mode = os.lstat(name, dir_fd=directory).st_mode
            if stat.S_ISDIR(mode):
                if name not in JUNK and depth < DEEPEST:
                    with _OpenDescriptor(name, inside=directory) as inner:
                        yield from _below(inner.descriptor, path + b"/", root, depth + 1)
            elif (found := _found(directory, name, path, mode)) is not None:
                yield found
        except PermissionError as error:
            where = show_path(root / os.fsdecode(path))
            raise InputError(f"{where}: may not be read; ask its owner for access") from error
        except FileNotFoundError:
            continue


def _found(directory: int, name: bytes, path: bytes, mode: int) -> DirectoryFile | None:
    if stat.S_ISLNK(mode):
        target = os.readlink(name, dir_fd=directory)
        return DirectoryFile(path, target, is_link=True, is_executable=False)
    return _regular(directory, name, path) if stat.S_ISREG(mode) else None


def _regular(directory: int, name: bytes, path: bytes) -> DirectoryFile | None:
    descriptor = os.open(name, _FILE, dir_fd=directory)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        data = _content(descriptor, min(status.st_size, LARGE) + 1)
    finally:
        os.close(descriptor)
    return DirectoryFile(
        path, data, is_link=False, is_executable=bool(status.st_mode & stat.S_IXUSR)
    )


def _content(descriptor: int, limit: int) -> bytes:
    data = os.read(descriptor, limit)
    while len(data) < limit and (more := os.read(descriptor, limit - len(data))):
        data += more
    return data
