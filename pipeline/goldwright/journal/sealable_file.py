"""What the files of a run have in common: one writer at the end, and a seal over all lines."""

from pathlib import Path
from typing import Self

from goldwright.errors import InputError
from goldwright.journal.append_only_file import AppendOnlyFile, open_repaired
from goldwright.journal.json_lines import JsonLine
from goldwright.journal.line_digests import LineDigests
from goldwright.records.seal import Seal


class SealableFile:
    """A file of a run that is read whole, appended to by one writer, and sealed.

    Attributes:
        path: Where the file lies.
        quarantined: Where a torn last line was moved when the file was opened, if there was one.
    """

    def __init__(self, path: Path) -> None:
        """Start with no lines and without a writing end."""
        self.path = path
        self.quarantined: Path | None = None
        self._digests = LineDigests()
        self._append_only_file: AppendOnlyFile | None = None

    @property
    def seal(self) -> Seal:
        """The count and digest of all lines that the file holds now."""
        return self._digests.seal

    def check_seal(self, seal: Seal, *, exact: bool) -> None:
        """Check that the file starts with the sealed lines, and with ``exact`` holds no others.

        Raises:
            DamagedStateError: It does not.
        """
        self._digests.check(seal, path=self.path, exact=exact)

    def close(self) -> None:
        """Close the writing end; closing twice is no error."""
        if self._append_only_file is not None:
            self._append_only_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _open_for_writing(self, data: bytes, torn_line: JsonLine | None) -> None:
        repaired = open_repaired(self.path, data, torn_line)
        self._append_only_file = repaired.append_only_file
        self.quarantined = repaired.quarantined

    def _require_room(self, byte_count: int) -> None:
        """Make sure that there is room for lines that will have to be written."""
        if self._append_only_file is not None:
            self._append_only_file.require_room(byte_count)

    def _append_line(self, line: bytes) -> None:
        """Write one line, given with its newline, and count it once it is durable."""
        if self._append_only_file is None:
            raise InputError(f"{self.path}: was opened for reading")
        self._append_only_file.append(line)
        self._digests.add(line)
