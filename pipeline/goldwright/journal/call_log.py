"""``calls.jsonl``: every call with its answer, each line chained to all before it.

A line is canonical JSON, ``{"b":12,…,"s":12,"t":"reply","h":"16 hex digits"}``: the fields of the
body with ``b`` and ``s`` (the number of the write and of the line, which are one here) and ``t``
(the kind), then ``h``, the first 64 bits of SHA-256 over the ``h`` before it, a newline and the
bytes before ``,"h":``. The ``h`` before the first is that of ``RUN``, a newline, ``calls`` and
another newline, so a line of another run or place does not fit.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from goldwright.canonical import canonical_json
from goldwright.errors import DamagedStateError, InputError
from goldwright.journal.json_lines import JsonLine, damage, read_file, split_lines
from goldwright.journal.line_digests import LineDigests
from goldwright.journal.line_file import LineFile, open_repaired
from goldwright.records.seal import Seal

SCHEMA = 1
LONGEST_LINE = 1 << 20
_HEADER = "hdr"
_FRAME = frozenset("bsth")
_END_LENGTH = len(',"h":"0123456789abcdef"}')


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One line: its number (the header is 0), its kind, and its fields without the frame."""

    sequence: int
    kind: str
    body: Mapping[str, object]


class CallEntryLog(Protocol):
    """Where entries on calls are kept: the file, or whatever stands in for it."""

    @property
    def entries(self) -> Sequence[CallEntry]:
        """Everything written so far, in order."""
        ...

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        """Write one entry durably."""
        ...


class CallLog:
    """The entries of one run in order, and the end at which one writer adds more.

    ``quarantined`` is where a last line went that was not written whole, if opening found one.
    """

    def __init__(self, path: Path, run: str) -> None:
        """Begin an empty chain with no writing end; use ``open``."""
        self.path = path
        self.run = run
        self.quarantined: Path | None = None
        self._entries: list[CallEntry] = []
        self._head = _link(f"{run}\ncalls", b"")
        self._tally = LineDigests()
        self._appender: LineFile | None = None

    @classmethod
    def open(cls, path: Path, run: str, *, writable: bool, sealed: Seal | None = None) -> Self:
        """Read and verify the file; for the writer, put right what a crash may have left at its
        end.

        A file that is not there is empty, and gets its header from the writer. A last line that was
        not written whole is set aside under ``quarantine/`` by the writer and ignored by a reader.
        With ``sealed``, a file that lacks sealed lines is refused before anything is changed.

        Raises:
            DamagedStateError: A line was changed, doubled, moved or taken out, or the file is of
                another run.
            InputError: The file cannot be opened, or a newer goldwright wrote it.
        """
        calls = cls(path, run)
        data = read_file(path)
        torn = calls._take(data)
        if sealed is not None:
            calls.check_seal(sealed, exact=False)
        if writable:
            calls._appender, calls.quarantined = open_repaired(path, data, torn)
            if not calls._entries:
                calls.append(_HEADER, {"schema": SCHEMA, "run": run, "file": "calls"})
        return calls

    @property
    def entries(self) -> Sequence[CallEntry]:
        """Every entry but the header, in order."""
        return self._entries[1:]

    @property
    def seal(self) -> Seal:
        """The count and digest of all lines, the header included."""
        return self._tally.seal

    def check_seal(self, seal: Seal, *, exact: bool) -> None:
        """Check that the sealed lines are all there, and with ``exact`` no others.

        Raises:
            DamagedStateError: They are not.
        """
        self._tally.check(seal, path=self.path, exact=exact)

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        """Add an entry and return once it is durable.

        Raises:
            ValueError: The body uses a name of the frame, holds NaN, or is longer than a line may
                be.
            InputError: There is no room on the disk.
            DamagedStateError: The disk failed, now or before.
        """
        if self._appender is None:
            raise InputError(f"{self.path}: was opened for reading")
        entry = CallEntry(len(self._entries), kind, dict(body))
        framed, head = _frame(entry, self._head)
        self._appender.append(framed + b"\n")
        self._count_in(entry, framed, head)
        return entry

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

    def _count_in(self, entry: CallEntry, line: bytes, head: str) -> None:
        self._entries.append(entry)
        self._head = head
        self._tally.add(line + b"\n")

    def _take(self, data: bytes) -> JsonLine | None:
        lines = list(split_lines(data))
        for line in lines:
            fields = _fields(line.body)
            if fields is None:
                # One write is one line, so a crash can spoil the last line and no other.
                if line.number < len(lines) or not line.is_torn:
                    raise damage(self.path, line, len(lines), "not a whole record")
                return line
            if not self._entries:
                _check_header(self.path, fields, self.run)
            if not self._follows(line.body, fields):
                raise damage(
                    self.path, line, len(lines), "it does not follow from the lines before it"
                )
        return None

    def _follows(self, line: bytes, fields: Mapping[str, object]) -> bool:
        number = len(self._entries)
        before = line[:-_END_LENGTH]
        head = _link(self._head, before)
        if line != _closed(before, head) or (fields.get("s"), fields.get("b")) != (number, number):
            return False
        body = {name: value for name, value in fields.items() if name not in _FRAME}
        self._count_in(CallEntry(number, str(fields.get("t")), body), line, head)
        return True


def _frame(entry: CallEntry, head: str) -> tuple[bytes, str]:
    if taken := _FRAME & entry.body.keys():
        raise ValueError(f"the names {sorted(taken)} belong to the frame of a line")
    fields = {**entry.body, "b": entry.sequence, "s": entry.sequence, "t": entry.kind}
    before = canonical_json(fields).encode("ascii").removesuffix(b"}")
    fresh = _link(head, before)
    line = _closed(before, fresh)
    if len(line) >= LONGEST_LINE:
        raise ValueError(f"a line of {len(line) + 1} bytes; the longest is {LONGEST_LINE}")
    return line, fresh


def _link(head: str, before: bytes) -> str:
    return hashlib.sha256(head.encode() + b"\n" + before).hexdigest()[:16]


def _closed(before: bytes, head: str) -> bytes:
    return before + b',"h":"' + head.encode("ascii") + b'"}'


def _fields(line: bytes) -> dict[str, object] | None:
    # Only the shape is read here; the chain vouches for every byte.
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _check_header(path: Path, fields: Mapping[str, object], run: str) -> None:
    schema = fields.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise InputError(
            f"{path}: written by a newer goldwright (schema {schema}; this one reads {SCHEMA})"
        )
    if fields.get("t") == _HEADER and fields.get("run") != run:
        raise DamagedStateError(f"{path}: belongs to the run {fields.get('run')}, not to {run}")
