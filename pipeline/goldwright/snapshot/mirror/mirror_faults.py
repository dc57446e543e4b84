"""Looking whether a mirror is still what we made, before git reads it.

It lies in a cache: disks flip bits, cleaners take files, and what a build system restored may have
been packed by somebody else. Whatever is found, the mirror is made again.
"""

import os
import stat
from pathlib import Path
from typing import Final

from goldwright.snapshot.git.git_directory import GitDirectory, find_trap
from goldwright.snapshot.git.object_ids import ObjectFormat
from goldwright.snapshot.plain_files import read_plain_file

_MOST_CONFIG_BYTES: Final = 4096
HEAD: Final = b"ref: refs/heads/main\n"
# By these a mirror would take objects or history from elsewhere; we never write them.
_NEVER_OURS: Final = ("objects/info/alternates", "info/grafts", "commondir", "config.worktree")
_OTHERS_MAY_WRITE: Final = stat.S_IWOTH


def mirror_config(object_format: ObjectFormat) -> bytes:
    """Give the whole configuration of a mirror."""
    version = 0 if object_format == "sha1" else 1
    lines = ["[core]", f"\trepositoryformatversion = {version}"]
    lines += ["\tfilemode = true", "\tbare = true"]
    if object_format != "sha1":
        lines += ["[extensions]", f"\tobjectformat = {object_format}"]
    text = "\n".join(lines) + "\n"
    return text.encode("ascii")


def find_fault(
    mirror: Path, object_format: ObjectFormat, *, may_be_shallow: bool = True
) -> str | None:
    """Find what is wrong with a mirror; None where nothing is, as far as one can see.

    Args:
        mirror: Where it stands.
        object_format: How its objects are named.
        may_be_shallow: Whether the codebase's own history is cut off.
    """
    try:
        status = mirror.lstat()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if not stat.S_ISDIR(status.st_mode):
        return "is no directory"
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & _OTHERS_MAY_WRITE:
        return "may be written by everybody"
    fault = _file_fault(mirror, object_format)
    if fault is None and not may_be_shallow and os.path.lexists(mirror / "shallow"):
        return "lacks history that the codebase has"
    return fault


def find_halved_pack(mirror: Path, *, is_locked: bool) -> str | None:
    """Find a pack of a mirror without its index, or an index without its pack.

    Git puts the pack in place first. So the index may be on its way, unless nobody writes.
    """
    directory = mirror / "objects" / "pack"
    packs = {path.stem for path in directory.glob("*.pack")}
    indexes = {path.stem for path in directory.glob("*.idx")}
    if indexes - packs:
        return "lacks a pack"
    if is_locked and packs - indexes:
        return "lacks the index of a pack"
    return None


def _file_fault(mirror: Path, object_format: ObjectFormat) -> str | None:
    for name in ("objects", "refs"):
        if not stat.S_ISDIR(_mode(mirror / name)):
            return f"has no {name}"
    for name, content in (("config", mirror_config(object_format)), ("HEAD", HEAD)):
        if read_plain_file(mirror / name, most_bytes=_MOST_CONFIG_BYTES) != content:
            return f"has a {name} that is not ours"
    for name in _NEVER_OURS:
        if os.path.lexists(mirror / name):
            return f"has a file that is not ours ({name})"
    return find_trap(GitDirectory(mirror, mirror))


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0
