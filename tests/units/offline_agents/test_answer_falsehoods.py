"""What is true of the function anywhere is never offered as false."""

from pathlib import Path

import pytest

from goldwright.offline_agents.answers import answer_falsehoods
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.statements.catalog import STATEMENTS
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import findings_of
from goldwright.path_conditions import Condition
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


def test_what_may_be_done_in_an_unclear_place_is_no_falsehood(tmp_path: Path) -> None:
    """Behind a try that goes on, nobody can say on which conditions the end is reached."""
    (tmp_path / "code").mkdir()
    code = """
def wait(pot, oven):
    if pot in oven:
        return cool(pot)
    try:
        heat(pot)
    except Exception:
        pot = oven.repair(pot)
        if not pot:
            log(pot)
    return cool(pot)
"""
    (tmp_path / "code" / "shop.py").write_text(code)
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    opened = context.function("shop.py::wait")
    assert opened is not None
    returned = list(findings_of(Returned, opened[0], "wait", opened[1]))
    turned = Returned("wait", "cool(pot)", (Condition("unless", "pot in oven"),))
    assert [finding.lines.start for finding in returned] == [4]
    assert answer_falsehoods._is_true(turned, "shop.py::wait", context)


def test_a_call_that_is_part_of_another_statement_is_made_all_the_same(tmp_path: Path) -> None:
    code = """
def work(route):
    pattern = pattern_of(route)
    if route is None:
        return [pattern_of(route)]
    return [pattern]
"""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(code)
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    for kind in ("if", "unless"):
        path = (Condition(kind, "route is None"),)
        statement = Runs("work", "pattern_of(route)", path)
        assert answer_falsehoods._is_true(statement, "shop.py::work", context)
