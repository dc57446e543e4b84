"""What a plan of one's own may leave out."""

from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.plan import read_plan


def test_a_plan_needs_a_name_a_total_and_cells_alone(tmp_path: Path) -> None:
    """Nine records of ten are enough for it, rounded up."""
    path = tmp_path / "plan.json"
    path.write_text(
        '{"schema_version": "1.0.0", "name": "mine", "total": 12, '
        '"cells": {"locate": {"easy": 6}, "explain": {"medium": 6}}}'
    )
    assert read_plan(path).minimum_total == 11


def test_a_total_that_is_no_number_is_what_is_named(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text('{"schema_version": "1.0.0", "name": "mine", "total": "x", "cells": {}}')
    with pytest.raises(InputError, match=r"total: Input should be a valid integer"):
        read_plan(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"name"', '"nme"', r"nme: no such field; did you mean name\?"),
        ('"total": 1, ', '"total": 1, "totl": 1, ', r"totl: no such field; did you mean total\?"),
        ('"locate"', '"locat"', r"cells\.locat: Input should be 'locate', .*, found 'locat'"),
    ],
)
def test_a_slip_in_a_plan_is_told_in_plain_words(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = (
        '{"schema_version": "1.0.0", "name": "mine", "total": 1, "cells": {"locate": {"easy": 1}}}'
    )
    path = tmp_path / "plan.json"
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=message) as caught:
        read_plan(path)
    # What follows from the slip is no further problem.
    assert ("more)" in str(caught.value)) == (old == '"name"')
