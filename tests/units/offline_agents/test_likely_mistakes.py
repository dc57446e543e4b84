"""Who is taken for an answer, what becomes of a result, and what is read of long definitions."""

from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.code_reading.callers import may_be_called_from_elsewhere, may_have_few_callers
from goldwright.code_reading.modules import forget_modules, open_module
from goldwright.offline_agents.author import _read_whole
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.mistaken_functions import (
    MistakenFunction,
    believed,
    mistaken_function,
)
from goldwright.offline_agents.inquiries.results_of_calls import uses_told
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import FileRange
from goldwright.snapshot import open_snapshot

SHOP = """
class Till:
    def __init__(self, shop):
        self.shop = shop

    def book(self, amount):
        self.shop.count(amount)


def rate_of(currency):
    return currency.rate


def price_in(currency, basket):
    rate = rate_of(currency)
    total = rate * basket.total
    return round(total)


def log_rate(currency, log):
    rate = rate_of(currency)


def note_rate(currency, notes):
    rate = rate_of(currency)
    if rate:
        notes.append(rate)


def keep_rate(currency, till):
    till.rate = rate_of(currency)
"""
OTHER = "from shop import price_in\n\n\ndef offer(basket):\n    return price_in('EUR', basket)\n"


@pytest.fixture
def code(tmp_path: Path) -> CodeContext:
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "offers.py").write_text(OTHER)
    return CodeContext(open_snapshot(root, cache=tmp_path / "cache"))


def test_a_method_of_the_same_class_is_taken_for_an_answer_for_want_of_a_better_one(
    code: CodeContext,
) -> None:
    """Its maker, where no other has anything to do with the words: nothing leads there."""
    mistaken = mistaken_function(code, "who counts an amount", ["shop.py::Till.book"])
    assert mistaken == MistakenFunction("shop.py::Till.__init__", is_likely=False)


def test_what_an_answer_calls_is_taken_for_it(tmp_path: Path) -> None:
    """Unless only who is above can be meant: nobody is called by what he calls."""
    root = tmp_path / "code"
    root.mkdir()
    helper = "def check(cents):\n    if cents < 0:\n        raise ValueError(cents)\n\n\n"
    (root / "shop.py").write_text(
        helper + "def pay(till, cents):\n    check(cents)\n    till.add(cents)\n"
    )
    code = CodeContext(open_snapshot(root, cache=tmp_path / "cache"))
    mistaken = mistaken_function(code, "pays an amount", ["shop.py::pay"])
    assert mistaken == MistakenFunction("shop.py::check", is_likely=True)
    above = mistaken_function(code, "pays an amount", ["shop.py::pay"], goes_below=False)
    assert above == MistakenFunction("shop.py::check", is_likely=False)


def test_who_has_the_name_of_an_answer_is_not_mistaken_for_it(tmp_path: Path) -> None:
    """Whoever answers by the short name would be taken to mean the wrong one."""
    root = tmp_path / "code"
    root.mkdir()
    methods = "class Till:\n    def book(self):\n        return 1\n\n"
    functions = "def book(till):\n    return till.book()\n\ndef pay(till):\n    return book(till)\n"
    (root / "shop.py").write_text(methods + functions)
    code = CodeContext(open_snapshot(root, cache=tmp_path / "cache"))
    mistaken = mistaken_function(code, "book", ["shop.py::Till.book"])
    assert mistaken is not None
    assert mistaken.entity_id == "shop.py::pay"


def test_what_merely_stands_nearby_is_unlikely() -> None:
    lines = FileRange(file="shop.py", start=20, end=20)
    fact = Finding(OnlyCallers("rate_of", ("price_in",)), "shop.py::rate_of", lines)
    statement = OnlyCallers("rate_of", ("log_rate",))
    for is_likely in (True, False):
        falsehood = believed(
            fact, MistakenFunction("shop.py::log_rate", is_likely=is_likely), statement
        )
        assert falsehood.is_false
        assert falsehood.is_unlikely is not is_likely


@pytest.mark.parametrize(
    ("caller", "told"),
    [
        (
            "price_in",
            [
                "`price_in` sets `rate` to `rate_of(currency)`.",
                "`price_in` sets `total` to `rate * basket.total`.",
                "`price_in` returns `round(total)`.",
            ],
        ),
        # What nobody uses is for nothing.
        ("log_rate", []),
        # What is done with a value says more than what depends on it.
        (
            "note_rate",
            [
                "`note_rate` sets `rate` to `rate_of(currency)`.",
                "`note_rate` runs `notes.append(rate)` if `rate`.",
            ],
        ),
        # An attribute keeps it for others.
        ("keep_rate", ["`keep_rate` sets `till.rate` to `rate_of(currency)`."]),
    ],
)
def test_a_result_is_followed_to_what_it_is_for(
    code: CodeContext, caller: str, told: list[str]
) -> None:
    uses = uses_told(code, f"shop.py::{caller}", "shop.py::rate_of")
    assert [use.statement.sentence() for use in uses] == told


@pytest.mark.parametrize(
    ("name", "most", "may_be"),
    [
        ("rate_of", 4, True),
        ("rate_of", 3, False),
        # Nothing calls it, and the graph would know; but what nothing else is called by may hide.
        ("Till.book", 4, False),
        ("note_rate", 4, True),
        ("Till.__init__", 4, False),
    ],
)
def test_the_graph_tells_how_many_callers_there_may_be(
    code: CodeContext, name: str, most: int, *, may_be: bool
) -> None:
    assert may_have_few_callers(code.snapshot, f"shop.py::{name}", most) is may_be


@pytest.mark.parametrize(
    ("name", "is_far"),
    # Of one the caller stands elsewhere, of one the caller of a caller; of one both stand there.
    [("price_in", True), ("rate_of", True), ("keep_rate", False)],
)
def test_the_graph_tells_whether_callers_may_stand_elsewhere(
    code: CodeContext, name: str, *, is_far: bool
) -> None:
    assert may_be_called_from_elsewhere(code.snapshot, f"shop.py::{name}") is is_far


def test_trees_that_were_let_go_of_are_parsed_again(code: CodeContext) -> None:
    before = open_module(code.snapshot, "shop.py")
    assert open_module(code.snapshot, "shop.py") is before
    forget_modules()
    assert open_module(code.snapshot, "shop.py") is not before


def test_long_lines_of_a_reason_are_read_to_their_end(tmp_path: Path) -> None:
    """A tool shows 400 lines at once; the screen wants all that a question turns on."""
    root = tmp_path / "code"
    root.mkdir()
    (root / "long.py").write_text("class Long:\n" + "    x = 1\n" * 1_000)
    toolset = Toolset(open_snapshot(root, cache=tmp_path / "cache"), frozenset({"read"}))
    lines = FileRange(file="long.py", start=1, end=1_001)
    _read_whole(lines, toolset)
    assert toolset.has_shown(lines)
