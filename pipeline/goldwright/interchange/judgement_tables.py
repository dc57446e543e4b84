"""Reading judgements from text files, one judgement a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.loading import read_bytes
from goldwright.interchange.judgements import Judgements
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.row_locations import decode_text
from goldwright.retrieval.column_ids import decoded

_NUMBER: Final = re.compile(r"[+-]?[0-9.]+")


@dataclass(frozen=True, slots=True)
class TableLayout:
    """How the lines of a file of judgements are laid out.

    The query id comes first, the document id and the grade come last.

    Attributes:
        columns: The names of the columns.
        separator: What is between two columns; None for any white space.
        has_header: Whether the first line names the columns.
    """

    columns: tuple[str, ...]
    separator: str | None
    has_header: bool


def read_judgements(path: Path, layout: TableLayout, judgements: Judgements) -> None:
    """Add the judgements of a file to others; empty lines are skipped.

    Raises:
        InputError: A line is no judgement; the text names it.
    """
    for number, line in enumerate(read_lines(path, content="judgements"), start=1):
        place = f"{path}: line {number}"
        cells = line.split(layout.separator)
        if layout.has_header and number == 1:
            _check_header(cells, layout, place)
        elif line.strip():
            _check_cells(cells, layout, place, line)
            query_id = decoded(cells[0])
            document_id = decoded(cells[-2])
            judgements.add(place, query_id, document_id, cells[-1])


def read_lines(path: Path, *, content: str) -> Iterator[str]:
    """Yield the lines of a text file without their ends.

    Raises:
        InputError: It cannot be read, or is not UTF-8.
    """
    text = decode_text(path, read_bytes(path, content=content))
    # Not splitlines(): a query may hold U+2028 and other separators that end no line.
    for line in text.removesuffix("\n").split("\n"):
        yield line.removesuffix("\r")


def _check_header(cells: list[str], layout: TableLayout, place: str) -> None:
    columns = list(layout.columns)
    has_all_columns = len(cells) == len(columns)
    is_full_row = has_all_columns and all(cells)
    # Many write the three columns under names of their own; a judgement has a number at its end.
    if not is_full_row or _NUMBER.fullmatch(cells[-1]):
        excerpt = quote_excerpt(" ".join(cells))
        # BEIR's own reader takes the first line for a header whatever it holds.
        raise InputError(
            f"{place}: wanted the header {columns}, found {excerpt}; "
            "without one, BEIR skips the first judgement"
        )


def _check_cells(cells: list[str], layout: TableLayout, place: str, line: str) -> None:
    if len(cells) != len(layout.columns) or not all(cells):
        columns = " ".join(layout.columns)
        excerpt = quote_excerpt(line)
        raise InputError(f"{place}: wanted {columns}, found {excerpt}")
