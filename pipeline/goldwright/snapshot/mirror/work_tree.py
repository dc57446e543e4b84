"""The checked-out files of a repository, read without following a link."""

from contextlib import ExitStack
from pathlib import Path
from typing import Self

from goldwright.snapshot.mirror.directory_walk import (
    DirectoryFile,
    OpenDirectory,
    read_regular_file,
)


class WorkTree:
    """The checked-out files of a repository, read one by one; use it in ``with``.

    The directories of the latest file stay open, so reading is fastest in the order of paths.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stack = ExitStack()
        self._open_directories: list[tuple[bytes, OpenDirectory]] = []

    def __enter__(self) -> Self:
        top = OpenDirectory(self._root)
        self._top = self._stack.enter_context(top)
        return self

    def __exit__(self, *_: object) -> None:
        self._close_below(0)
        self._stack.close()

    def read(self, path: str) -> DirectoryFile | None:
        """Read a regular file up to its first 2 MiB and one byte; None if there is none."""
        encoded = path.encode("utf-8")
        *directories, name = encoded.split(b"/")
        try:
            return read_regular_file(self._descend(directories), name, encoded)
        except OSError:
            return None

    def _descend(self, names: list[bytes]) -> int:
        """Open a directory by the names that lead to it, and give its descriptor."""
        common = self._common_depth(names)
        self._close_below(common)
        for name in names[common:]:
            directory = OpenDirectory(name, inside=self._innermost_descriptor())
            self._open_directories.append((name, directory))
        return self._innermost_descriptor()

    def _common_depth(self, names: list[bytes]) -> int:
        """Count the directories that are open already."""
        depth = 0
        for name, (open_name, _) in zip(names, self._open_directories, strict=False):
            if name != open_name:
                break
            depth += 1
        return depth

    def _innermost_descriptor(self) -> int:
        if not self._open_directories:
            return self._top.descriptor
        _, directory = self._open_directories[-1]
        return directory.descriptor

    def _close_below(self, depth: int) -> None:
        while len(self._open_directories) > depth:
            _, directory = self._open_directories.pop()
            directory.close()
