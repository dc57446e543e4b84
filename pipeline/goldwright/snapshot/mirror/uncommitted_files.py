"""Code of a work tree that is in no commit: it is not read, and whoever wrote it should know."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.languages.language_catalog import language_of

_IGNORE_FILE: Final = ".gitignore"
# In bytes; nobody writes more of them by hand.
_LONGEST_IGNORE_FILE: Final = 1 << 20


def uncommitted_code(root: Path, entries: Sequence[FileEntry]) -> Iterator[str]:
    """Yield the paths of files of code that stand beside committed ones and are in no commit.

    Directories without committed code are not looked into: environments, builds and caches lie
    there. Of what is ignored, only the simple patterns of the ``.gitignore`` at the root are known.

    Args:
        root: The work tree.
        entries: The files of the commit.
    """
    committed = {entry.path for entry in entries}
    code_paths = [file for file in committed if language_of(file) is not None]
    directories = {file.rpartition("/")[0] for file in code_paths}
    patterns = _ignored_patterns(root)
    for directory in sorted(directories):
        for name in _files_in(root / directory):
            path = f"{directory}/{name}" if directory else name
            is_new = path not in committed and language_of(path) is not None
            if is_new and not any(_is_match(path, pattern) for pattern in patterns):
                yield path


def _files_in(directory: Path) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            return sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
    except OSError:
        return []


def _ignored_patterns(root: Path) -> list[str]:
    try:
        with (root / _IGNORE_FILE).open(encoding="utf-8", errors="replace") as file:
            lines = file.read(_LONGEST_IGNORE_FILE).splitlines()
    except OSError:
        return []
    stripped = (line.strip() for line in lines)
    return [line for line in stripped if line and not line.startswith(("#", "!"))]


def _is_match(path: str, pattern: str) -> bool:
    """Find out whether a pattern is for a path, a directory above it, or files of its name."""
    plain = pattern.strip("/")
    if "/" in plain or pattern.startswith("/"):
        pattern_below = f"{plain}/*"
        return fnmatchcase(path, plain) or fnmatchcase(path, pattern_below)
    return any(fnmatchcase(part, plain) for part in path.split("/"))
