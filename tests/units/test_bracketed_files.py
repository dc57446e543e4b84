"""Files of definitions, told in brackets behind their names and left out again."""

import pytest

from goldwright.bracketed_files import add_files, without_files

PATHS = {"bake": "oven.py", "Kiln.fire": "shop/kiln.py", "Kiln.cool": "shop/kiln.py"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Only `bake` calls it.", "Only `bake` (`oven.py`) calls it."),
        ("`bake` calls `bake` again.", "`bake` (`oven.py`) calls `bake` again."),
        ("`bake` in `oven.py` calls it.", "`bake` in `oven.py` calls it."),
        (
            "`Kiln.fire` and `Kiln.cool` call it.",
            "`Kiln.fire` (`shop/kiln.py`) and `Kiln.cool` call it.",
        ),
        ("It runs `bake()`.", "It runs `bake()`."),
    ],
)
def test_a_file_is_told_once_where_its_name_comes_first(text: str, told: str) -> None:
    assert add_files(text, PATHS) == told
    assert without_files(told) == text


def test_other_brackets_stay() -> None:
    text = "It raises `Hot` (“too hot”) and calls `bake` (`again`) in `oven.py`."
    assert without_files(text) == text
