"""From the bytes of a file to its rows: a JSON list, one JSON object a line, or a YAML list."""

from pathlib import Path
from typing import Final, NamedTuple

from goldwright.errors import InputError
from goldwright.golden.foreign.fields import Row, kind_of
from goldwright.golden.foreign.plain_yaml import plain_yaml
from goldwright.records.strict_json import strict_json

_JSON_ENDINGS: Final = frozenset({".json", ".jsonl", ".ndjson"})
_YAML_ENDINGS: Final = frozenset({".yaml", ".yml"})
_YAML_STARTS: Final = "-#%"


class LocatedRow(NamedTuple):
    """A row with where it stands: the file, and its line or its number from 1."""

    place: str
    row: Row


def located_rows(path: Path, data: bytes) -> tuple[LocatedRow, ...]:
    """Take a file apart into rows, by its content; the ending of its name decides only what the
    content leaves open.

    Raises:
        InputError: It is empty, is not UTF-8, is neither JSON nor YAML, or a row is no object.
    """
    text = _decoded(path, data)
    if not text.strip():
        raise InputError(f"{path}: the file is empty; wanted a dataset with at least one record")
    found = _placed(path, text)
    if not found:
        raise InputError(f"{path}: the file holds no record; wanted at least one")
    return found


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: not UTF-8 at line {line}, byte {error.start}; wanted UTF-8") from error


def _placed(path: Path, text: str) -> tuple[LocatedRow, ...]:
    first, ending = text.lstrip()[0], path.suffix.lower()
    if first in "[{":
        try:
            return _lines(path, text) if first == "{" else _numbered(path, _json(path, text))
        except InputError:
            if ending not in _YAML_ENDINGS:
                raise
    elif ending in _JSON_ENDINGS and first not in _YAML_STARTS:
        return _numbered(path, _json(path, text))
    return _numbered(path, plain_yaml(text, source=str(path)))


def _json(path: Path, text: str) -> object:
    return strict_json(text.encode("utf-8"), source=str(path))


def _numbered(path: Path, parsed: object) -> tuple[LocatedRow, ...]:
    if parsed is None:
        return ()
    if not isinstance(parsed, list):
        raise InputError(f"{path}: wanted a list of records, or one JSON object a line; found {kind_of(parsed)}")
    places = (f"{path}: record {number}" for number in range(1, len(parsed) + 1))
    return tuple(LocatedRow(place, _object(value, place)) for place, value in zip(places, parsed, strict=True))


def _lines(path: Path, text: str) -> tuple[LocatedRow, ...]:
    whole = _one_object(text)
    if whole is not None:
        return (LocatedRow(f"{path}: line 1", whole),)
    numbered = ((f"{path}: line {n}", line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())
    return tuple(
        LocatedRow(place, _object(strict_json(line.encode("utf-8"), source=place), place)) for place, line in numbered
    )


def _one_object(text: str) -> Row | None:
    """Read a file that is one object over several lines."""
    try:
        value = strict_json(text.encode("utf-8"), source="")
    except InputError:
        return None
    return value if isinstance(value, dict) else None


def _object(value: object, place: str) -> Row:
    if not isinstance(value, dict):
        raise InputError(f"{place}: wanted an object with the fields of a record, found {kind_of(value)}")
    return value
