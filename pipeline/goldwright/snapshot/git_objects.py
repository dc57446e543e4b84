"""Reading the tree and the blobs of one commit from a mirror, by object id alone."""

import re
import select
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Final, Self

from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot.entities import FileEntry, FileKind
from goldwright.snapshot.git import Process, end, on_mirror, start_on_mirror

LARGE: Final = 2 * 1024 * 1024
MOST_ENTRIES: Final = 200_000
MOST_TREE_BYTES: Final = 256 * 1024 * 1024
MOST_SECONDS: Final = 30.0
SNIFFED: Final = 8192

_OID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_AHEAD: Final = 400  # requests of 65 bytes at most stay below a pipe's 64 KiB, so neither side can block the other
_BINARY_SUFFIXES: Final = frozenset(
    """
    .7z .a .avi .avif .bin .bmp .bz2 .class .db .dll .dmg .doc .docx .dylib .eot .exe .flac .gif .gz .ico .jar .jpeg
    .jpg .lib .lz4 .mo .mov .mp3 .mp4 .npy .npz .o .obj .odt .ogg .otf .parquet .pdf .pickle .pkl .png .ppt .pptx
    .pyc .pyd .pyo .rar .so .sqlite .sqlite3 .tar .tgz .tif .tiff .ttf .wasm .wav .webm .webp .whl .woff .woff2 .xls
    .xlsx .xz .zip .zst
    """.split()
)
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")
_LONGEST_NAME: Final = 255


def is_binary(data: bytes) -> bool:
    """Tell by a NUL in its first 8 KiB whether content is no text, as git does."""
    return b"\0" in data[:SNIFFED]


class ObjectStore:
    """The files of one commit of a mirror; close it, or use it in ``with``.

    A file's kind is decided by mode, name and size. That a name without a telling suffix holds
    binary content shows only when it is read: then ``is_binary`` says so, and no tree is read just
    to find out.
    """

    def __init__(self, mirror: Path, commit: str) -> None:
        self._mirror = mirror
        self._commit = checked_oid(commit)
        self._process: Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads objects; the next read starts another."""
        if self._process is not None:
            end(self._process)
            self._process = None

    def entries(self) -> tuple[FileEntry, ...]:
        """List the whole tree, sorted by path.

        Raises:
            InputError: It has more than 200,000 files, or listing it takes over 30 seconds.
            DamagedStateError: The mirror does not hold the commit.
        """
        listing = ["ls-tree", "-r", "-z", "--full-tree", "-l", self._commit]
        found: list[FileEntry] = []
        with on_mirror(self._mirror, listing) as process:
            for record in _records(_pipe(process.stdout)):
                found.append(_entry(record))
                if len(found) > MOST_ENTRIES:
                    raise InputError(
                        f"{self._commit[:12]}: has over {MOST_ENTRIES:,} files; give a smaller codebase"
                    )
            if process.wait() != 0:
                raise DamagedStateError(f"{self._mirror}: does not hold commit {self._commit[:12]}")
        found.sort(key=lambda entry: entry.path)
        return tuple(found)

    def tree(self) -> str:
        """Name the tree of the commit."""
        head = self.read(self._commit)[:69].partition(b"\n")[0].decode("ascii", "replace")
        if not head.startswith("tree "):
            raise DamagedStateError(f"{self._mirror}: {self._commit[:12]} is no commit")
        return checked_oid(head.removeprefix("tree "))

    def read(self, oid: str) -> bytes:
        """Read one object.

        Raises:
            DamagedStateError: The mirror does not hold it, or git died.
        """
        for _, data in self.read_many((oid,)):
            return data
        raise DamagedStateError(f"{self._mirror}: object {oid} was not read")

    def read_many(self, oids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Read objects in the given order, asking ahead of reading; one such reading at a time.

        Raises:
            DamagedStateError: The mirror does not hold one of them, or git died.
        """
        waiting = deque(map(checked_oid, oids))
        asked: deque[str] = deque()
        process = self._reader()
        try:
            while waiting or asked:
                if len(asked) <= _AHEAD // 2:
                    batch = [
                        waiting.popleft() for _ in range(min(_AHEAD - len(asked), len(waiting)))
                    ]
                    asked.extend(batch)
                    _ask(_pipe(process.stdin), batch)
                oid = asked[0]
                data = self._reply(oid, process)
                asked.popleft()
                yield oid, data
        except OSError as error:
            raise DamagedStateError(f"{self._mirror}: git ended while it read objects") from error
        finally:
            if asked:
                self.close()

    def _reader(self) -> Process:
        if self._process is None:
            self._process = start_on_mirror(self._mirror, ["cat-file", "--batch"], reads_stdin=True)
        return self._process

    def _reply(self, oid: str, process: Process) -> bytes:
        stream = _pipe(process.stdout)
        header = stream.readline(200).split()
        if len(header) != 3 or header[0].decode("ascii", "replace") != oid:
            said = b" ".join(header).decode("ascii", "replace") or "git ended"
            raise DamagedStateError(f"{self._mirror}: object {oid} cannot be read ({said})")
        size = int(header[2])
        data = stream.read(size + 1)
        if len(data) != size + 1:
            raise DamagedStateError(f"{self._mirror}: git ended in the middle of object {oid}")
        return data[:-1]


