"""The sets of vectors in a cache: one for each codebase and embedder, and which nobody reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DIRECTORY: Final = "vectors"
TEMPORARY_PREFIX: Final = ".vectors-"
# Hexadecimal digits by which a set names its embedder, behind the name of the codebase.
_EMBEDDER_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class VectorSet:
    """The vectors of one codebase by one embedder.

    Attributes:
        path: Its directory.
        size: Its bytes.
        is_left_over: Whether the copy of its codebase is gone from the cache, so that no index can
            be built of it.
    """

    path: Path
    size: int
    is_left_over: bool


def find_vector_sets(cache: Path, mirrors: Path) -> Iterator[VectorSet]:
    """Yield every set of a cache, by name.

    Args:
        cache: The directory of the cache.
        mirrors: Where the copies of codebases are, each as ``NAME.git``.
    """
    for path in _listed(cache / DIRECTORY):
        codebase = path.name[: -_EMBEDDER_DIGITS - 1]
        has_mirror = (mirrors / f"{codebase}.git").exists()
        size = sum(_size_of(file) for file in _listed(path))
        yield VectorSet(path, size, is_left_over=not has_mirror)


def find_unfinished(cache: Path) -> Iterator[Path]:
    """Yield the files that an interrupted process left half written."""
    for directory in _listed(cache / DIRECTORY):
        for path in _listed(directory):
            if path.name.startswith(TEMPORARY_PREFIX):
                yield path


def _listed(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


def _size_of(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        # Removed while it was looked at.
        return 0
