"""Ids that somebody may have meant."""

import pytest

from goldwright.text import nearest_ids

IDS = ("q_00001", "q_00010", "q_00018", "mine")


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("q_0001", ["q_00001"]),
        ("10", ["q_00010"]),
        ("mien", ["mine"]),
        ("0", list(IDS)),
        ("zzz", list(IDS)),
    ],
)
def test_an_id_of_the_same_number_is_nearest(wanted: str, nearest: list[str]) -> None:
    assert list(nearest_ids(wanted, IDS)) == nearest
