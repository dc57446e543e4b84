"""Splits bytes into lines at the newline byte alone, and reads JSON Lines of other programs."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar, cast

import jsonlines
from pydantic import ValidationError

from goldwright.atomic_files import read_failure
from goldwright.canonical import canonical_json
from goldwright.errors import DamagedStateError, InputError
from goldwright.records import Record
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import IrregularFileError, open_regular, read_regular
from goldwright.strict_json import strict_object

# Bytes; a run that is hundreds of times larger than any so far, and far less than any memory.
LARGEST_RUN_FILE: Final = 1 << 36

RecordType = TypeVar("RecordType", bound=Record)


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line of a file.

    Attributes:
        number: Its place in the file, from 1.
        offset: The position of its first byte in the file, from 0.
        body: Its bytes without the newline.
        has_newline: Whether a newline ends it; only the last line may lack one.
    """

    number: int
    offset: int
    body: bytes
    has_newline: bool

    @property
    def is_torn(self) -> bool:
        """Whether a crash can have left the line like this, if it is the last one.

        A write that was cut short lacks its newline. Where only the new length of the file reached
        the disk, there are zero bytes. Any other line was written whole and damaged afterwards.
        """
        return not self.has_newline or b"\0" in self.body


def read_file(path: Path) -> bytes:
    """Read a file of a run; a missing file counts as empty.

    Raises:
        DamagedStateError: Something else than a file has its name.
        InputError: It exists and cannot be read.
    """
    try:
        return read_regular(path, most=LARGEST_RUN_FILE)
    except FileNotFoundError:
        return b""
    except IrregularFileError as error:
        raise DamagedStateError(f"{path}: {error.strerror}") from error
    except OSError as error:
        raise read_failure(path, error) from error


def split_lines(data: bytes) -> Iterator[JsonLine]:
    """Split bytes into lines.

    ``bytes.splitlines`` would also split at a carriage return, which may stand in a damaged line.
    """
    offset = 0
    for number, body in enumerate(data.split(b"\n"), start=1):
        end = offset + len(body)
        if end < len(data):
            yield JsonLine(number, offset, body, has_newline=True)
        elif body:
            yield JsonLine(number, offset, body, has_newline=False)
        offset = end + 1


def damage_error(path: Path, line: JsonLine, total: int, problem: str) -> DamagedStateError:
    """Describe a line that was written whole and has changed since.

    Args:
        path: The file that holds the line.
        line: The damaged line.
        total: How many lines the file has.
        problem: What is wrong with the line.
    """
    following = total - line.number
    place = f"line {line.number} (byte {line.offset}), {following} after it"
    return DamagedStateError(f"{path}: damaged record at {place}: {problem}")


def parse_record(body: bytes, model: type[RecordType]) -> RecordType:
    """Read one line that holds one JSON object and nothing around it.

    Raises:
        InputError: It does not; the text describes the problem.
    """
    check_is_object(body)
    try:
        # pydantic keeps the last of two equal keys, so strict_object looks for them first.
        return model.model_validate_json(strict_object(body, source="line"))
    except ValidationError as error:
        raise InputError(first_validation_problem(error)) from error


def check_is_object(body: bytes) -> None:
    """Check that a line starts and ends with a brace, so that no space or BOM stands around it.

    Raises:
        InputError: It does not.
    """
    if body[:1] != b"{" or body[-1:] != b"}":
        raise InputError("not one JSON object")


def read_jsonl(path: Path, model: type[RecordType]) -> Iterator[RecordType]:
    """Stream the records of a JSON Lines file that a person or another program wrote.

    Blank lines are skipped.

    Raises:
        InputError: The file cannot be read, or a line of it does not hold a valid record.
    """
    parse_line = _line_parser(model)
    try:
        # jsonlines takes away a BOM and counts lines; loads decides what a line holds.
        with open_regular(path) as file, jsonlines.Reader(file, loads=parse_line) as reader:
            yield from cast("Iterator[RecordType]", reader.iter(skip_empty=True))
    except jsonlines.InvalidLineError as error:
        problem = error.__cause__ or error
        raise InputError(f"{path}: line {error.lineno}: {problem}") from error
    except OSError as error:
        raise read_failure(path, error) from error


def write_jsonl(rows: Iterable[object]) -> bytes:
    """Write JSON values as canonical lines, for an export."""
    buffer = io.BytesIO()
    with jsonlines.Writer(buffer, dumps=canonical_json) as writer:
        writer.write_all(rows)
    return buffer.getvalue()


def _line_parser(model: type[RecordType]) -> Callable[[str | bytes], RecordType]:
    def parse_line(text: str | bytes) -> RecordType:
        data = text.encode("utf-8") if isinstance(text, str) else text
        try:
            return parse_record(data.strip(), model)
        except InputError as error:
            # The reader adds the line number to a ValueError and to nothing else.
            raise ValueError(str(error)) from error

    return parse_line
