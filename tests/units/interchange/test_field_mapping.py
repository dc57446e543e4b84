"""Fields by names that no reader could know."""

import json
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.opening import open_dataset

ROWS = [
    {"query": "SELECT 1", "ask": "Who adds?", "truth": {"ids": ["a.py::add"]}, "n": 4, "Source": 1},
    {"query": "SELECT 2", "ask": "Who subtracts?", "truth": {"ids": ["a.py::sub"]}, "n": 5},
]


def queries_of(path: Path, *texts: str) -> list[tuple[str, str, tuple[str, ...]]]:
    dataset = open_dataset(str(path), path.parent, FieldMapping.read(texts))
    return [(query.query_id, query.query_text, query.expected_ids) for query in dataset]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    return path


def test_a_stated_field_wins_over_one_of_the_known_name_and_a_dot_leads_into_an_object(
    lines: Path,
) -> None:
    assert queries_of(lines, "query=ask,expected=truth.ids", "id=n") == [
        ("4", "Who adds?", ("a.py::add",)),
        ("5", "Who subtracts?", ("a.py::sub",)),
    ]


def test_columns_of_a_table_may_have_commas_in_their_names(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text('"What, asked",Query,found in,worth\nWho adds?,x,a.py::add,2\n')
    dataset = open_dataset(
        str(path),
        tmp_path,
        FieldMapping.read(["query=What, asked,expected=found in,grade=worth"]),
    )
    assert [(query.query_text, query.grades) for query in dataset] == [
        ("Who adds?", {"a.py::add": 2})
    ]
    assert dataset.fields == {"query": "What, asked", "expected": "found in", "grade": "worth"}


def test_any_other_field_may_be_missing_from_a_row(lines: Path) -> None:
    dataset = open_dataset(
        str(lines),
        lines.parent,
        FieldMapping.read(["query=ask,expected=truth.ids,category=Source,facts=known"]),
    )
    assert [query.strata.get("category") for query in dataset] == ["1", None]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("query=ask,expected=truht", "line 1: wanted the field 'truht' (expected), found 'query'"),
        ("query=ask,expected=truth.names", "wanted the field 'truth.names' (expected)"),
        ("qurey=ask", "'qurey' is no part of a query; did you mean query?"),
        ("colour=ask", "'colour' is no part of a query; wanted query, expected, id"),
        ("query", "wanted ROLE=FIELD, as in query=question, found 'query'"),
        ("query=", "wanted ROLE=FIELD"),
        ("query=a,query=b", "query stands there twice"),
    ],
)
def test_a_mapping_that_fits_nothing_ends_in_one_line(lines: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        queries_of(lines, text)
    message = str(caught.value)
    assert problem in message
    assert "\n" not in message


def test_a_folder_has_fields_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="goes with a file of records"):
        queries_of(tmp_path, "query=ask")
