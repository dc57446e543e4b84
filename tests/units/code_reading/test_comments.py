"""Comments on lines of their own, with the statement below."""

from pathlib import Path

from goldwright.code_reading.comments import comments_of
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


def test_lines_of_comment_are_joined_and_strings_are_none(tmp_path: Path) -> None:
    """Only what stands right above a statement is about it."""
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    module = open_module(open_snapshot(root, cache=tmp_path / "cache"), "shop.py")
    assert module is not None
    function = module.function("close")
    assert function is not None
    (comment,) = comments_of(module, function)
    assert comment.text == "Lock first so that nobody walks in."
    assert (comment.first, comment.last, comment.statement.lineno) == (6, 7, 8)
