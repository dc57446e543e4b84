"""Which clauses keep an error to themselves: they alone are asked about."""

from pathlib import Path

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.swallowed_error import SwallowedError
from goldwright.snapshot import open_snapshot

CODE = """
import logging

logger = logging.getLogger(__name__)


def count(coins):
    total = 0
    for coin in coins:
        try:
            total += coin.weigh()
        except {caught}:
            {does}
    return total
"""


@pytest.mark.parametrize(
    ("caught", "does", "is_asked"),
    [
        ("OSError", "pass", True),
        ("OSError", 'logger.warning("a coin was not weighed")', True),
        ("OSError", "continue", True),
        ("OSError", "break", True),
        ("OSError", "return None", True),
        ("OSError", "raise", False),
        ("OSError", 'raise ValueError("a coin cannot be weighed")', False),
        ("OSError", "total += coin.guess()", False),
        ("(OSError, KeyError)", "pass", False),
        ("errors", "pass", False),
    ],
)
def test_a_clause_is_asked_about_where_it_tells_nobody(
    tmp_path: Path, caught: str, does: str, *, is_asked: bool
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "till.py").write_text(CODE.format(caught=caught, does=does))
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = code.module("till.py")
    assert module is not None

    leads = list(SwallowedError().leads(module))

    assert [lead.detail for lead in leads] == (["OSError"] if is_asked else [])
