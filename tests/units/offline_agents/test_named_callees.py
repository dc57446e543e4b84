"""Questions that name a function and want its callers: nothing of itself is expected."""

from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.callers import Callers
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Question
from goldwright.offline_agents.inquiries.named_callees import (
    WITH_ARGUMENTS,
    WITH_CONDITIONS,
    aside_of_tests,
)
from goldwright.offline_agents.inquiries.results_of_calls import calls_told, gives_result
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.snapshot import open_snapshot

SHOP = '''
def price_of(basket):
    """Add the prices of a basket up."""
    return sum(basket)


def pay(basket, till):
    till.book(price_of(basket))


def offer(basket):
    total = price_of(basket)
    return total - 1


def close(baskets, till):
    for basket in baskets:
        pay(basket, till)


def show(basket):
    print(offer(basket))
'''


def context_of(tmp_path: Path, code: str) -> CodeContext:
    """Write a codebase of one file, and open it."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(code)
    return CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))


def asked(tmp_path: Path, code: str, name: str) -> list[tuple[Question, AnswerPlan | None]]:
    """Ask for the callers of a function whose name the questions hold, and answer that."""
    context = context_of(tmp_path, code)
    module = open_module(context.snapshot, "shop.py")
    assert module is not None
    inquiry = Callers()
    (lead,) = [lead for lead in inquiry.leads(module) if lead.subject == f"shop.py::{name}"]
    return [
        (question, inquiry.answer(question.intent, question.targets, context))
        for question in inquiry.questions(lead, context)
        if lead.subject not in question.targets
    ]


def test_the_callers_are_the_answer_and_their_calls_bear_it_out(tmp_path: Path) -> None:
    questions = asked(tmp_path, SHOP, "price_of")
    assert {str(question.cell) for question, _ in questions} >= {"extend/medium", "general/medium"}
    for question, plan in questions:
        assert all("`{name}`" in phrasing for phrasing in question.phrasings)
        if question.intent.settles == WITH_CONDITIONS:
            continue
        assert plan is not None
        assert [part.entity_id for part in plan.parts] == list(question.targets)
        assert {part.role for part in plan.parts} == {"primary"}
        assert plan.named == "shop.py::price_of"
        (who,) = [
            fact
            for fact in plan.facts
            if isinstance(fact.statement, OnlyCallers) and fact.statement.callee == "price_of"
        ]
        cited = [(lines.start, lines.end) for lines in who.cited_lines()]
        assert sorted(cited) == [(8, 8), (12, 12)]
        assert all(fact.entity_id != plan.named for fact in plan.facts)
        assert "`shop.py`" not in plan.opening


def test_two_levels_are_asked_where_somebody_calls_the_callers(tmp_path: Path) -> None:
    (hard,) = [
        question.targets
        for question, _ in asked(tmp_path, SHOP, "price_of")
        if str(question.cell) == "extend/hard"
    ]
    assert set(hard[:2]) == {"shop.py::pay", "shop.py::offer"}
    assert set(hard[2:]) == {"shop.py::close", "shop.py::show"}


SHIPS = """
class Boat:
    def __init__(self, name):
        self.name = name


def launch(name, harbour) -> Boat:
    if harbour.is_open:
        return Boat(name)
    raise LookupError("no harbour is open today")


def christen(names, harbour):
    return [launch(name, harbour) for name in names]
"""


def test_makers_of_objects_are_asked_for_by_the_class(tmp_path: Path) -> None:
    questions = asked(tmp_path, SHIPS, "Boat.__init__")
    by_cell = {str(question.cell): (question, plan) for question, plan in questions}
    for cell in ("general/medium", "general/hard", "explain/medium", "explain/hard"):
        question, plan = by_cell[cell]
        assert question.slots["name"] == "Boat"
        assert plan is not None
        assert "shop.py::launch" in question.targets
        said = " ".join(fact.statement.sentence() for fact in plan.facts)
        # Who asks when is told the conditions.
        is_asked_when = cell == "explain/medium"
        told = "runs `Boat(name)` if" if is_asked_when else "calls `Boat.__init__` as `Boat(name)`"
        assert f"`launch` {told}" in said
        assert plan.closing == ""
    extended, _ = by_cell["extend/medium"]
    assert extended.slots["name"] == "Boat.__init__"


@pytest.mark.parametrize(
    "method",
    [
        "    def twin(self):\n        return copy.copy(self)\n",
        "    @classmethod\n    def named(cls, name):\n        return cls(name)\n",
    ],
    ids=["copied", "made by cls"],
)
def test_nobody_is_asked_for_makers_of_what_makes_itself(tmp_path: Path, method: str) -> None:
    code = SHIPS.replace("        self.name = name\n", f"        self.name = name\n\n{method}")
    assert asked(tmp_path, code, "Boat.__init__") == []


def test_the_first_call_shows_who_makes_an_object_and_no_annotation_does(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHIPS)
    snapshot = open_snapshot(tmp_path, cache=tmp_path.parent / "cache")
    code = TokenCodebase(snapshot, Toolset(snapshot), ["shop.py::launch"])
    place = OnlyCallers("Boat.__init__", ("launch",)).place(code)
    assert place is not None
    assert (place.start, place.end) == (9, 9)


PARSERS = """
class Letter:
    def parse(self, text):
        return text.split()


class Number:
    def parse(self, text):
        return int(text)


def read(text):
    letter = Letter()
    if text:
        return letter.parse(text)
    return []
