"""Small readings of lines: entries of tables, calls behind tests, sets that are told in prose."""

from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.statements.call_order import CallOrder
from goldwright.offline_agents.statements.literal_users import OUTSIDE_EXPORTS, LiteralUsers
from goldwright.offline_agents.statements.maps_to import MapsTo
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.snapshot import open_snapshot

CODE = """
PRICES = {
    ("big", "round"): cut(1, {"a": 2}),
    "small": {"gross": 3, "net": 2},
    **OTHERS,
    "whole": PRICES_BY[1:2],
}


def work(order):
    class Receipt(Paper("a4")):
        pass

    first = weigh(order)
    return first if wrapped(order) else pack(first)
"""


@pytest.fixture
def tokens(tmp_path: Path) -> TokenCodebase:
    """The code as tokens."""
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    return TokenCodebase(snapshot, Toolset(snapshot), ["shop.py::work", "shop.py::PRICES"])


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ('("big", "round")', 'cut(1, {"a": 2})', "shown"),
        ('"small"', '{"gross": 3, "net": 2}', "shown"),
        ('"whole"', "PRICES_BY[1:2]", "shown"),
        # What stands inside an entry is none.
        ('"gross"', "3", "refuted"),
        ('"a"', "2", "refuted"),
        ('"small"', "3", "refuted"),
    ],
)
def test_an_entry_of_a_table_is_one_of_its_outermost(
    tokens: TokenCodebase, key: str, value: str, shown: str
) -> None:
    assert MapsTo("PRICES", key, value).is_shown(tokens)[0] == shown


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        (Runs("work", "weigh(order)", ()), "shown"),
        # Both ways of a test in one expression depend on it.
        (Runs("work", "pack(first)", ()), "refuted"),
        (CallOrder("work", ("weigh", "wrapped")), "shown"),
        (CallOrder("work", ("wrapped", "weigh")), "refuted"),
    ],
)
def test_what_is_called_is_read_from_lines_that_call(
    tokens: TokenCodebase, statement: Statement, shown: str
) -> None:
    assert statement.is_shown(tokens)[0] == shown


@pytest.mark.parametrize(
    ("sentence", "statements"),
    [
        (
            "Every direct subclass of `Shelf` defines `open` and `close`: `Box` and `Drawer`.",
            [
                OverriddenBy("Shelf", "open", ("Box", "Drawer"), is_every=True),
                OverriddenBy("Shelf", "close", ("Box", "Drawer"), is_every=True),
            ],
        ),
        (
            "Of the direct subclasses of `Shelf`, only `Box` defines `lock`.",
            [OverriddenBy("Shelf", "lock", ("Box",), is_every=False)],
        ),
        (
            'The setting `"till"` is used in `pay` and `refund` and nowhere else in product code.',
            [LiteralUsers("till", ("pay", "refund"))],
        ),
        (
            'Outside `__all__`, the key `"a"` is used in `pay` and nowhere else in product code.',
            [LiteralUsers("a", ("pay",), OUTSIDE_EXPORTS)],
        ),
    ],
)
def test_a_set_that_is_told_in_prose_is_read_whole(
    sentence: str, statements: list[Statement]
) -> None:
    read = [statement for _, statement in read_narrative(sentence)]
    assert read == statements


REPLACED = """
def ask(query):
    if isinstance(query, str):
        query = Query(query)
    if not isinstance(query, Query):
        raise TypeError("no query was given")

def bound(limit):
    limit = limit or 10
    if limit < 0:
        raise ValueError("the limit is below zero")
"""


def test_a_parameter_that_a_branch_replaced_is_not_spoken_of_as_handed_in(tmp_path: Path) -> None:
    """A text is no query, and raises nothing."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(REPLACED)
    module = open_module(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"), "shop.py")
    assert module is not None
    ask, bound = module.function("ask"), module.function("bound")
    assert ask is not None
    assert bound is not None
    assert not list(Raises.find(module, "ask", ask))
    # Replaced on every way, it is the value that is tested.
    assert list(Raises.find(module, "bound", bound))
