"""Reading a dataset: what is wrong with a record is told by its place and its query id."""

import json

import pytest

from goldwright.errors import InputError
from goldwright.golden.loading import parse_dataset


@pytest.mark.parametrize(
    ("row", "begin"),
    [
        ({"query_id": "q_00007"}, "golden.json: record 1 (q_00007): "),
        ({"query_id": "x" * 61}, "golden.json: record 1: "),
        ({"query_id": "a\nb"}, "golden.json: record 1: "),
        ({"query_id": ""}, "golden.json: record 1: "),
        ({"query_id": 7}, "golden.json: record 1: "),
        ({}, "golden.json: record 1: "),
        ([], "golden.json: record 1: "),
    ],
)
def test_a_wrong_record_is_named_where_its_id_fits_into_the_line(row: object, begin: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_dataset(json.dumps([row]).encode(), source="golden.json")
    assert str(caught.value).startswith(begin)
    assert "\n" not in str(caught.value)
