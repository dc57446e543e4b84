"""Who calls a class runs its ``__init__``: a text may name that on the lines of the call."""

from pathlib import Path

import pytest

from goldwright.records import FileRange
from goldwright.snapshot import open_snapshot
from goldwright.snapshot.mentions.mention_coverage import MentionScope, uncovered_mentions

CODE = """
class Boat:
    def __init__(self, name): ...

class Raft:
    def __init__(self, logs): ...

def launch(name) -> Boat:
    if name:
        return Boat(name)
    return isinstance(name, Raft)
"""


@pytest.mark.parametrize(
    ("name", "line", "is_covered"),
    [
        ("Boat.__init__", 10, True),
        ("Boat.__init__", 8, False),
        ("Raft.__init__", 10, False),
        ("Raft.__init__", 11, False),
    ],
    ids=["called", "an annotation", "another class", "a check of the type"],
)
def test_the_constructor_is_covered_where_its_class_is_called(
    tmp_path: Path, name: str, line: int, *, is_covered: bool
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "harbour.py").write_text(CODE)
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    lines = FileRange(file="harbour.py", start=line, end=line)
    scope = MentionScope(frozenset({"harbour.py::launch"}), frozenset({"harbour.py"}), (lines,))
    outside = uncovered_mentions(f"`{name}` is called by `launch`.", scope, snapshot)
    assert (outside == ()) is is_covered
