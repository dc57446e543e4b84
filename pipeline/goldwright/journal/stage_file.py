"""A stage file: plain records, one per line, as people and ``jq`` read them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Generic, Self, TypeVar

from goldwright.errors import InputError
from goldwright.journal.json_lines import (
    JsonLine,
    damage_error,
    parse_record,
    read_file,
    split_lines,
)
from goldwright.journal.sealable_file import SealableFile
from goldwright.records import Record
from goldwright.records.seal import Seal

RecordType = TypeVar("RecordType", bound=Record)


class StageFile(SealableFile, Generic[RecordType]):
    """The records of one file in insertion order, to which one writer appends."""

    def __init__(self, path: Path, model: type[RecordType]) -> None:
        """Start without records and without a writing end; use ``open``."""
        super().__init__(path)
        self.model = model
        self._records: list[RecordType] = []

    @classmethod
    def open(
        cls, path: Path, model: type[RecordType], *, writable: bool, sealed: Seal | None = None
    ) -> Self:
        """Read a stage file; the writer also repairs what a crash may have left at its end.

        A missing file counts as empty, and is created for the writer. The writer moves a torn last
        line to ``quarantine/``; a reader ignores it. With ``sealed``, a file that lacks sealed
        records is refused before anything is changed.

        Raises:
            DamagedStateError: A line that was written whole is no longer what was written.
            InputError: The file cannot be opened.
        """
        stage_file = cls(path, model)
        data = read_file(path)
        torn_line = stage_file._read_lines(data)
        if sealed is not None:
            stage_file.check_seal(sealed, exact=False)
        if writable:
            stage_file._open_for_writing(data, torn_line)
        return stage_file

    @property
    def records(self) -> Sequence[RecordType]:
        """Every record of the file, in insertion order; it grows with each append."""
        return self._records

    def append(self, record: RecordType) -> None:
        """Add a record and return once it is durable.

        Raises:
            InputError: The record could not be read again (it holds NaN, say), the file was opened
                for reading, or the disk is full.
            DamagedStateError: The disk failed, now or earlier.
        """
        body = record.as_json().encode("ascii")
        parse_record(body, self.model)
        self._append_line(body + b"\n")
        self._records.append(record)

    def _read_lines(self, data: bytes) -> JsonLine | None:
        """Parse every line; return the last one where a crash tore it."""
        lines = list(split_lines(data))
        for line in lines:
            try:
                record = parse_record(line.body, self.model)
            except InputError as error:
                # One write is one line, so a crash can spoil the last line and no other.
                is_last = line.number == len(lines)
                if is_last and line.is_torn:
                    return line
                raise damage_error(self.path, line, len(lines), str(error)) from error
            self._records.append(record)
            self._digests.add(line.body + b"\n")
        return None
