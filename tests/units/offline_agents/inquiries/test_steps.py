"""The steps of a function, asked of whatever a record expects."""

from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.steps import Steps
from goldwright.offline_agents.inquiries.surroundings import intent_of
from goldwright.snapshot import open_snapshot

CODE = '''def mix(clay):
    """Mix the clay."""
    return clay


def dry(clay, depth):
    """Dry the clay."""
    return clay


def fire(clay, depth):
    """Fire the clay."""
    if depth > 9:
        raise ValueError("the kiln is stacked higher than it may be")
    mix(clay)
    dry(clay, depth)
    return clay


def make(clay):
    """Make a pot."""
    return fire(clay, 0)
'''


@pytest.mark.parametrize("targets", [("make",), ("fire", "make"), ("mix", "dry"), ("fire",)])
def test_whatever_another_question_expects_is_no_error(
    tmp_path: Path, targets: tuple[str, ...]
) -> None:
    """A falsified answer answers the question of a neighbour with the targets of its own."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "kiln.py").write_text(CODE)
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = code.module("kiln.py")
    assert isinstance(module, Module)
    inquiry = Steps()
    (lead,) = [lead for lead in inquiry.leads(module) if lead.subject == "kiln.py::fire"]
    ids = tuple(f"kiln.py::{name}" for name in targets)
    plan = inquiry.answer(intent_of(lead, ()), ids, code)
    assert plan is None or plan.parts
