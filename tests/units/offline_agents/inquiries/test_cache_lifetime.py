"""How long something is kept: asked only where nobody else may replace it unseen."""

from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.cache_lifetime import CacheLifetime
from goldwright.snapshot import open_snapshot

CODE = '''class Wardrobe:
    """The costumes of a theatre."""

    def __init__(self, tailor):
        self._sizes = {{}}
        self._tailor = tailor

    def size_of(self, actor):
        """Give the size of an actor, who is measured once."""
        if actor not in self._sizes:
            self._sizes[actor] = self._tailor.measure(actor)
        return self._sizes[actor]
{method}'''
REMEASURE = """
    def remeasure(self, actor, size):
        \"\"\"Note a new size.\"\"\"
        self._sizes[actor] = size
"""


@pytest.mark.parametrize(("method", "is_asked"), [("", True), (REMEASURE, False)])
def test_who_else_puts_a_value_under_a_key_may_replace_the_one_that_is_kept(
    tmp_path: Path, method: str, *, is_asked: bool
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "wardrobe.py").write_text(CODE.format(method=method))
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = context.module("wardrobe.py")
    assert isinstance(module, Module)
    inquiry = CacheLifetime()
    plans = [
        inquiry.answer(question.intent, question.targets, context)
        for lead in inquiry.leads(module)
        for question in inquiry.questions(lead, context)
    ]
    assert any(plan is not None for plan in plans) is is_asked