def _ask(stream: IO[bytes], oids: Iterable[str]) -> None:
    stream.write("".join(f"{oid}\n" for oid in oids).encode("ascii"))
    stream.flush()


def _records(stream: IO[bytes]) -> Iterator[bytes]:
    """Split a stream at its NULs, within the limits of time and size."""
    deadline = time.monotonic() + MOST_SECONDS
    rest, total = b"", 0
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or total > MOST_TREE_BYTES or not select.select([stream], [], [], left)[0]:
            raise InputError(
                f"the tree takes over {MOST_SECONDS:.0f} s or 256 MiB to list; give a smaller codebase"
            )
        chunk = stream.read1(1 << 18)  # type: ignore[attr-defined]  # the pipe is a BufferedReader
        if not chunk:
            return
        total += len(chunk)
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def _entry(record: bytes) -> FileEntry:
    head, _, name = record.partition(b"\t")
    mode, _, oid, size = head.split()
    path = name.decode("utf-8", "backslashreplace")
    length = 0 if size == b"-" else int(size)
    return FileEntry(path, oid.decode("ascii"), length, _kind(mode, name, path, length))


def _kind(mode: bytes, name: bytes, path: str, size: int) -> FileKind:
    if not _is_safe(name, path):
        return "unsafe_name"
    if mode == b"120000":
        return "symlink"
    if mode == b"160000":
        return "submodule"
    if size > LARGE:
        return "large"
    return "binary" if PurePosixPath(path).suffix.lower() in _BINARY_SUFFIXES else "text"


def _is_safe(name: bytes, path: str) -> bool:
    """Tell whether a path is plain UTF-8 that leads nowhere but down."""
    if path.encode("utf-8") != name or _CONTROL.search(path):
        return False
    if (
        path.isascii()
        and "/." not in path
        and not path.startswith((".", "/"))
        and len(path) <= _LONGEST_NAME
    ):
        return True
    parts = name.split(b"/")
    return all(
        part and len(part) <= _LONGEST_NAME and part.lower() not in {b".", b"..", b".git"}
        for part in parts
    )


def checked_oid(oid: str) -> str:
    """Give an object id back, or refuse what is none: nothing else may reach git as a name.

    Raises:
        InputError: It is not 40 or 64 hexadecimal digits.
    """
    if not _OID.fullmatch(oid):
        raise InputError(f"{oid[:80]!r}: is no object id")
    return oid


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise DamagedStateError("git was started without a pipe")
    return stream
