"""Which answers are read easily: few facts, few tests, nothing told beside them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from goldwright.offline_agents.answers.reading_cost import reading_cost
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.module_purpose import ModulePurpose
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.path_conditions import Condition
from goldwright.records import FileRange

LINES = FileRange(file="till.py", start=1, end=2)
PLAIN = DefinedIn("pay", "till.py")
TESTS = tuple(Condition("if", name) for name in ("open", "paid", "late"))


def findings(*statements: Statement) -> list[Finding]:
    return [Finding(statement, "till.py::pay", LINES) for statement in statements]


def cost(facts: Sequence[Statement], beside: Sequence[Statement] = ()) -> float:
    return reading_cost(findings(*facts), findings(Runs("pay", "f()", ())), findings(*beside))


def test_four_plain_facts_cost_nothing_and_each_further_one_does() -> None:
    assert cost([PLAIN] * 4) == 0
    assert cost([PLAIN] * 5) > 0
    assert cost([PLAIN] * 6) == pytest.approx(2 * cost([PLAIN] * 5))


@pytest.mark.parametrize(
    ("dear", "cheap"),
    [
        (Assigned("pay", "sum", "f()", ()), Runs("pay", "f()", ())),
        (ParameterDefault("pay", "sum", ""), ParameterDefault("pay", "sum", "1")),
        (Runs("pay", "f()", TESTS), Runs("pay", "f()", TESTS[:2])),
        (Runs("pay", "f()", (Condition("if", "a or b"),)), Runs("pay", "f()", TESTS[:1])),
        (Runs("pay", "f()", (Condition("if", "x" * 51),)), Runs("pay", "f()", TESTS[:1])),
    ],
)
def test_what_is_hard_to_read_costs_more(dear: Statement, cheap: Statement) -> None:
    assert cost([dear]) > cost([cheap]) == 0


def test_what_is_told_beside_the_facts_costs_by_how_little_it_says() -> None:
    described = cost([PLAIN], [Described("pay", "Pay for all coins.")])
    deed = cost([PLAIN], [Runs("pay", "f()", ())])
    filler = cost([PLAIN], [ModulePurpose("pay", "Tills.")])

    assert described == 0 < deed < filler


def test_an_answer_of_which_nobody_says_the_opposite_costs_most() -> None:
    [likely] = findings(Runs("pay", "f()", ()))
    unlikely = replace(likely, is_unlikely=True)

    assert reading_cost([], [unlikely], []) > reading_cost([], [unlikely, likely], []) == 0