"""


def test_a_call_that_does_not_show_what_is_called_bears_nothing_out(tmp_path: Path) -> None:
    """Two classes have such a method, and the line of the call names neither."""
    answers = [plan for _, plan in asked(tmp_path, PARSERS, "Letter.parse")]
    assert answers
    assert set(answers) == {None}


def test_nobody_asks_for_conditions_of_calls_that_have_none(tmp_path: Path) -> None:
    code = SHOP + "\n\ndef rebate(basket):\n    if basket:\n        return offer(basket)\n"
    plans = {str(question.cell): plan for question, plan in asked(tmp_path, code, "price_of")}
    assert plans["explain/medium"] is None
    assert plans["general/medium"] is not None


@pytest.mark.parametrize(
    "addition",
    [
        "\n\ndef again(baskets):\n    return list(map(price_of, baskets))\n",
        "\n\nclass Other:\n    def price_of(self, basket):\n        return price_of\n",
    ],
    ids=["handed-on", "not-called"],
)
def test_nobody_is_asked_for_callers_that_are_not_all_known(tmp_path: Path, addition: str) -> None:
    assert asked(tmp_path, SHOP + addition, "price_of") == []


TILL = """
class Till:
    def book_cents(self, cents):
        return cents

    def pay_cents(self, cents):
        return self.book_cents(cents)


class OldTill(Till):
    size = 1
"""


def test_nobody_is_asked_for_the_calls_of_a_method_that_a_subclass_overrides(
    tmp_path: Path,
) -> None:
    """Whoever changes its signature has to change the other as well, and calls may reach that."""
    (tmp_path / "plain").mkdir()
    assert asked(tmp_path / "plain", TILL, "Till.book_cents")
    overriding = f"{TILL}\n    def book_cents(self, cents):\n        return cents + 1\n"
    assert asked(tmp_path, overriding, "Till.book_cents") == []


REPEATED = """
def price_of(item):
    return item.price


def total(basket, item):
    price = price_of(item)
    if basket is None:
        return [price_of(item)]
    return [price, basket]


def cheapest(basket, item):
    if basket:
        return price_of(item)
    return 0


def outer(item):
    def inner(part):
        return part.name

    return inner(item)
"""


def test_a_call_that_is_always_made_is_not_said_to_depend(tmp_path: Path) -> None:
    context = context_of(tmp_path, REPEATED)
    calls = calls_told(context, "shop.py::total", "shop.py::price_of")
    assert [call.statement.conditions for call in calls] == [()]
    (call,) = calls_told(context, "shop.py::cheapest", "shop.py::price_of")
    assert call.statement.conditions


def test_nobody_asks_who_calls_a_function_inside_of_another_one(tmp_path: Path) -> None:
    context = context_of(tmp_path, REPEATED)
    module = open_module(context.snapshot, "shop.py")
    assert module is not None
    names = {
        question.slots["name"]
        for lead in Callers().leads(module)
        for question in Callers().questions(lead, context)
        if "name" in question.slots
    }
    assert names == {"price_of"}


def test_tests_are_left_out_where_they_call_it_too(tmp_path: Path) -> None:
    context = context_of(tmp_path, REPEATED)
    assert aside_of_tests("shop.py::price_of", context) == ""
    tests = tmp_path / "other" / "code" / "tests"
    tests.mkdir(parents=True)
    (tests.parent / "shop.py").write_text(REPEATED)
    (tests / "test_shop.py").write_text(
        "from shop import price_of\n\n\ndef test_it():\n    assert price_of(None)\n"
    )
    tested = CodeContext(open_snapshot(tests.parent, cache=tmp_path / "other" / "cache"))
    assert aside_of_tests("shop.py::price_of", tested) == " outside the tests"


RESULTS = """
def total(basket):
    return sum(basket)


def each(basket):
    yield from basket


def quit(till):
    till.close()
    return None


def hide(till):
    def inner():
        return till

    till.call(inner)
"""


@pytest.mark.parametrize(
    ("name", "is_given"), [("total", True), ("each", True), ("quit", False), ("hide", False)]
)
def test_nobody_asks_what_becomes_of_no_result(tmp_path: Path, name: str, is_given: bool) -> None:
    assert gives_result(context_of(tmp_path, RESULTS), f"shop.py::{name}") is is_given


def test_nobody_changes_a_stand_in_for_what_is_imported(tmp_path: Path) -> None:
    """Where the library has the function, ours is never called."""
    stand_in = "try:\n    from money import price_of\nexcept ImportError:\n"
    own, rest = SHOP.split("\n\n\n", 1)
    code = stand_in + own.replace("\n", "\n    ") + "\n\n\n" + rest
    context = context_of(tmp_path, code)
    module = open_module(context.snapshot, "shop.py")
    assert module is not None
    assert "price_of" in module.definitions
    subjects = {lead.subject for lead in Callers().leads(module)}
    assert "shop.py::price_of" not in subjects
    assert "shop.py::pay" in subjects


def test_of_two_calls_that_are_alike_nobody_is_asked_with_which_arguments(tmp_path: Path) -> None:
    """One line of an answer would stand for both, and whoever found one would be right."""
    twice = SHOP.replace("    return total - 1\n", "    return total - price_of(basket)\n")
    settled = [
        question.intent.settles for question, plan in asked(tmp_path, twice, "price_of") if plan
    ]
    assert settled
    assert WITH_ARGUMENTS not in settled
