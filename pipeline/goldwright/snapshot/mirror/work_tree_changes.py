"""Comparing checked-out files with a commit by hashing them.

Git itself would run the repository's filters on the way.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.object_ids import format_of, object_id_of
from goldwright.snapshot.mirror.directory_walk import DirectoryFile
from goldwright.snapshot.mirror.work_tree import WorkTree
from goldwright.snapshot.mirror.working_encodings import is_same_text, working_encodings

# In bytes, by the specification of Git LFS.
_LONGEST_POINTER: Final = 1024
# What the attribute ``ident`` turns ``$Id$`` into.
_EXPANDED_ID: Final = re.compile(rb"\$Id: [0-9a-f]{40,64} \$")
_POINTER_START: Final = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class WorkTreeChange:
    """A file that is not what was committed; ``file`` is None when it is gone."""

    path: str
    file: DirectoryFile | None


def work_tree_changes(
    root: Path, entries: Sequence[FileEntry], store: ObjectStore, *, sparse: bool
) -> Iterator[WorkTreeChange]:
    """Yield the tracked text files that differ from the commit, in the order of their paths.

    Files that are never read (binary, large, links) are not compared. What git itself converts on
    the way to the work tree is no change: line endings, encodings (``working-tree-encoding``), ids
    (``ident``) and the pointers of Git LFS; nor are missing files of a sparse checkout.
    """
    comparison = _ContentComparison(entries, store)
    with WorkTree(root) as work_tree:
        for entry in entries:
            if entry.kind != "text":
                continue
            file = work_tree.read(entry.path)
            if file is None and sparse:
                continue
            if file is None or not comparison.is_unchanged(entry, file.data):
                yield WorkTreeChange(entry.path, file)


class _ContentComparison:
    """Compares checked-out content with what was committed."""

    def __init__(self, entries: Sequence[FileEntry], store: ObjectStore) -> None:
        self._entries = entries
        self._store = store

    def is_unchanged(self, entry: FileEntry, data: bytes) -> bool:
        """Check whether content is that of an entry, as git would check it out."""
        if _has_object_id(data, entry.oid):
            return True
        unix_data = _in_stored_form(data)
        if len(unix_data) != len(data) and _has_object_id(unix_data, entry.oid):
            return True
        committed = self._store.read(entry.oid)
        if entry.size <= _LONGEST_POINTER and committed.startswith(_POINTER_START):
            return True
        if _in_stored_form(committed) == unix_data:
            return True
        return is_same_text(data, committed, self._encodings)

    @cached_property
    def _encodings(self) -> tuple[str, ...]:
        # Looked up only when a file differs.
        return working_encodings(self._entries, self._store)


def _in_stored_form(data: bytes) -> bytes:
    """Give content the line endings that git keeps, and take the ids out that it puts in."""
    return _EXPANDED_ID.sub(b"$Id$", data.replace(b"\r\n", b"\n"))


def _has_object_id(data: bytes, oid: str) -> bool:
    return object_id_of(data, "blob", object_format=format_of(oid)) == oid
