"""A disk that fails: the calls of this process that touch files below one directory are counted,
and one of them fails.

What other processes do, git above all, goes past it.
"""

import builtins
import errno
import io
import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

# Calls that take a path first, and calls that take a descriptor.
OF_PATHS: Final = ("open", "mkdir", "rename", "replace", "link", "unlink", "rmdir", "scandir")
OF_DESCRIPTORS: Final = (
    "write",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fchmod",
    "read",
    "pread",
)
OPERATIONS: Final = (*OF_PATHS, *OF_DESCRIPTORS)
SHORT: Final = "short"


@dataclass(frozen=True)
class DiskFault:
    """Which call fails, and how.

    Attributes:
        root: The directory; calls on files elsewhere are left alone.
        operation: One of ``OPERATIONS``, or nothing where calls are only counted.
        number: The number of the call among those of its kind, from 1.
        error: The name of an errno, or ``short`` for a write of half the bytes.
        is_lasting: Whether all later calls of the kind fail, too.
        counts: The file that gets the number of calls of each kind, as JSON.
    """

    root: str
    operation: str = ""
    number: int = 0
    error: str = ""
    is_lasting: bool = False
    counts: str = ""


class FaultyDisk:
    """Stands in the place of functions of ``os`` and of ``open``."""

    def __init__(self, fault: DiskFault) -> None:
        self._fault = fault
        self._counts: Counter[str] = Counter()
        self._root = os.path.realpath(fault.root)

    def install(self) -> None:
        """Take the places of the functions, for the rest of this process."""
        for operation in OF_PATHS:
            setattr(os, operation, self._of_path(operation, getattr(os, operation)))
        for operation in OF_DESCRIPTORS:
            setattr(os, operation, self._of_descriptor(operation, getattr(os, operation)))
        opening = self._opening(io.open)
        io.open = opening
        builtins.open = opening

    def report(self) -> None:
        """Write the counts, if somebody wants them."""
        path, counts = self._fault.counts, dict(self._counts)
        # This write is none of the program's.
        self._root = "/nonexistent"
        if path:
            Path(path).write_text(json.dumps(counts))

    def _of_path(self, operation: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def checked(path: Any, *arguments: Any, **options: Any) -> Any:
            if self._is_below(path, options.get("dir_fd")):
                self._count(operation)
            return call(path, *arguments, **options)

        return checked

    def _of_descriptor(self, operation: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def checked(descriptor: int, *arguments: Any) -> Any:
            if not self._is_open_below(descriptor):
                return call(descriptor, *arguments)
            is_short = self._count(operation)
            if is_short and operation == "write":
                data = bytes(arguments[0])
                return call(descriptor, data[: max(len(data) // 2, 1)])
            return call(descriptor, *arguments)

        return checked

    def _opening(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Open files for reading so that each read counts."""

        def opened(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
            if not self._is_below(file, None) or set(mode) - set("rbt"):
                return call(file, mode, *arguments, **options)
            self._count("open")
            raw = _CountedFile(file, lambda: self._count("read"))
            return _as_opened(raw, mode, options)

        return opened

    def _is_below(self, path: Any, directory: int | None) -> bool:
        if isinstance(path, int):
            return self._is_open_below(path)
        name = os.fsdecode(path)
        if directory is not None and not name.startswith("/"):
            return self._is_open_below(directory)
        return f"{os.path.abspath(name)}/".startswith(f"{self._root}/")  # noqa: PTH100  # counts not

    def _is_open_below(self, descriptor: int) -> bool:
        try:
            name = os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115  # counts not
        except OSError:
            return False
        return f"{name}/".startswith(f"{self._root}/")

    def _count(self, operation: str) -> bool:
        """Count a call; fail if it is the one, or say that it is to be short."""
        self._counts[operation] += 1
        fault = self._fault
        number = self._counts[operation]
        is_due = number == fault.number or (fault.is_lasting and number > fault.number)
        if operation != fault.operation or not is_due:
            return False
        if fault.error == SHORT:
            return True
        code = getattr(errno, fault.error)
        raise OSError(code, os.strerror(code))


class _CountedFile(io.FileIO):
    """A file of which each read counts."""

    def __init__(self, file: Any, count: Callable[[], bool]) -> None:
        super().__init__(file, "r")
        self._count = count

    def readinto(self, buffer: Any) -> int:
        self._count()
        return super().readinto(buffer)

    def readall(self) -> bytes:
        self._count()
        return super().readall()


def _as_opened(raw: io.FileIO, mode: str, options: dict[str, Any]) -> IO[Any]:
    buffered = io.BufferedReader(raw)
    if "b" in mode:
        return buffered
    kept = {name: options[name] for name in ("encoding", "errors", "newline") if name in options}
    return io.TextIOWrapper(buffered, **kept)
