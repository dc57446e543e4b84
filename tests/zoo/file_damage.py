"""Ways to damage a file, and to find the file to be damaged."""

import shutil
from collections.abc import Callable
from pathlib import Path

Change = Callable[[Path], object]


def leave(_root: Path) -> None:
    """Change nothing."""


def first(pattern: str) -> Callable[[Path], Path]:
    def find(root: Path) -> Path:
        return min(path for path in root.rglob(pattern) if path.is_file())

    return find


def damaged(find: Callable[[Path], Path], damage: Callable[[bytes], bytes]) -> Change:
    def change(root: Path) -> None:
        path = find(root)
        path.chmod(0o600)
        path.write_bytes(damage(path.read_bytes()))

    return change


def each(pattern: str, damage: Callable[[bytes], bytes]) -> Change:
    """Damage every file of a pattern."""

    def change(root: Path) -> None:
        paths = [path for path in root.rglob(pattern) if path.is_file()]
        if not paths:
            raise FileNotFoundError(pattern)
        for path in paths:
            path.chmod(0o600)
            path.write_bytes(damage(path.read_bytes()))

    return change


def replaced(name: str, make_other: Callable[[Path], object]) -> Change:
    def change(root: Path) -> None:
        path = root / name
        clear(path)
        path.parent.mkdir(exist_ok=True)
        make_other(path)

    return change


def link(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def nothing(_data: bytes) -> bytes:
    return b""


def garbage(data: bytes) -> bytes:
    return b"\xff\x00garbage" * (len(data) // 9 + 1)


def zeros(data: bytes) -> bytes:
    return bytes(len(data))


def without(pattern: str) -> Change:
    def change(root: Path) -> None:
        for path in sorted(root.rglob(pattern), reverse=True):
            clear(path)

    return change


def each_replaced(pattern: str, make_other: Callable[[Path], object]) -> Change:
    """Put something else in the place of each file or directory of a pattern."""

    def change(root: Path) -> None:
        paths = list(root.glob(pattern))
        if not paths:
            raise FileNotFoundError(pattern)
        for path in paths:
            clear(path)
            make_other(path)

    return change


def clear(path: Path) -> None:
    """Take away what has this name, if anything has."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path: Path) -> None:
    """Write a file of one letter."""
    path.write_text("x")
