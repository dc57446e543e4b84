"""The whole way of an error: through which callers it goes, and which clauses end it."""

from pathlib import Path

import pytest

from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.routes import (
    may_be_caught_above,
    steps_of_callers,
    ways_up,
)
from goldwright.snapshot import open_snapshot

RAISER = """
def check_drawer(drawer):
    if drawer.is_open:
        raise ValueError("a drawer is still open")


def count_drawer(drawer):
    check_drawer(drawer)
    return drawer.coins
"""
CAUGHT = """
def close_till(till):
    try:
        return count_drawer(till.drawer)
    except ValueError:
        return None
"""
LET_OUT = """
def audit_till(till):
    return count_drawer(till.drawer)
"""
CAUGHT_ABOVE = """
def audit_shop(shop):
    try:
        return audit_till(shop.till)
    except Exception:
        return None
"""
RAISED_AGAIN = """
def reopen_till(till):
    try:
        return count_drawer(till.drawer)
    except ValueError:
        till.lock()
        raise
"""
HANDED_ON = """
TASKS = [audit_till]
"""


def _context(root: Path, code: str) -> CodeContext:
    (root / "code").mkdir()
    (root / "code" / "shop.py").write_text(code)
    return CodeContext(open_snapshot(root / "code", cache=root / "cache"))


@pytest.mark.parametrize(
    ("code", "steps"),
    [
        (CAUGHT, [("count_drawer", ""), ("close_till", "ValueError")]),
        (
            CAUGHT + LET_OUT + CAUGHT_ABOVE,
            [
                ("count_drawer", ""),
                ("audit_till", ""),
                ("close_till", "ValueError"),
                ("audit_shop", "Exception"),
            ],
        ),
        # One way leads out of the codebase, one back up, one to somewhere else.
        (CAUGHT + LET_OUT, []),
        (CAUGHT + RAISED_AGAIN, []),
        (LET_OUT + CAUGHT_ABOVE + HANDED_ON, []),
        ("", []),
    ],
)
def test_a_way_is_told_where_every_branch_of_it_ends_in_a_clause(
    tmp_path: Path, code: str, steps: list[tuple[str, str]]
) -> None:
    context = _context(tmp_path, RAISER + code)
    way = ways_up(context, "shop.py::check_drawer", 4, "ValueError")
    assert [(name_of(step.caller), step.clause) for step in way] == steps


@pytest.mark.parametrize(
    ("code", "may_be_caught"),
    [
        ("", False),
        (LET_OUT, False),
        (LET_OUT + CAUGHT_ABOVE, True),
        (LET_OUT + CAUGHT_ABOVE.replace("Exception", "OSError"), False),
        # Who calls that is not all known.
        (LET_OUT + HANDED_ON, True),
    ],
)
def test_a_clause_further_up_is_seen_and_looked_for_where_not_all_callers_are_known(
    tmp_path: Path, code: str, *, may_be_caught: bool
) -> None:
    context = _context(tmp_path, RAISER + code)
    subject = "shop.py::check_drawer"
    steps = steps_of_callers(context, subject, 4, "ValueError")
    assert [step.clause for step in steps] == [""]
    assert may_be_caught_above(context, steps, subject, "ValueError") == may_be_caught
