"""From the bytes of a file to its rows: a JSON list, one JSON object a line, or a YAML list."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from goldwright.errors import InputError
from goldwright.interchange.fields import Row, kind_of
from goldwright.interchange.plain_yaml import plain_yaml
from goldwright.strict_json import strict_json

_JSON_ENDINGS: Final = frozenset({".json", ".jsonl", ".ndjson"})
_YAML_ENDINGS: Final = frozenset({".yaml", ".yml"})
# The names under which a file may hold its list of records beside other things.
_LIST_NAMES: Final = (
    "queries",
    "records",
    "cases",
    "items",
    "examples",
    "questions",
    "data",
    "tests",
    "dataset",
    "pairs",
)
# A list item, a comment and a directive: no JSON begins with these.
_YAML_STARTS: Final = "-#%"


class LocatedRow(NamedTuple):
    """A row and its place: the file, and its line or its number from 1."""

    place: str
    row: Row


def located_rows(path: Path, data: bytes) -> tuple[LocatedRow, ...]:
    """Split a file into rows, by its content; where that leaves it open, by the ending of its name.

    Raises:
        InputError: It is empty, is not UTF-8, is neither JSON nor YAML, or a row is no object.
    """
    text = decode_text(path, data)
    if not text.strip():
        raise InputError(f"{path}: the file is empty; wanted a dataset with at least one record")
    rows = tuple(_parse_rows(path, text))
    if not rows:
        raise InputError(f"{path}: the file holds no record; wanted at least one")
    return rows


def decode_text(path: Path, data: bytes) -> str:
    """Decode the content of a file.

    Raises:
        InputError: It is not UTF-8; the text names the line.
    """
    # Editors on Windows begin a file with a byte order mark, which "-sig" takes off.
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = f"{path}: not UTF-8 at line {line}"
        raise InputError(f"{place}, byte {error.start}; wanted UTF-8") from error


def place_in_file(place: str) -> str:
    """Give the last part of a place, by which a row without an id is called: ``line 3``."""
    return place.rpartition(": ")[2]


def _parse_rows(path: Path, text: str) -> tuple[LocatedRow, ...]:
    first = text.lstrip()[0]
    ending = path.suffix.lower()
    if first in "[{":
        try:
            return _json_rows(path, text)
        except InputError:
            # YAML has the same brackets, so a YAML file gets a second chance.
            if ending not in _YAML_ENDINGS:
                raise
    elif ending in _JSON_ENDINGS and first not in _YAML_STARTS:
        return _numbered_rows(path, _parse_json(text, source=str(path)))
    try:
        return _numbered_rows(path, plain_yaml(text, source=str(path)))
    except InputError as error:
        if ending in _YAML_ENDINGS:
            raise
        # YAML is what is tried last, and not what somebody need have meant.
        reason = str(error).removeprefix(f"{path}: ")
        raise InputError(f"{path}: no dataset: neither JSON nor a table, and {reason}") from error


def _json_rows(path: Path, text: str) -> tuple[LocatedRow, ...]:
    if text.lstrip().startswith("["):
        return _numbered_rows(path, _parse_json(text, source=str(path)))
    single = _single_object(text)
    if single is not None:
        rows = _rows_of_object(single)
        if isinstance(rows, list):
            return _numbered_rows(path, rows)
        return (LocatedRow(f"{path}: line 1", single),)
    return tuple(_rows_by_line(path, text))


def _parse_json(text: str, *, source: str) -> object:
    return strict_json(text.encode("utf-8"), source=source)


def _numbered_rows(path: Path, parsed: object) -> tuple[LocatedRow, ...]:
    """Take the items of a list for rows; a file of null has none."""
    if parsed is None:
        return ()
    if isinstance(parsed, dict):
        parsed = _rows_of_object(parsed)
    if not isinstance(parsed, list):
        kind = kind_of(parsed)
        raise InputError(
            f"{path}: wanted a list of records, or one JSON object a line; found {kind}"
        )
    rows: list[LocatedRow] = []
    for number, value in enumerate(parsed, start=1):
        place = f"{path}: record {number}"
        row = _object(value, place)
        rows.append(LocatedRow(place, row))
    return tuple(rows)


def _rows_of_object(parsed: Row) -> object:
    """Give the rows that an object holds under a customary name, or as questions and answers.

    Any other object is given back as it is.
    """
    lists = [name for name in _LIST_NAMES if isinstance(parsed.get(name), list)]
    if len(lists) == 1:
        return parsed[lists[0]]
    # A field of a record is one word, a question is several.
    if parsed and all(" " in key.strip() for key in parsed):
        return [{"query": question, "expected": answer} for question, answer in parsed.items()]
    return parsed


def _rows_by_line(path: Path, text: str) -> Iterator[LocatedRow]:
    # Not splitlines(): JSON may hold U+2028 and other separators that end no line of the file.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{path}: line {number}"
            value = _parse_json(line, source=place)
            yield LocatedRow(place, _object(value, place))


def _single_object(text: str) -> Row | None:
    """Read a file that is one object, over one line or several; None where it is something else."""
    try:
        value = _parse_json(text, source="")
    except InputError:
        return None
    if not isinstance(value, dict):
        return None
    return value


def _object(value: object, place: str) -> Row:
    if not isinstance(value, dict):
        kind = kind_of(value)
        raise InputError(f"{place}: wanted an object with the fields of a record, found {kind}")
    return value
