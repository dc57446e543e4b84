"""``human_reviews.jsonl``: review events, one a line, written by one process for each reviewer.

A writer takes its turn: it locks the file, reads what others wrote since, and adds one line, which
is durable when the turn ends. Each line holds a digest of itself and of all lines before it, so a
line that was doubled, changed, or removed from before another is noticed. That the last lines are
missing can be seen from the metadata of a published version alone.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from pydantic import TypeAdapter, ValidationError

from goldwright.canonical import digest_bytes
from goldwright.errors import DamagedStateError, InputError
from goldwright.journal.append_only_file import AppendOnlyFile
from goldwright.journal.json_lines import (
    JsonLine,
    check_is_object,
    damage_error,
    read_file,
    split_lines,
)
from goldwright.records import AnyReviewEvent
from goldwright.records.validation_problems import first_validation_problem
from goldwright.strict_json import strict_object

# A turn takes milliseconds, so a lock that is held for longer belongs to a process that hangs.
LOCK_TIMEOUT_SECONDS: Final = 5.0
_EVENT_ADAPTER: Final[TypeAdapter[AnyReviewEvent]] = TypeAdapter(AnyReviewEvent)

EventFactory = Callable[[int], AnyReviewEvent]
EventWriter = Callable[[EventFactory], AnyReviewEvent]


class ReviewLog:
    """Every event so far, to which this process adds more in its turns."""

    def __init__(self, path: Path, *, lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> None:
        """Start without reading anything; nothing is created before the first turn."""
        self.path = path
        self._lock_timeout_seconds = lock_timeout_seconds
        self._events: list[AnyReviewEvent] = []
        self._events_by_key: dict[str, AnyReviewEvent] = {}
        self._bytes_read = 0
        self._last_chain = ""
        self._synced_count = 0
        self._is_closed = False
        self._append_only_file: AppendOnlyFile | None = None

    @property
    def events(self) -> Sequence[AnyReviewEvent]:
        """The events that were read or written so far, in the order of the file."""
        return self._events

    def find(self, key: str) -> AnyReviewEvent | None:
        """Find the event that was requested with a key."""
        return self._events_by_key.get(key)

    def refresh(self) -> bool:
        """Read what was added since; a last line that is not whole yet is left for later.

        Returns:
            Whether there were new events.

        Raises:
            DamagedStateError: A line is not what was written.
            InputError: The file cannot be read.
        """
        count_before = len(self._events)
        self._read_new_lines(read_file(self.path))
        return len(self._events) > count_before

    @contextmanager
    def turn(self) -> Iterator[EventWriter]:
        """Hold the file while the block runs, with everything read that others wrote.

        Yields:
            A function that writes one event and returns it once it is durable. Its argument makes
            the event from the number of its line.

        Raises:
            BusyError: Another process does not release its lock on the file.
            DamagedStateError: A line is not what was written, or the disk failed.
            InputError: The file cannot be written, or the disk is full.
        """
        if self._is_closed:
            raise InputError(f"{self.path}: was closed")
        append_only_file = self._open_file()
        with append_only_file.locked(self._lock_timeout_seconds):
            self._catch_up(append_only_file)
            yield self._write

    def close(self) -> None:
        """Close the writing end; closing twice is no error."""
        self._is_closed = True
        if self._append_only_file is not None:
            self._append_only_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _open_file(self) -> AppendOnlyFile:
        """Give the writing end; after a disk was full, a new one."""
        # What did not fit was never acknowledged, and what is left of it a turn cleans up like the
        # line of a process that died. After another failure only the next process tries again.
        if self._append_only_file is not None and self._append_only_file.lacked_room:
            self._append_only_file.close()
            self._append_only_file = None
        if self._append_only_file is None:
            self._append_only_file = AppendOnlyFile(self.path)
        return self._append_only_file

    def _catch_up(self, append_only_file: AppendOnlyFile) -> None:
        self._read_new_lines(read_file(self.path))
        # An event counts from here on, and its writer may have died before it synced the line.
        if len(self._events) > self._synced_count:
            append_only_file.sync()
            self._synced_count = len(self._events)
        # Nobody else writes now, so what is left was half-written by a process that died.
        if append_only_file.size > self._bytes_read:
            append_only_file.quarantine_tail(self._bytes_read)

    def _write(self, make_event: EventFactory) -> AnyReviewEvent:
        if self._append_only_file is None:
            raise InputError(f"{self.path}: was not opened for writing")
        # Numbers are given under the lock, so that they have no gap and no double.
        number = len(self._events) + 1
        event = chain_event(make_event(number), after=self._last_chain)
        line = event.as_json().encode("ascii")
        # A line that could not be read again (it holds NaN, say) must not get into the file.
        _parse_event(line)
        self._append_only_file.append(line + b"\n")
        self._add(event, line)
        self._synced_count = len(self._events)
        return event

    def _read_new_lines(self, data: bytes) -> None:
        if len(data) < self._bytes_read:
            raise DamagedStateError(f"{self.path}: is shorter than it was")
        lines = self._split_new_lines(data)
        total = len(self._events) + len(lines)
        for line in lines:
            is_last = line.number == total
            # Its writer is still at it, or died: the next refresh or turn will see.
            if not line.has_newline or (line.is_torn and is_last):
                return
            try:
                event = _parse_event(line.body)
            except InputError as error:
                problem = str(error)
                raise damage_error(self.path, line, total, problem) from error
            self._check_follows(event, line, total)
            self._add(event, line.body)

    def _split_new_lines(self, data: bytes) -> list[JsonLine]:
        """Split what was added since, with numbers and offsets that count from the file's start."""
        start = self._bytes_read
        count_before = len(self._events)
        lines = []
        for line in split_lines(data[start:]):
            number = count_before + line.number
            offset = start + line.offset
            lines.append(JsonLine(number, offset, line.body, line.has_newline))
        return lines

    def _check_follows(self, event: AnyReviewEvent, line: JsonLine, total: int) -> None:
        expected_number = len(self._events) + 1
        if event.number != expected_number:
            problem = f"holds event {event.number} in the place of {expected_number}"
            raise damage_error(self.path, line, total, problem)
        if event.key in self._events_by_key:
            problem = f"the key {event.key} stands twice"
            raise damage_error(self.path, line, total, problem)
        is_chained = event == chain_event(event, after=self._last_chain)
        # Equal events can be written in different ways; only our own way was ever written.
        if not is_chained or event.as_json().encode("ascii") != line.body:
            raise damage_error(self.path, line, total, "not what was written there")

    def _add(self, event: AnyReviewEvent, line: bytes) -> None:
        self._events.append(event)
        self._events_by_key[event.key] = event
        self._last_chain = event.chain
        self._bytes_read += len(line) + 1


def chain_event(event: AnyReviewEvent, *, after: str) -> AnyReviewEvent:
    """Set the ``chain`` of an event: the digest of the chain before and of its own content.

    Args:
        event: The event; a ``chain`` that it has already does not count.
        after: The ``chain`` of the event before, empty for the first one.
    """
    unchained = event.model_copy(update={"chain": ""})
    chain = digest_bytes((after + unchained.as_json()).encode("ascii"))
    return event.model_copy(update={"chain": chain})


def _parse_event(line: bytes) -> AnyReviewEvent:
    check_is_object(line)
    try:
        return _EVENT_ADAPTER.validate_json(strict_object(line, source="the line"))
    except ValidationError as error:
        raise InputError(first_validation_problem(error)) from error
