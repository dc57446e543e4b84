"""``human_reviews.jsonl``: people's words, one a line, written by as many processes as there are
reviewers.

A writer takes its turn under the file's own lock, reads what others wrote since, and adds one line,
which is durable when the turn ends. Each line holds a digest of itself and of all before it, so one
that is doubled, changed, or taken out from before another is noticed; that the last ones are there,
a published version's metadata tell.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pydantic import TypeAdapter, ValidationError

from goldwright.canonical import digest_bytes
from goldwright.errors import DamagedStateError, InputError
from goldwright.journal.json_lines import JsonLine, damage, read_file, split_lines
from goldwright.journal.line_file import LineFile
from goldwright.records import AnyReviewEvent
from goldwright.records.strict_json import first_validation_problem, strict_object

PATIENCE_SECONDS: Final = 5.0
_ADAPTER: Final[TypeAdapter[AnyReviewEvent]] = TypeAdapter(AnyReviewEvent)

Word = Callable[[int], AnyReviewEvent]


class ReviewLog:
    """Every event so far, and the end at which this process adds more in its turn."""

    def __init__(self, path: Path) -> None:
        """Begin without having read anything; nothing is created before the first turn."""
        self.path = path
        self._events: list[AnyReviewEvent] = []
        self._keys: dict[str, AnyReviewEvent] = {}
        self._read = 0
        self._chain = ""
        self._synced = 0
        self._is_closed = False
        self._appender: LineFile | None = None

    @property
    def events(self) -> Sequence[AnyReviewEvent]:
        """The events that were read or written so far, in the order of the file."""
        return self._events

    def find(self, key: str) -> AnyReviewEvent | None:
        """Find the event that was asked for with a key."""
        return self._keys.get(key)

    def refresh(self) -> bool:
        """Read what was added since; a last line that is not whole yet is left for later.

        Returns:
            Whether there was anything.

        Raises:
            DamagedStateError: A line is not what was written.
            InputError: The file cannot be read.
        """
        known = len(self._events)
        self._take(read_file(self.path))
        return len(self._events) > known

    @contextmanager
    def turn(self) -> Iterator[Callable[[Word], AnyReviewEvent]]:
        """Hold the file while the block runs, with everything read that others wrote.

        What is yielded writes one event: it is given the number of the line, and returns once it is
        durable.

        Raises:
            BusyError: Another process does not let go of the file.
            DamagedStateError: A line is not what was written, or the disk failed.
            InputError: The file cannot be written, or there is no room.
        """
        if self._is_closed:
            raise InputError(f"{self.path}: was closed")
        if self._appender is None:
            self._appender = LineFile(self.path)
        with self._appender.locked(PATIENCE_SECONDS):
            self._catch_up(self._appender)
            yield self._write

    def close(self) -> None:
        """Close the writing end; closing twice is no error."""
        self._is_closed = True
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

    def _catch_up(self, appender: LineFile) -> None:
        self._take(read_file(self.path))
        if len(self._events) > self._synced:
            appender.sync()
            self._synced = len(self._events)
        if appender.size > self._read:
            # A writer that died left a line half-written; nobody is writing now, so it goes aside.
            appender.cut(self._read)

    def _write(self, word: Word) -> AnyReviewEvent:
        if self._appender is None:
            raise InputError(f"{self.path}: was not opened for writing")
        event = chained(word(len(self._events) + 1), after=self._chain)
        line = event.as_json().encode("ascii")
        _parse(line)
        self._appender.append(line + b"\n")
        self._count_in(event)
        self._read += len(line) + 1
        self._synced = len(self._events)
        return event

    def _take(self, data: bytes) -> None:
        if len(data) < self._read:
            raise DamagedStateError(f"{self.path}: is shorter than it was")
        base, known = self._read, len(self._events)
        lines = [
            JsonLine(known + one.number, base + one.offset, one.body, one.has_newline)
            for one in split_lines(data[base:])
        ]
        for place, line in enumerate(lines, start=1):
            if not line.has_newline or (line.is_torn and place == len(lines)):
                return
            try:
                event = _parse(line.body)
            except InputError as error:
                raise damage(self.path, line, known + len(lines), str(error)) from error
            self._check_place(event, line, known + len(lines))
            self._count_in(event)
            self._read += len(line.body) + 1

    def _check_place(self, event: AnyReviewEvent, line: JsonLine, total: int) -> None:
        if event.number != len(self._events) + 1:
            raise damage(
                self.path,
                line,
                total,
                f"holds event {event.number} in the place of {len(self._events) + 1}",
            )
        if event.key in self._keys:
            raise damage(self.path, line, total, f"the key {event.key} stands twice")
        if (
            event != chained(event, after=self._chain)
            or event.as_json().encode("ascii") != line.body
        ):
            raise damage(self.path, line, total, "not what was written there")

    def _count_in(self, event: AnyReviewEvent) -> None:
        self._events.append(event)
        self._chain = event.chain
        self._keys[event.key] = event


def chained(event: AnyReviewEvent, *, after: str) -> AnyReviewEvent:
    """Give the event with the digest of the chain so far and of its own content."""
    alone = event.model_copy(update={"chain": ""})
    return event.model_copy(
        update={"chain": digest_bytes((after + alone.as_json()).encode("ascii"))}
    )


def _parse(line: bytes) -> AnyReviewEvent:
    if line[:1] != b"{" or line[-1:] != b"}":
        raise InputError("not one JSON object")
    try:
        return _ADAPTER.validate_json(strict_object(line, source="the line"))
    except ValidationError as error:
        raise InputError(first_validation_problem(error)) from error
