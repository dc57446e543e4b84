"""Data frames of pandas or polars, whichever is installed."""

import sys
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from goldwright.errors import InputError
from goldwright.notebooks.frames import make_frame, strata_columns

ROWS: list[dict[str, Any]] = [
    {"id": "q1", "rank": 1, "value": 0.5, "ids": ["a", "b"], "right": True},
    {"id": "q2", "rank": None, "value": 1.0, "ids": [], "right": None},
]


class StandIn(ModuleType):
    """A module that keeps what a frame is made of."""

    def DataFrame(self, columns: dict[str, list[Any]], **_options: bool) -> object:  # noqa: N802  # the name of polars
        return columns


def test_rows_become_rows_of_pandas() -> None:
    frame = make_frame(ROWS)
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["id", "rank", "value", "ids", "right"]
    assert frame["ids"].tolist() == [["a", "b"], []]
    # A missing rank makes no fraction of the others.
    assert str(frame["rank"].dtype) == "Int64"
    assert frame["rank"].isna().tolist() == [False, True]
    # What is not known is not false.
    assert frame["right"].tolist() == [True, None]


def test_polars_is_taken_where_pandas_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", StandIn("polars"))
    assert make_frame(ROWS)["rank"] == [1, None]


def test_pandas_comes_first_and_polars_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", StandIn("polars"))
    assert isinstance(make_frame(ROWS), pd.DataFrame)
    assert make_frame(ROWS, "polars")["id"] == ["q1", "q2"]


def test_without_either_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match="needs pandas or polars; pip install pandas"):
        make_frame(ROWS)
    with pytest.raises(InputError, match="needs polars; pip install polars"):
        make_frame(ROWS, "polars")


def test_another_library_is_refused() -> None:
    with pytest.raises(InputError, match="dask: wanted one of pandas, polars"):
        make_frame(ROWS, "dask")  # type: ignore[arg-type]  # that is the point


def test_each_query_has_each_dimension_and_no_column_is_named_twice() -> None:
    columns = strata_columns([{"kind": "a", "MRR": "x"}, {"team": "b"}], ["MRR"])
    assert columns == [
        {"kind": "a", "stratum.MRR": "x", "team": None},
        {"kind": None, "stratum.MRR": None, "team": "b"},
    ]
