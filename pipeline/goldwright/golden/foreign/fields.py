"""Reading the fields of a row of unknown origin: a value of the right type, or a clear refusal."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from goldwright.errors import InputError
from goldwright.records import DIFFICULTIES, TASK_TYPES, Difficulty, FileRange, TaskType

# The three bounds are far beyond any real dataset; they keep what a hostile file can cost small.
LONGEST_QUERY: Final = 10_000
LONGEST_NAME: Final = 1_000
LAST_LINE: Final = 1_000_000_000

Row = Mapping[str, object]
Item = TypeVar("Item")


def required_text(row: Row, field: str, *, place: str, longest: int = LONGEST_QUERY) -> str:
    """Read a text that has to be there; it may be empty.

    Raises:
        InputError: It is missing, is no text or is too long.
    """
    value = row.get(field)
    if value is None:
        raise InputError(f"{place}: wanted {field}, found none")
    field_place = f"{place}: {field}"
    return _text(value, place=field_place, longest=longest)


def optional_text(row: Row, field: str, *, place: str) -> str | None:
    """Read a short text; None where the field is missing or null.

    Raises:
        InputError: It is no text or is too long.
    """
    value = row.get(field)
    if value is None:
        return None
    field_place = f"{place}: {field}"
    return _text(value, place=field_place, longest=LONGEST_NAME)


def texts(row: Row, field: str, *, place: str, longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """Read a list of texts; a missing or null list is empty.

    Raises:
        InputError: It is no list, or something in it is no text.
    """

    def read_text(item: object, item_place: str) -> str:
        return _text(item, place=item_place, longest=longest)

    return _read_list(row, field, read_text, place=place)


def task_type(row: Row, *, place: str) -> TaskType | None:
    """Read the task type in upper or lower case; None where it is missing or none of ours.

    Raises:
        InputError: It is no text.
    """
    name = optional_text(row, "task_type", place=place) or ""
    for candidate in TASK_TYPES:
        if candidate == name.lower():
            return candidate
    return None


def difficulty(row: Row, *, place: str) -> Difficulty | None:
    """Read the difficulty in upper or lower case; None where it is missing or none of ours.

    Raises:
        InputError: It is no text.
    """
    name = optional_text(row, "difficulty", place=place) or ""
    for candidate in DIFFICULTIES:
        if candidate == name.lower():
            return candidate
    return None


def entities(row: Row, field: str, *, place: str) -> tuple[str, ...]:
    """Read a list of entity ids: plain texts, objects with an ``entity_id``, or both.

    Raises:
        InputError: It is no such list.
    """
    return _read_list(row, field, _read_entity, place=place)


def line_ranges(row: Row, field: str, *, place: str) -> tuple[FileRange, ...]:
    """Read a list of ranges ``{file, start, end}``, whatever lines they name.

    Raises:
        InputError: It is no such list.
    """
    return _read_list(row, field, _read_range, place=place)


def kind_of(value: object) -> str:
    """Say what a value of JSON is."""
    match value:
        case None:
            return "null"
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return "a text"
        # Before numbers, because a boolean of Python is an integer too.
        case bool():
            return "a boolean"
        case _:
            return "a number"


def _read_list(
    row: Row, field: str, read_item: Callable[[object, str], Item], *, place: str
) -> tuple[Item, ...]:
    """Read a list item by item; a missing or null one is empty."""
    value = row.get(field)
    field_place = f"{place}: {field}"
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError(f"{field_place}: wanted a list, found {kind_of(value)}")
    items: list[Item] = []
    for position, item in enumerate(value):
        item_place = f"{field_place}.{position}"
        items.append(read_item(item, item_place))
    return tuple(items)


def _read_entity(item: object, place: str) -> str:
    if isinstance(item, dict):
        return required_text(item, "entity_id", place=place, longest=LONGEST_NAME)
    return _text(item, place=place, longest=LONGEST_NAME)


def _read_range(item: object, place: str) -> FileRange:
    if not isinstance(item, dict):
        kind = kind_of(item)
        raise InputError(f"{place}: wanted an object with file, start and end, found {kind}")
    file = required_text(item, "file", place=place, longest=LONGEST_NAME)
    start = _line(item, "start", place=f"{place}: start")
    end = _line(item, "end", place=f"{place}: end")
    return FileRange(file=file, start=start, end=end)


def _line(row: Row, field: str, *, place: str) -> int:
    value = row.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        kind = kind_of(value)
        raise InputError(f"{place}: wanted the number of a line, found {kind}")
    if abs(value) > LAST_LINE:
        raise InputError(f"{place}: wanted the number of a line, found one beyond {LAST_LINE}")
    return value


def _text(value: object, *, place: str, longest: int) -> str:
    if not isinstance(value, str):
        kind = kind_of(value)
        raise InputError(f"{place}: wanted a text, found {kind}")
    length = len(value)
    if length > longest:
        raise InputError(f"{place}: wanted at most {longest} characters, found {length}")
    # JSON can write half of a surrogate pair, which no file in UTF-8 can hold.
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(f"{place}: wanted a text, found half of a surrogate pair in it")
    return value
