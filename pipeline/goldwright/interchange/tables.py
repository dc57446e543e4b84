"""CSV and TSV: a row for each query, or for each judgement of a query and a document.

A cell may hold several ids, separated by ``;``, ``|`` or line breaks. Rows of one query id (or, for
want of ids, of one query) are one query; where a column has grades, each row is a judgement.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.judgements import reading_of
from goldwright.interchange.query_list import (
    EXPECTED_NAMES,
    ID_NAMES,
    QUERY_NAMES,
    find_field,
)
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import LocatedRow, decode_text, place_in_file
from goldwright.text import counted

ENDINGS: Final = {".csv": ",", ".tsv": "\t"}
# Of judgements: one document a row.
DOCUMENT_NAMES: Final = ("document", "doc_id", "docid", "corpus-id", "url", "githuburl")
GRADE_NAMES: Final = ("grade", "relevance", "score", "label", "rel")
_BETWEEN_IDS: Final = re.compile(r"[;|\n]")
# A grade is a whole number; spreadsheets write 2 as 2.0.
_WHOLE: Final = re.compile(r"([+-]?[0-9]{1,10})\.0+")
# Of characters; Python's own limit is lower than a long query with its facts.
_LONGEST_CELL: Final = 1_000_000
_STRATUM_PREFIX: Final = "stratum:"


class TableFormat:
    """The first line names the columns."""

    name = "table"
    shape = "CSV or TSV with the columns query and expected (or document and grade)"

    def claims_file(self, path: Path) -> bool:
        """Tell by the ending of its name, for any text could be a table."""
        return path.suffix.lower() in ENDINGS

    def read_file(self, path: Path, data: bytes, mapping: FieldMapping | None = None) -> Reading:
        """Read a table, by the names of its columns or by those that are stated for it.

        Raises:
            InputError: A column is missing, or a row has too many or too few cells.
        """
        rows = tuple(_located_rows(path, data))
        if not rows:
            if mapping is None:
                _wanted_columns(path, dict.fromkeys(_first_line(path, data)))
            raise InputError(f"{path}: the file holds no record; wanted at least one")
        if mapping is not None:
            rows = tuple(mapping.apply(row) for row in rows)
        columns = rows[0].row
        query, expected = _wanted_columns(path, columns)
        grade = find_field(columns, GRADE_NAMES)
        return reading_of(self.name, _merged(rows, query, expected, grade))


def _first_line(path: Path, data: bytes) -> list[str]:
    """Read the line that names the columns, or lacks them where it is the only one."""
    text = decode_text(path, data)
    delimiter = ENDINGS[path.suffix.lower()]
    text_lines = io.StringIO(text, newline="")
    return next(csv.reader(text_lines, delimiter=delimiter))


def _wanted_columns(path: Path, columns: Mapping[str, object]) -> tuple[str, str]:
    """Find the columns of the query and of what is expected."""
    query = find_field(columns, QUERY_NAMES)
    expected = find_field(columns, (*EXPECTED_NAMES, *DOCUMENT_NAMES))
    if query is not None and expected is not None:
        return query, expected
    names = ", ".join(quote_excerpt(name) for name in columns)
    advice = "columns of other names are stated by --fields query=NAME,expected=NAME"
    # As spreadsheets write tables where the comma stands in numbers.
    if len(columns) == 1 and ";" in names:
        advice = "columns are parted by commas, and in a file that ends in .tsv by tabs"
    raise InputError(
        f"{path}: line 1: wanted a column query and one of expected or document; "
        f"found {names}; {advice}"
    )


def _located_rows(path: Path, data: bytes) -> Iterator[LocatedRow]:
    text = decode_text(path, data)
    if not text.strip():
        raise InputError(f"{path}: the file is empty; wanted a dataset with at least one record")
    # A limit of the module's own, for it knows no other.
    csv.field_size_limit(_LONGEST_CELL)
    text_lines = io.StringIO(text, newline="")
    delimiter = ENDINGS[path.suffix.lower()]
    lines = csv.reader(text_lines, delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in next(lines)]
        _check_names(names, path)
        last_line = lines.line_num
        for cells in lines:
            # A quoted cell may go over several lines; the row is where it begins.
            place = f"{path}: line {last_line + 1}"
            last_line = lines.line_num
            if any(cell.strip() for cell in cells):
                yield LocatedRow(place, _row(names, cells, place))
    except csv.Error as error:
        raise InputError(f"{path}: line {lines.line_num}: not a table: {error}") from error


def _check_names(names: Sequence[str], path: Path) -> None:
    for name in names:
        if name and names.count(name) > 1:
            raise InputError(f"{path}: line 1: the column {name!r} stands there twice")


def _row(names: Sequence[str], cells: Sequence[str], place: str) -> dict[str, object]:
    if len(cells) != len(names):
        wanted_cells = counted(len(names), "cell")
        cell_count = len(cells)
        raise InputError(f"{place}: wanted {wanted_cells} as in the first line, found {cell_count}")
    named_cells = zip(names, cells, strict=True)
    return {name: cell.strip() for name, cell in named_cells}


def _merged(
    rows: Sequence[LocatedRow], query: str, expected: str, grade: str | None
) -> Iterator[DatasetQuery]:
    """Put the rows of one query together, in the order in which queries come first."""
    id_names = [name for name in ID_NAMES if name != query]
    id_field = find_field(rows[0].row, id_names)
    groups: dict[tuple[str, ...], list[LocatedRow]] = {}
    for located in rows:
        text = fields.required_text(located.row, query, place=located.place)
        if not text:
            raise InputError(f"{located.place}: {query}: the cell is empty")
        strata = fields.strata(located.row, place=located.place)
        key = (str(located.row[id_field]),) if id_field else (text, *strata.values())
        groups.setdefault(key, []).append(located)
    for key, group in groups.items():
        first = group[0]
        own_id = key[0] if id_field else ""
        query_id = own_id or place_in_file(first.place)
        yield _query(query_id, group, query, expected, grade)


def _query(
    query_id: str, group: Sequence[LocatedRow], query: str, expected: str, grade: str | None
) -> DatasetQuery:
    first = group[0]
    text = str(first.row[query])
    grades: dict[str, int] = {}
    for located in group:
        if located.row[query] != text:
            raise InputError(
                f"{located.place}: {quote_excerpt(query_id)} has another query there "
                f"than at {place_in_file(first.place)}"
            )
        worth = 1 if grade is None else _grade(located, grade)
        for document in _ids(located, expected):
            # Several people may have judged one document; the highest grade counts.
            known_worth = grades.get(document, worth)
            grades[document] = max(worth, known_worth)
    relevant = fields.relevant_ids(grades)
    strata = fields.strata(first.row, place=first.place)
    return DatasetQuery(
        query_id=query_id,
        query_text=text,
        expected_ids=relevant,
        grades=grades if grade else {},
        strata={**strata, **_named_strata(first)},
        place=first.place,
    )


def _grade(located: LocatedRow, field: str) -> int:
    cell = str(located.row[field])
    number = fields.whole_number(_WHOLE.sub(r"\1", cell))
    if number is None:
        excerpt = quote_excerpt(cell)
        raise InputError(
            f"{located.place}: {field}: wanted a whole number as grade, found {excerpt}"
        )
    return number


def _ids(located: LocatedRow, field: str) -> Iterator[str]:
    for part in _BETWEEN_IDS.split(str(located.row[field])):
        if part.strip():
            yield part.strip()


def _named_strata(located: LocatedRow) -> dict[str, str]:
    """Read columns such as ``stratum:team``."""
    strata: dict[str, str] = {}
    for name, value in located.row.items():
        dimension = name.removeprefix(_STRATUM_PREFIX)
        if dimension != name and value:
            strata[dimension] = str(value)
    return strata
