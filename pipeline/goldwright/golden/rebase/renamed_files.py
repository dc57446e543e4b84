"""Where the files of one commit are at another one."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot import Snapshot

# Below this share of common lines an added file is another file than the one that went; git's own
# figure for renames.
LEAST_SHARED_LINES: Final = 0.5


class RenamedFiles:
    """The files of an old commit, and their paths at a new one."""

    def __init__(self, old: Snapshot, new: Snapshot) -> None:
        self._old = old
        self._new = new
        self._new_paths: dict[str, str | None] = {}

    def new_path(self, path: str) -> str | None:
        """Give the path that a file has at the new commit; None when it is gone.

        A file that is gone was renamed when an added file has the same content, or shares more of
        its lines with it than any other does and at least half of all.
        """
        if self._new.has_text(path):
            return path
        if path not in self._new_paths:
            self._new_paths[path] = self._find_renamed(path)
        return self._new_paths[path]

    def is_same_file(self, path: str) -> bool:
        """Return whether a file has its name and its content at both commits."""
        old_file = self._old.files.get(path)
        new_file = self._new.files.get(path)
        if old_file is None or new_file is None:
            return False
        return old_file.oid == new_file.oid

    @cached_property
    def _added_files(self) -> tuple[str, ...]:
        paths = [path for path in self._new.files if path not in self._old.files]
        return tuple(filter(self._new.has_text, paths))

    def _find_renamed(self, path: str) -> str | None:
        if not self._old.has_text(path):
            return None
        identical = self._identical_files(path)
        return _choose(identical or self._most_similar_files(path), path)

    def _identical_files(self, path: str) -> list[str]:
        oid = self._old.files[path].oid
        files = self._new.files
        return [added for added in self._added_files if files[added].oid == oid]

    def _most_similar_files(self, path: str) -> list[str]:
        suffix = PurePosixPath(path).suffix
        old_lines = Counter(self._old.source(path).lines)
        largest_share = LEAST_SHARED_LINES
        most_similar: list[str] = []
        for added in self._added_files:
            if not added.endswith(suffix):
                continue
            new_lines = Counter(self._new.source(added).lines)
            share = _shared_lines(old_lines, new_lines)
            if share > largest_share:
                largest_share = share
                most_similar = [added]
            elif share == largest_share:
                most_similar.append(added)
        return most_similar


def _shared_lines(old_lines: Counter[str], new_lines: Counter[str]) -> float:
    """Give the Sørensen-Dice coefficient of two multisets of lines, in 0..1."""
    total = old_lines.total() + new_lines.total()
    if not total:
        return 0.0
    common = old_lines & new_lines
    return 2 * common.total() / total


def _choose(paths: Sequence[str], old_path: str) -> str | None:
    """Give the only one of several paths, or the only one that kept the name of the file."""
    name = PurePosixPath(old_path).name
    namesakes = [path for path in paths if PurePosixPath(path).name == name]
    for candidates in (paths, namesakes):
        if len(candidates) == 1:
            return candidates[0]
    return None
