"""Comparing checked-out files with a commit by hashing them; git itself would run the repository's
filters.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.snapshot.directory_walk import DirectoryFile, WorkTree
from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.git_objects import ObjectStore

_LONGEST_POINTER: Final = 1024
_POINTER: Final = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class WorkTreeChange:
    """A file that is not what was committed; ``found`` is None when it is gone."""

    path: str
    found: DirectoryFile | None


def work_tree_changes(
    root: Path, entries: Iterable[FileEntry], store: ObjectStore, *, sparse: bool
) -> Iterator[WorkTreeChange]:
    """Yield the tracked text files that differ from the commit, in the order of their paths.

    Files that are never read (binary, large, links) are not compared. Line endings that git
    converts and files that Git LFS swaps for their pointers are no changes, nor are missing files
    of a sparse checkout.
    """
    with WorkTree(root) as tree:
        for entry in entries:
            if entry.kind != "text":
                continue
            found = tree.read(entry.path)
            if found is None and sparse:
                continue
            if found is None or not (
                _is_content(entry.oid, found.data) or _is_converted(entry, found.data, store)
            ):
                yield WorkTreeChange(entry.path, found)


def _is_content(oid: str, data: bytes) -> bool:
    algorithm = hashlib.sha1 if len(oid) == 40 else hashlib.sha256
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest() == oid


def _is_converted(entry: FileEntry, data: bytes, store: ObjectStore) -> bool:
    unix = data.replace(b"\r\n", b"\n")
    if len(unix) != len(data) and _is_content(entry.oid, unix):
        return True
    if entry.size <= _LONGEST_POINTER and store.read(entry.oid).startswith(_POINTER):
        return True
    return store.read(entry.oid).replace(b"\r\n", b"\n") == unix
