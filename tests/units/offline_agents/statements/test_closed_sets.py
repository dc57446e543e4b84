"""Who calls a class is whoever makes its objects; imports, exports and annotations call nothing."""

from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.snapshot import open_snapshot

CODE = """
from other import Pot, glaze

__all__ = ["Pot", "glaze"]

class Pot:
    def __init__(self, size): ...

class Urn(Pot): ...

def throw(clay: Pot):
    return Pot(1)

def fire(pot):
    return glaze(pot)

def glaze(pot):
    return glaze(pot)

def hand(kiln):
    kiln.act = glaze
"""


@pytest.mark.parametrize(
    ("callee", "callers"),
    [
        ("Pot.__init__", {"throw"}),
        ("glaze", {"fire", "hand"}),
        ("fire", set()),
    ],
)
def test_callers_are_seen_on_lines_of_product_code(
    tmp_path: Path, callee: str, callers: set[str]
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "kiln.py").write_text(CODE)
    (tmp_path / "code" / "test_kiln.py").write_text("def test():\n    glaze(Pot(1))\n    fire(1)\n")
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    code = TokenCodebase(snapshot, Toolset(snapshot), [f"kiln.py::{callee}"])
    statement = OnlyCallers(callee, ())
    assert statement.seen_members(code) == frozenset(callers)
    shown = OnlyCallers(callee, tuple(sorted(callers)))
    assert shown.is_shown(code)[0] == "shown"
