"""``calls.jsonl``: every call of a run with its answer, in lines that are chained by hashes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, Self

from goldwright.errors import DamagedStateError, InputError
from goldwright.journal.call_chain import (
    CallEntry,
    ChainedLine,
    decode_entry,
    encode_entry,
    first_hash,
    parse_fields,
    verify_line,
)
from goldwright.journal.json_lines import JsonLine, damage_error, read_file, split_lines
from goldwright.journal.sealable_file import SealableFile
from goldwright.records.seal import Seal

# Raised when an older program could no longer read the file.
SCHEMA: Final = 1
_HEADER: Final = "hdr"
_INTENT: Final = "intent"
# A reply is a line of 1 MiB at most, and a run that is not told otherwise has fewer calls under way
# than this holds.
ROOM_FOR_REPLIES: Final = 16 << 20


class CallEntryLog(Protocol):
    """Where entries about calls are kept: the file, or a stand-in for it."""

    @property
    def entries(self) -> Sequence[CallEntry]:
        """Everything written so far, in order."""
        ...

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        """Write one entry durably."""
        ...


class CallLog(SealableFile):
    """The entries of one run in order, to which one writer appends."""

    def __init__(self, path: Path, run: str) -> None:
        """Start an empty chain without a writing end; use ``open``."""
        super().__init__(path)
        self.run = run
        self._entries: list[CallEntry] = []
        self._last_hash = first_hash(run)

    @classmethod
    def open(cls, path: Path, run: str, *, writable: bool, sealed: Seal | None = None) -> Self:
        """Read and verify the file; the writer also repairs what a crash may have left at its end.

        A missing file counts as empty, and gets its header from the writer. The writer moves a torn
        last line to ``quarantine/``; a reader ignores it. With ``sealed``, a file that lacks sealed
        lines is refused before anything is changed.

        Raises:
            DamagedStateError: A line was changed, doubled, moved or removed, or the file belongs to
                another run.
            InputError: The file cannot be opened, or a newer goldwright wrote it.
        """
        calls = cls(path, run)
        data = read_file(path)
        torn_line = calls._read_lines(data)
        if sealed is not None:
            calls.check_seal(sealed, exact=False)
        if writable:
            calls._open_for_writing(data, torn_line)
            # The header may be the line that a crash tore, so emptiness is judged after repair.
            if not calls._entries:
                calls.append(_HEADER, {"schema": SCHEMA, "run": run, "file": "calls"})
        return calls

    @property
    def entries(self) -> Sequence[CallEntry]:
        """Every entry but the header, in order."""
        return self._entries[1:]

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        """Add an entry and return once it is durable.

        Raises:
            ValueError: The body uses a name of the frame, holds NaN, or makes a line over 1 MiB.
            InputError: The file was opened for reading, or the disk is full; it counts as full for
                an intent already where the replies to all calls under way might find no room.
            DamagedStateError: The disk failed, now or earlier.
        """
        if kind == _INTENT:
            # What is asked next is paid for, and would be lost if its reply could not be kept.
            self._require_room(ROOM_FOR_REPLIES)
        entry = CallEntry(len(self._entries), kind, dict(body))
        line = encode_entry(entry, previous_hash=self._last_hash)
        self._append_line(line.data + b"\n")
        self._add_to_chain(entry, line)
        return entry

    def _add_to_chain(self, entry: CallEntry, line: ChainedLine) -> None:
        self._entries.append(entry)
        self._last_hash = line.hash

    def _read_lines(self, data: bytes) -> JsonLine | None:
        """Verify every line; return the last one where a crash tore it."""
        lines = list(split_lines(data))
        for line in lines:
            fields = parse_fields(line.body)
            if fields is None:
                # One write is one line, so a crash can spoil the last line and no other.
                is_last = line.number == len(lines)
                if is_last and line.is_torn:
                    return line
                raise damage_error(self.path, line, len(lines), "not a whole record")
            if not self._entries:
                _check_header(self.path, fields, self.run)
            if not self._accept(line.body, fields):
                problem = "it does not follow from the lines before it"
                raise damage_error(self.path, line, len(lines), problem)
        return None

    def _accept(self, data: bytes, fields: Mapping[str, object]) -> bool:
        number = len(self._entries)
        line = verify_line(data, fields, number=number, previous_hash=self._last_hash)
        if line is None:
            return False
        self._digests.add(data + b"\n")
        self._add_to_chain(decode_entry(fields, number=number), line)
        return True


def run_of_call_log(path: Path) -> str:
    """Give the run that the file of a log says it belongs to; empty where it says nothing."""
    for line in split_lines(read_file(path)):
        fields = parse_fields(line.body) or {}
        return str(fields.get("run", ""))
    return ""


def _check_header(path: Path, fields: Mapping[str, object], run: str) -> None:
    """Name a newer program or another run, which the chain alone would call damage."""
    schema = fields.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        versions = f"(schema {schema}; this one reads {SCHEMA})"
        raise InputError(f"{path}: written by a newer goldwright {versions}")
    owner = fields.get("run")
    if fields.get("t") == _HEADER and owner != run:
        raise DamagedStateError(f"{path}: belongs to the run {owner}, not to {run}")
