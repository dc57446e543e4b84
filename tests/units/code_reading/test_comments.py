"""Comments on lines of their own, with the statement below."""

from pathlib import Path

import pytest

from goldwright.code_reading.comments import Comment, comments_of
from goldwright.code_reading.modules import open_module
from goldwright.snapshot import open_snapshot

CODE = '''def close(shop):
    """Close it.

    # not a comment
    """
    # Lock first
    # so that nobody walks in.
    shop.lock()  # at the end of a line
    # stands above nothing

    return shop
'''


def comments(code: str, name: str, tmp_path: Path) -> list[Comment]:
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(code)
    module = open_module(open_snapshot(root, cache=tmp_path / "cache"), "shop.py")
    assert module is not None
    function = module.function(name)
    assert function is not None
    return list(comments_of(module, function))


def test_lines_of_comment_are_joined_and_strings_are_none(tmp_path: Path) -> None:
    """Only what stands right above a statement is about it."""
    (comment,) = comments(CODE, "close", tmp_path)
    assert comment.text == "Lock first so that nobody walks in."
    assert (comment.first, comment.last, comment.statement.lineno) == (6, 7, 8)


def test_above_an_assertion_for_type_checkers_nothing_is_explained(tmp_path: Path) -> None:
    code = """
def pay(till):
    # Open it first because it may be locked.
    assert till is not None
    till.open()
    # A till that is sold has no lock at all.
    assert till.lock
"""
    (comment,) = comments(code, "pay", tmp_path)
    assert comment.text == "A till that is sold has no lock at all."


@pytest.mark.parametrize(
    ("second", "is_run_together"),
    [("It may be wet", True), ("it may be wet", False), ("HTTP is wet", False), ("(It is)", False)],
)
@pytest.mark.parametrize(("end", "is_ended"), [("", False), (".", True), (":", True)])
def test_a_sentence_that_begins_where_none_has_ended_is_noticed(
    tmp_path: Path, second: str, end: str, *, is_run_together: bool, is_ended: bool
) -> None:
    """Joined to one line, nobody could tell the two apart."""
    code = f"def close(shop):\n    # Lock the door{end}\n    # {second}\n    shop.lock()\n"
    (comment,) = comments(code, "close", tmp_path)
    assert comment.is_run_together is (is_run_together and not is_ended)
