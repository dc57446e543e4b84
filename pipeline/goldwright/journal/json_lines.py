"""Bytes to lines, on the newline byte and nothing else, and JSON Lines that somebody else wrote."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

import jsonlines
from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import DamagedStateError, InputError
from goldwright.records import Record
from goldwright.records.strict_json import first_validation_problem, strict_object

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line: its number from 1, the offset of its first byte, its bytes without the newline."""

    number: int
    offset: int
    body: bytes
    has_newline: bool

    @property
    def is_torn(self) -> bool:
        """Whether a crash can have left the line so, if it is the last one.

        A write that was cut short lacks its newline; where only the file's new length reached the
        disk there are zero bytes. Anything else was written whole, and was damaged afterwards.
        """
        return not self.has_newline or b"\0" in self.body


def read_file(path: Path) -> bytes:
    """Read a file of the run; one that is not there is empty.

    Raises:
        InputError: It is there and cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def split_lines(data: bytes) -> Iterator[JsonLine]:
    """Cut bytes into lines; only the last one may lack its newline."""
    offset = 0
    for number, part in enumerate(data.split(b"\n"), start=1):
        end = offset + len(part)
        if end < len(data):
            yield JsonLine(number, offset, part, has_newline=True)
        elif part:
            yield JsonLine(number, offset, part, has_newline=False)
        offset = end + 1


def damage(path: Path, line: JsonLine, total: int, problem: str) -> DamagedStateError:
    """Name a line that was written whole and is no longer what was written."""
    place = f"line {line.number} (byte {line.offset}), {total - line.number} after it"
    return DamagedStateError(f"{path}: damaged record at {place}: {problem}")


def parse_record(body: bytes, model: type[R]) -> R:
    """Read one line that holds one JSON object and nothing around it.

    Raises:
        InputError: It does not; the text says what is wrong.
    """
    if body[:1] != b"{" or body[-1:] != b"}":
        raise InputError("not one JSON object")
    try:
        return model.model_validate_json(strict_object(body, source="line"))
    except ValidationError as error:
        raise InputError(first_validation_problem(error)) from error


def read_jsonl(path: Path, model: type[R]) -> Iterator[R]:
    """Stream the records of a JSON Lines file that a person or another program wrote; blank lines
    are skipped.

    Raises:
        InputError: The file cannot be read, or a line of it does not hold a valid record.
    """
    try:
        with path.open("rb") as file, jsonlines.Reader(file, loads=_loader(model)) as reader:
            yield from cast("Iterator[R]", reader.iter(skip_empty=True))
    except jsonlines.InvalidLineError as error:
        problem = error.__cause__ or error
        raise InputError(f"{path}: line {error.lineno}: {problem}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def write_jsonl(rows: Iterable[object]) -> bytes:
    """Write JSON values as canonical lines, for an export."""
    buffer = io.BytesIO()
    with jsonlines.Writer(buffer, dumps=canonical_json) as writer:
        writer.write_all(rows)
    return buffer.getvalue()


def _loader(model: type[R]) -> Callable[[str | bytes], R]:
    def load(text: str | bytes) -> R:
        data = text.encode("utf-8") if isinstance(text, str) else text
        try:
            return parse_record(data.strip(), model)
        except InputError as error:
            raise ValueError(str(error)) from error

    return load
