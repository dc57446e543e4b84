"""A stage file: plain records, one per line, as people and ``jq`` read them."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from goldwright.errors import InputError
from goldwright.journal.json_lines import JsonLine, damage, parse_record, read_file, split_lines
from goldwright.journal.line_digests import LineDigests
from goldwright.journal.line_file import LineFile, open_repaired
from goldwright.records import Record
from goldwright.records.seal import Seal

R = TypeVar("R", bound=Record)


class StageFile(Generic[R]):
    """The records of one file in insertion order, and the end at which one writer adds more.

    ``quarantined`` is where a last line went that was not written whole, if opening found one.
    """

    def __init__(self, path: Path, model: type[R]) -> None:
        """Begin with no record and no writing end; use ``open``."""
        self.path = path
        self.model = model
        self.quarantined: Path | None = None
        self._records: list[R] = []
        self._tally = LineDigests()
        self._appender: LineFile | None = None

    @classmethod
    def open(
        cls, path: Path, model: type[R], *, writable: bool, sealed: Seal | None = None
    ) -> Self:
        """Read a stage file; for the writer, put right what a crash may have left at its end.

        A file that is not there is empty, and is created for the writer. A last line that was not
        written whole is set aside under ``quarantine/`` by the writer and ignored by a reader. With
        ``sealed``, a file that lacks sealed records is refused before anything is changed.

        Raises:
            DamagedStateError: A line that was written whole is no longer what was written.
            InputError: The file cannot be opened.
        """
        stage = cls(path, model)
        data = read_file(path)
        torn = stage._take(data)
        if sealed is not None:
            stage.check_seal(sealed, exact=False)
        if writable:
            stage._appender, stage.quarantined = open_repaired(path, data, torn)
        return stage

    @property
    def records(self) -> Sequence[R]:
        """Every record of the file, in insertion order; it grows with each append."""
        return self._records

    @property
    def seal(self) -> Seal:
        """The count and digest of what the file holds now."""
        return self._tally.seal

    def check_seal(self, seal: Seal, *, exact: bool) -> None:
        """Check that the file holds the sealed records, and with ``exact`` no others.

        Raises:
            DamagedStateError: It does not.
        """
        self._tally.check(seal, path=self.path, exact=exact)

    def append(self, record: R) -> None:
        """Add a record and return once it is durable.

        Raises:
            InputError: The record could not be read again (it holds NaN, say), or there is no room
                on the disk.
            DamagedStateError: The disk failed, now or before.
        """
        if self._appender is None:
            raise InputError(f"{self.path}: was opened for reading")
        body = record.as_json().encode("ascii")
        parse_record(body, self.model)
        line = body + b"\n"
        self._appender.append(line)
        self._records.append(record)
        self._tally.add(line)

    def close(self) -> None:
        """Close the writing end; closing twice is no error."""
        if self._appender is not None:
            self._appender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _take(self, data: bytes) -> JsonLine | None:
        lines = list(split_lines(data))
        for line in lines:
            try:
                self._records.append(parse_record(line.body, self.model))
            except InputError as error:
                # One write is one line, so a crash can spoil the last line and no other.
                if line.number < len(lines) or not line.is_torn:
                    raise damage(self.path, line, len(lines), str(error)) from error
                return line
            self._tally.add(line.body + b"\n")
        return None
