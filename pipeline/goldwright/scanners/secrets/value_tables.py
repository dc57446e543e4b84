"""Reading the tables of plain values: sections of words, names or patterns."""

from functools import cache
from typing import Any, Final

from goldwright.scanners.data_files import read_data_file

PACKAGE: Final = "goldwright.scanners.secrets"


@cache
def values_of(table: str, section: str) -> tuple[str, ...]:
    """Give the values of one section of a table, in their order; words are in lower case."""
    values: str = _load(table)[section]["values"]
    return tuple(values.split())


@cache
def _load(table: str) -> dict[str, Any]:
    return read_data_file(PACKAGE, table)
