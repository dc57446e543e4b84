"""How many lines a file holds, and the digest of its bytes after each of them."""

import hashlib
from pathlib import Path

from goldwright.errors import DamagedStateError
from goldwright.records.seal import Seal
from goldwright.text import counted


class LineDigests:
    """Counts and digests the lines of one file as they are read and appended.

    The digest after every line is kept (about 110 bytes each), so that a seal taken earlier can be
    checked without reading the file again.
    """

    def __init__(self) -> None:
        """Start with an empty file."""
        self._hash = hashlib.sha256()
        # Index n holds the digest after n lines, so index 0 is that of the empty file.
        self._digests = [self._hash.hexdigest()]

    @property
    def seal(self) -> Seal:
        """The count and digest of everything added so far."""
        return self._seal_after(self._line_count)

    def add(self, line: bytes) -> None:
        """Count one line, given with its newline."""
        self._hash.update(line)
        self._digests.append(self._hash.hexdigest())

    def check(self, seal: Seal, *, path: Path, exact: bool) -> None:
        """Check that the file starts with the sealed lines, and with ``exact`` holds no others.

        Raises:
            DamagedStateError: It does not; the text names ``path``.
        """
        line_count = self._line_count
        if line_count < seal.count:
            raise DamagedStateError(
                f"{path}: truncated after it was sealed: {line_count} of {seal.count} records"
            )
        if self._seal_after(seal.count) != seal:
            raise DamagedStateError(
                f"{path}: changed after it was sealed with {counted(seal.count, 'record')}"
            )
        if exact and line_count > seal.count:
            raise DamagedStateError(
                f"{path}: holds {counted(line_count, 'record')}, but was sealed with {seal.count}"
            )

    @property
    def _line_count(self) -> int:
        return len(self._digests) - 1

    def _seal_after(self, count: int) -> Seal:
        return Seal(count=count, digest="sha256:" + self._digests[count])
