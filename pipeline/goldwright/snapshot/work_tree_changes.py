"""Comparing checked-out files with a commit by hashing them.

Git itself would run the repository's filters on the way.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.snapshot.directory_walk import DirectoryFile
from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.git_objects import ObjectStore
from goldwright.snapshot.work_tree import WorkTree

_SHA1_DIGITS: Final = 40
# In bytes, by the specification of Git LFS.
_LONGEST_POINTER: Final = 1024
_POINTER_START: Final = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class WorkTreeChange:
    """A file that is not what was committed; ``file`` is None when it is gone."""

    path: str
    file: DirectoryFile | None


def work_tree_changes(
    root: Path, entries: Iterable[FileEntry], store: ObjectStore, *, sparse: bool
) -> Iterator[WorkTreeChange]:
    """Yield the tracked text files that differ from the commit, in the order of their paths.

    Files that are never read (binary, large, links) are not compared. Line endings that git
    converts and files that Git LFS swaps for their pointers are no changes, nor are missing files
    of a sparse checkout.
    """
    with WorkTree(root) as work_tree:
        for entry in entries:
            if entry.kind != "text":
                continue
            file = work_tree.read(entry.path)
            if file is None and sparse:
                continue
            if file is None or not _is_unchanged(entry, file.data, store):
                yield WorkTreeChange(entry.path, file)


def _is_unchanged(entry: FileEntry, data: bytes, store: ObjectStore) -> bool:
    if _has_object_id(data, entry.oid):
        return True
    return _is_converted(entry, data, store)


def _has_object_id(data: bytes, oid: str) -> bool:
    # What git hashes to name a file.
    content = b"blob %d\0%s" % (len(data), data)
    if len(oid) == _SHA1_DIGITS:
        return hashlib.sha1(content, usedforsecurity=False).hexdigest() == oid
    return hashlib.sha256(content).hexdigest() == oid


def _is_converted(entry: FileEntry, data: bytes, store: ObjectStore) -> bool:
    unix_data = data.replace(b"\r\n", b"\n")
    if len(unix_data) != len(data) and _has_object_id(unix_data, entry.oid):
        return True
    committed = store.read(entry.oid)
    if entry.size <= _LONGEST_POINTER and committed.startswith(_POINTER_START):
        return True
    return committed.replace(b"\r\n", b"\n") == unix_data
