"""Reading the fields of a row that somebody else wrote: of the wanted type, or one line that says
which is not.
"""

from collections.abc import Mapping
from typing import Final

from goldwright.errors import InputError
from goldwright.records import DIFFICULTIES, TASK_TYPES, Difficulty, FileRange, TaskType

LONGEST_QUERY: Final = 10_000
LONGEST_NAME: Final = 1_000
LAST_LINE: Final = 1_000_000_000

Row = Mapping[str, object]


def required_text(row: Row, field: str, *, place: str, longest: int = LONGEST_QUERY) -> str:
    """Take a text that has to be there; it may be empty.

    Raises:
        InputError: It is missing, is no text or is too long.
    """
    if row.get(field) is None:
        raise InputError(f"{place}: wanted {field}, found none")
    return _text(row[field], place=f"{place}: {field}", longest=longest)


def optional_text(row: Row, field: str, *, place: str) -> str | None:
    """Take a short text; ``None`` where the field is missing or null.

    Raises:
        InputError: It is no text or is too long.
    """
    if row.get(field) is None:
        return None
    return _text(row[field], place=f"{place}: {field}", longest=LONGEST_NAME)


def texts(row: Row, field: str, *, place: str, longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """Take a list of texts; a missing or null list is empty.

    Raises:
        InputError: It is no list, or something in it is no text.
    """
    items = listed(row, field, place=place)
    return tuple(_text(item, place=f"{place}: {field}.{n}", longest=longest) for n, item in enumerate(items))


def listed(row: Row, field: str, *, place: str) -> list[object]:
    """Take a list; a missing or null one is empty.

    Raises:
        InputError: It is no list.
    """
    value = row.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{place}: {field}: wanted a list, found {kind_of(value)}")
    return value


def task_type(row: Row, *, place: str) -> TaskType | None:
    """Take the task type, in any case of letters; ``None`` where it is missing or none that is
    known.

    Raises:
        InputError: It is no text.
    """
    written = (optional_text(row, "task_type", place=place) or "").lower()
    return next((known for known in TASK_TYPES if known == written), None)


def difficulty(row: Row, *, place: str) -> Difficulty | None:
    """Take the difficulty, in any case of letters; ``None`` where it is missing or none that is
    known.

    Raises:
        InputError: It is no text.
    """
    written = (optional_text(row, "difficulty", place=place) or "").lower()
    return next((known for known in DIFFICULTIES if known == written), None)


def entities(row: Row, field: str, *, place: str) -> tuple[str, ...]:
    """Take a list of entity ids: plain texts, objects with an ``entity_id``, or both.

    Raises:
        InputError: It is no such list.
    """
    items = listed(row, field, place=place)
    return tuple(_entity(item, place=f"{place}: {field}.{n}") for n, item in enumerate(items))


def line_ranges(row: Row, field: str, *, place: str) -> tuple[FileRange, ...]:
    """Take a list of ranges ``{file, start, end}``; which lines they name is not looked at.

    Raises:
        InputError: It is no such list.
    """
    items = listed(row, field, place=place)
    return tuple(_range(item, place=f"{place}: {field}.{n}") for n, item in enumerate(items))


def kind_of(value: object) -> str:
    """Say what a value of JSON is."""
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a text", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), "a number")


def _entity(item: object, *, place: str) -> str:
    if isinstance(item, dict):
        return required_text(item, "entity_id", place=place, longest=LONGEST_NAME)
    return _text(item, place=place, longest=LONGEST_NAME)


def _range(item: object, *, place: str) -> FileRange:
    if not isinstance(item, dict):
        raise InputError(f"{place}: wanted an object with file, start and end, found {kind_of(item)}")
    file = required_text(item, "file", place=place, longest=LONGEST_NAME)
    return FileRange(file=file, start=_line(item, "start", place=place), end=_line(item, "end", place=place))


def _line(row: Row, field: str, *, place: str) -> int:
    value = row.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{place}: {field}: wanted the number of a line, found {kind_of(value)}")
    if abs(value) > LAST_LINE:
        raise InputError(f"{place}: {field}: wanted the number of a line, found one beyond {LAST_LINE}")
    return value


def _text(value: object, *, place: str, longest: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"{place}: wanted a text, found {kind_of(value)}")
    if len(value) > longest:
        raise InputError(f"{place}: wanted at most {longest} characters, found {len(value)}")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(f"{place}: wanted a text, found half of a surrogate pair in it")
    return value
