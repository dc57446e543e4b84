"""Listing the files of one commit of a mirror, with what each of them is."""

import re
import select
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import IO, Final

from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot.entities import FileEntry, FileKind
from goldwright.snapshot.git.git_process import on_mirror
from goldwright.snapshot.size_limits import (
    LARGEST_TEXT_FILE,
    MOST_ENTRIES,
    MOST_TREE_BYTES,
    MOST_TREE_SECONDS,
)

_SYMLINK_MODE: Final = b"120000"
_SUBMODULE_MODE: Final = b"160000"
_DIRECTORY_MODE: Final = b"040000 "
_CHUNK_BYTES: Final = 1 << 18
_LONGEST_NAME: Final = 255
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")
_FORBIDDEN_PARTS: Final = frozenset({b".", b"..", b".git"})
_BINARY_SUFFIXES: Final = frozenset(
    """
    .7z .a .avi .avif .bin .bmp .bz2 .class .db .dll .dmg .doc .docx .dylib .eot .exe .flac .gif .gz
    .ico .jar .jpeg .jpg .lib .lz4 .mo .mov .mp3 .mp4 .npy .npz .o .obj .odt .ogg .otf .parquet .pdf
    .pickle .pkl .png .ppt .pptx .pyc .pyd .pyo .rar .so .sqlite .sqlite3 .tar .tgz .tif .tiff .ttf
    .wasm .wav .webm .webp .whl .woff .woff2 .xls .xlsx .xz .zip .zst
    """.split()
)


@dataclass(frozen=True, slots=True)
class TreeListing:
    """The tree of a commit.

    Attributes:
        entries: Its files, sorted by path.
        directories: The object ids of the directories below the root, by path.
    """

    entries: tuple[FileEntry, ...]
    directories: Mapping[str, str]


def list_tree(mirror: Path, commit: str) -> TreeListing:
    """List the whole tree of a commit.

    Raises:
        InputError: It has more than 200,000 files, or listing it takes over 30 seconds.
        DamagedStateError: The mirror does not hold the commit.
    """
    short_commit = commit[:12]
    listing = ["ls-tree", "-r", "-t", "-z", "--full-tree", "-l", commit]
    entries: list[FileEntry] = []
    directories: dict[str, str] = {}
    with on_mirror(mirror, listing) as process:
        if process.stdout is None:
            raise DamagedStateError("git was started without a pipe")
        for record in _records(process.stdout):
            if record.startswith(_DIRECTORY_MODE):
                path, oid = _read_directory(record)
                directories[path] = oid
            else:
                entries.append(_read_entry(record))
            if max(len(entries), len(directories)) > MOST_ENTRIES:
                raise InputError(
                    f"{short_commit}: has over {MOST_ENTRIES:,} files; give a smaller codebase"
                )
        if process.wait() != 0:
            raise DamagedStateError(f"{mirror}: does not hold commit {short_commit}")
    # Git sorts by bytes, and a directory as if its name ended in a slash.
    return TreeListing(tuple(sorted(entries, key=attrgetter("path"))), directories)


def _records(stream: IO[bytes]) -> Iterator[bytes]:
    """Split a stream at its NULs, within the limits of time and size."""
    deadline = time.monotonic() + MOST_TREE_SECONDS
    total = 0
    incomplete = b""
    while True:
        if total > MOST_TREE_BYTES or not _wait_for_data(stream, deadline):
            raise InputError(
                f"the tree takes over {MOST_TREE_SECONDS:.0f} s or 256 MiB to list; "
                "give a smaller codebase"
            )
        chunk = stream.read1(_CHUNK_BYTES)  # type: ignore[attr-defined]  # a BufferedReader
        if not chunk:
            return
        total += len(chunk)
        *records, incomplete = (incomplete + chunk).split(b"\0")
        yield from records


def _wait_for_data(stream: IO[bytes], deadline: float) -> bool:
    """Wait until a stream has data or ends; False when the deadline passes first."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        return False
    ready = select.select([stream], [], [], seconds)
    return stream in ready[0]


def _read_directory(record: bytes) -> tuple[str, str]:
    head, _, name = record.partition(b"\t")
    oid = head.split()[2]
    return name.decode("utf-8", "backslashreplace"), oid.decode("ascii")


def _read_entry(record: bytes) -> FileEntry:
    head, _, name = record.partition(b"\t")
    mode, _, oid, size = head.split()
    # A name that is no UTF-8 can be shown, but it is unsafe and never opened.
    path = name.decode("utf-8", "backslashreplace")
    # The commit of a submodule is not in the mirror, so it has no size.
    length = 0 if size == b"-" else int(size)
    kind = _kind(mode, name, path, length)
    return FileEntry(path, oid.decode("ascii"), length, kind)


def _kind(mode: bytes, name: bytes, path: str, size: int) -> FileKind:
    if not _is_safe(name, path):
        return "unsafe_name"
    if mode == _SYMLINK_MODE:
        return "symlink"
    if mode == _SUBMODULE_MODE:
        return "submodule"
    if size > LARGEST_TEXT_FILE:
        return "large"
    if PurePosixPath(path).suffix.lower() in _BINARY_SUFFIXES:
        return "binary"
    return "text"


def _is_safe(name: bytes, path: str) -> bool:
    """Return whether a path is plain UTF-8 that leads nowhere but down."""
    if path.encode("utf-8") != name or _CONTROL.search(path):
        return False
    if _is_plainly_safe(path):
        return True
    return all(map(_is_safe_part, name.split(b"/")))


def _is_plainly_safe(path: str) -> bool:
    """Spare nearly all paths the look at each of their parts."""
    if len(path) > _LONGEST_NAME or not path.isascii():
        return False
    if path.startswith((".", "/")):
        return False
    return "/." not in path


def _is_safe_part(part: bytes) -> bool:
    if not 0 < len(part) <= _LONGEST_NAME:
        return False
    return part.lower() not in _FORBIDDEN_PARTS
