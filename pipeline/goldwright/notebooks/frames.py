"""Rows as a data frame of pandas or polars, whichever is installed."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from goldwright.errors import InputError

FrameLibrary = Literal["pandas", "polars"]
"""A library of data frames."""

Row = Mapping[str, object]

# The first one that is there is taken.
_LIBRARIES: Final[Sequence[FrameLibrary]] = ("pandas", "polars")


def make_frame(rows: Sequence[Row], library: FrameLibrary | None = None) -> Any:
    """Make a data frame.

    Args:
        rows: At least one row; all have the columns of the first, in its order.
        library: The library to use; by default the first of pandas and polars that is installed.

    Returns:
        A ``pandas.DataFrame`` or a ``polars.DataFrame``. Both are optional, so no type says which.

    Raises:
        InputError: The library is not installed, or neither is, or it is another one.
    """
    if library is not None and library not in _LIBRARIES:
        raise InputError(f"{library}: wanted one of {', '.join(_LIBRARIES)}")
    module = _load(_LIBRARIES if library is None else (library,))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    if module.__name__ == "polars":
        # A column may begin with None, or hold whole numbers before others.
        return module.DataFrame(columns, strict=False)
    return module.DataFrame({name: _with_gaps(values, module) for name, values in columns.items()})


def strata_columns(
    strata: Sequence[Mapping[str, str]], reserved_names: Sequence[str]
) -> Sequence[Mapping[str, str | None]]:
    """Give the strata of queries as a column for each dimension.

    Args:
        strata: For each query its stratum in each dimension.
        reserved_names: The names of the other columns; a dimension of such a name becomes
            ``stratum.NAME``.

    Returns:
        For each query its strata by column; None where it has none in a dimension.
    """
    dimensions = dict.fromkeys(name for of_query in strata for name in of_query)
    columns = {name: f"stratum.{name}" if name in reserved_names else name for name in dimensions}
    return [{column: of_query.get(name) for name, column in columns.items()} for of_query in strata]


def _with_gaps(values: Sequence[object], pandas: Any) -> object:
    """Keep whole numbers whole where some are missing, which pandas would make fractions of."""
    kinds = {type(value) for value in values}
    if kinds == {int, type(None)}:
        return pandas.array(values, dtype="Int64")
    return values


def _load(libraries: Sequence[FrameLibrary]) -> Any:
    for name in libraries:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            # A library that is there and broken says so itself.
            if error.name != name:
                raise
    names = " or ".join(libraries)
    raise InputError(f"to_frame: needs {names}; pip install {libraries[0]}")
