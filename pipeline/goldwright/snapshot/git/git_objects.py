"""Reading the blobs of one commit from a mirror, by object id alone."""

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Final, Self

from goldwright.errors import DamagedStateError
from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.git.git_process import Process, end, start_on_mirror
from goldwright.snapshot.git.git_tree import TreeListing, list_tree
from goldwright.snapshot.git.object_ids import check_object_id, format_of, object_id_of

SNIFFED_BYTES: Final = 8192

# Requests of 65 bytes at most stay below a pipe's 64 KiB, so neither side can block the other.
_MOST_REQUESTS: Final = 400
# ``oid type size`` of an object.
_LONGEST_HEADER: Final = 200
# ``tree `` and an object id of 64 digits.
_TREE_LINE_BYTES: Final = 69


def is_binary(data: bytes) -> bool:
    """Tell by a NUL in its first 8 KiB whether content is no text, as git does."""
    return b"\0" in data[:SNIFFED_BYTES]


class ObjectStore:
    """The files of one commit of a mirror; close it, or use it in ``with``.

    A file's kind is decided by mode, name and size. That a name without a known suffix holds
    binary content shows only when it is read: ``is_binary`` tells then, and no tree is read just
    to find out.

    Attributes:
        mirror: The mirror.
    """

    def __init__(self, mirror: Path, commit: str) -> None:
        self.mirror = mirror
        self._commit = check_object_id(commit)
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
        """List the files of the whole tree, sorted by path; as ``listing``."""
        return self.listing().entries

    def listing(self) -> TreeListing:
        """List the whole tree, its files sorted by path.

        Raises:
            InputError: It has more than 200,000 files, or listing it takes over 30 seconds.
            DamagedStateError: The mirror does not hold the commit.
        """
        return list_tree(self.mirror, self._commit)

    def tree(self) -> str:
        """Give the id of the tree of the commit."""
        beginning = self.read(self._commit)[:_TREE_LINE_BYTES]
        content = beginning.decode("ascii", "replace")
        first_line = content.partition("\n")[0]
        if not first_line.startswith("tree "):
            short_commit = self._commit[:12]
            raise DamagedStateError(f"{self.mirror}: {short_commit} is no commit")
        return check_object_id(first_line.removeprefix("tree "))

    def read(self, oid: str) -> bytes:
        """Read one object.

        Raises:
            DamagedStateError: The mirror does not hold it, or git died.
        """
        for _, data in self.read_many((oid,)):
            return data
        raise DamagedStateError(f"{self.mirror}: object {oid} was not read")

    def read_many(self, oids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Read objects in the given order, requesting ahead; one such reading at a time.

        Raises:
            DamagedStateError: The mirror does not hold one of them, or git died.
        """
        waiting = deque(map(check_object_id, oids))
        requested: deque[str] = deque()
        process = self._reader()
        try:
            while waiting or requested:
                # Refilled at half, so that git always has something to do.
                if len(requested) <= _MOST_REQUESTS // 2:
                    _request_more(process, waiting, requested)
                oid = requested[0]
                data = self._reply(oid, process)
                requested.popleft()
                yield oid, data
        except OSError as error:
            raise DamagedStateError(f"{self.mirror}: git ended while it read objects") from error
        finally:
            # Replies that nobody takes would answer the requests of the next reading.
            if requested:
                self.close()

    def _reader(self) -> Process:
        if self._process is None:
            command = ["cat-file", "--batch"]
            self._process = start_on_mirror(self.mirror, command, reads_stdin=True)
        return self._process

    def _reply(self, oid: str, process: Process) -> bytes:
        stream = _require_pipe(process.stdout)
        header = stream.readline(_LONGEST_HEADER).decode("ascii", "replace")
        fields = header.split()
        if len(fields) != 3 or fields[0] != oid:
            reason = " ".join(fields) or "git ended"
            raise DamagedStateError(f"{self.mirror}: object {oid} cannot be read ({reason})")
        size = int(fields[2])
        # A line feed follows the content.
        data = stream.read(size + 1)
        if len(data) != size + 1:
            raise DamagedStateError(f"{self.mirror}: git ended in the middle of object {oid}")
        content = data[:-1]
        # Git compares an object with its name only when it receives one.
        if object_id_of(content, fields[1], object_format=format_of(oid)) != oid:
            raise DamagedStateError(f"{self.mirror}: object {oid} is not what its name says")
        return content


def _request_more(process: Process, waiting: deque[str], requested: deque[str]) -> None:
    """Request objects that wait, as many as may be under way at once."""
    lines: list[str] = []
    while waiting and len(requested) < _MOST_REQUESTS:
        oid = waiting.popleft()
        requested.append(oid)
        lines.append(f"{oid}\n")
    request = "".join(lines)
    stream = _require_pipe(process.stdin)
    stream.write(request.encode("ascii"))
    stream.flush()


def _require_pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise DamagedStateError("git was started without a pipe")
    return stream
