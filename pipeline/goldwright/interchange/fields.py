"""Reading the fields of a row of unknown origin: a value of the right type, or a clear refusal."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from goldwright.errors import InputError
from goldwright.interchange.quoting import quote_excerpt
from goldwright.records import FileRange

# The three bounds are far beyond any real dataset; they keep what a hostile file can cost small.
LONGEST_QUERY: Final = 10_000
LONGEST_NAME: Final = 1_000
LAST_LINE: Final = 1_000_000_000
# The Hub's tables hold grades as int32.
SMALLEST_GRADE: Final = -(2**31)
LARGEST_GRADE: Final = 2**31 - 1
# Fields in which datasets customarily say of which kind a query is.
STRATUM_FIELDS: Final = ("task_type", "difficulty", "category", "language", "source")
_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,10}")

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


def long_text(row: Row, field: str, *, place: str) -> str:
    """Read a text of any use; empty where the field is missing or null.

    Raises:
        InputError: It is no text or is too long.
    """
    if row.get(field) is None:
        return ""
    return required_text(row, field, place=place)


def texts(row: Row, field: str, *, place: str, longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """Read a list of texts; a missing or null list is empty.

    Raises:
        InputError: It is no list, or something in it is no text.
    """

    def read_text(item: object, item_place: str) -> str:
        return _text(item, place=item_place, longest=longest)

    return _read_list(row, field, read_text, place=place)


def strata(row: Row, *, place: str) -> dict[str, str]:
    """Read the strata of a query by the dataset's own names: an object, and the customary fields.

    Numbers and truth values are taken as they are written.

    Raises:
        InputError: A stratum is a list or an object.
    """
    names: dict[str, str] = {}
    # Whatever its capitals: tables have "Language" where lists have "language".
    for field in row:
        dimension = field.lower()
        if dimension not in STRATUM_FIELDS:
            continue
        value = row[field]
        if value is not None and value != "":
            field_place = f"{place}: {field}"
            names[dimension] = _label(value, place=field_place)
    further = row.get("strata")
    if further is None:
        return names
    if not isinstance(further, dict):
        raise InputError(f"{place}: strata: wanted an object, found {kind_of(further)}")
    for dimension, value in further.items():
        if value is not None:
            stratum_place = f"{place}: strata.{dimension}"
            names[dimension] = _label(value, place=stratum_place)
    return names


def grades(row: Row, *, place: str) -> dict[str, int]:
    """Read the grades of judged ids: an object from id to whole number; none where it is missing.

    Raises:
        InputError: It is no such object.
    """
    value = row.get("grades")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{place}: grades: wanted an object, found {kind_of(value)}")
    grade_by_id: dict[str, int] = {}
    for document_id, grade in value.items():
        number = whole_number(grade)
        if number is None:
            shown_id = quote_excerpt(document_id)
            shown_grade = quote_excerpt(str(grade))
            raise InputError(
                f"{place}: grades: wanted a whole number for {shown_id}, found {shown_grade}"
            )
        grade_by_id[document_id] = number
    return grade_by_id


def relevant_ids(grade_by_id: Mapping[str, int]) -> tuple[str, ...]:
    """Return the documents that are relevant: those whose grade is above 0."""
    return tuple(document_id for document_id, grade in grade_by_id.items() if grade > 0)


def whole_number(value: object) -> int | None:
    """Read a whole number of 32 bits, as a number or a text; None for anything else."""
    if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value):
        number = int(value)
    # A boolean of Python is an integer too, and no grade.
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    else:
        return None
    if not SMALLEST_GRADE <= number <= LARGEST_GRADE:
        return None
    return number


def texts_or_text(row: Row, field: str, *, place: str) -> tuple[str, ...]:
    """Read a list of texts, or one text in place of a list of one."""
    if isinstance(row.get(field), str):
        text = required_text(row, field, place=place, longest=LONGEST_NAME)
        return (text,) if text else ()
    return texts(row, field, place=place)


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


def _label(value: object, *, place: str) -> str:
    if isinstance(value, dict | list):
        raise InputError(f"{place}: wanted a text, found {kind_of(value)}")
    text = str(value)
    if isinstance(value, bool):
        text = text.lower()
    return _text(text, place=place, longest=LONGEST_NAME)


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
