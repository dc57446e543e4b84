"""What is true of the function anywhere is never offered as false."""

from pathlib import Path

import pytest

from goldwright.offline_agents import answer_falsehoods
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.statements.catalog import STATEMENTS
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import findings_of
from goldwright.snapshot import open_snapshot


@pytest.mark.parametrize(
    "deed",
    [
        "return 'one'",
        "raise ValueError('one thing is wrong')",
        "logger.info('one thing is done')",
        "size = count(pot)",
        "fire(pot)",
        "self.pots[pot] = bake(pot)",
    ],
)
def test_an_inversion_that_is_true_elsewhere_is_no_falsehood(tmp_path: Path, deed: str) -> None:
    """Done under a condition and without it, the inverted condition is true as well."""
    (tmp_path / "code").mkdir()
    code = f"def work(self, pot):\n    if pot:\n        {deed}\n    else:\n        {deed}\n"
    (tmp_path / "code" / "shop.py").write_text(code)
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    opened = context.function("shop.py::work")
    assert opened is not None
    module, function = opened
    of_both = [
        finding
        for kind in STATEMENTS
        for finding in findings_of(kind, module, "work", function)
        if finding.lines.start in {3, 5} and finding.statement.conditions
    ]
    # Of two returns of one value, what comes back "unless" is not told.
    assert len(of_both) >= (1 if deed.startswith("return") else 2)
    facts = [finding for finding in of_both if finding.lines.start == 3]
    plan = AnswerPlan(parts=(), opening="", facts=tuple(facts))
    true_sentences = {finding.statement.sentence() for finding in of_both}
    falsehoods = list(answer_falsehoods._falsehoods(plan, facts, context))
    assert true_sentences.isdisjoint(false.statement.sentence() for false in falsehoods)


def test_a_message_that_a_longer_one_begins_with_is_no_falsehood(tmp_path: Path) -> None:
    """Whoever reads that one would not call it false."""
    (tmp_path / "code").mkdir()
    code = """
def work(pot):
    if not pot.lid:
        raise ValueError("there is no lid_of_iron")
    if not pot.lid.knob:
        raise ValueError("there is no lid")
"""
    (tmp_path / "code" / "shop.py").write_text(code)
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    opened = context.function("shop.py::work")
    assert opened is not None
    raised = list(findings_of(Raises, opened[0], "work", opened[1]))
    plan = AnswerPlan(parts=(), opening="", facts=tuple(raised[1:]))
    falsehoods = list(answer_falsehoods._falsehoods(plan, raised[1:], context))
    assert [false for false in falsehoods if false.statement.conditions[0].kind == "unless"] == []
