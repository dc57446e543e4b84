"""How many there are of something, and which, in words."""

import pytest

from goldwright.text import counted, name_all


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "record", "0 records"),
        (1, "record", "1 record"),
        (2, "record", "2 records"),
        (1, "canary", "1 canary"),
        (4, "canary", "4 canaries"),
        (3, "falsified reply", "3 falsified replies"),
        (2, "key", "2 keys"),
        (12_345, "file", "12,345 files"),
    ],
)
def test_a_count_stands_before_its_noun(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text


def test_a_plural_of_its_own_is_taken_where_it_is_given() -> None:
    assert counted(1, "person", "people") == "1 person"
    assert counted(2, "person", "people") == "2 people"


@pytest.mark.parametrize(
    ("names", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_the_last_of_several_names_stands_behind_an_and(names: list[str], text: str) -> None:
    assert name_all(names) == text
    assert name_all(names, joint="or") == text.replace("and", "or")
