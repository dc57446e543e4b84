"""Parameters: what a function takes, and where it hands that on."""

import ast

import pytest

from goldwright.code_reading.parameters import (
    HandedOn,
    functions_taking,
    gives,
    handed_on,
    is_given_under_its_name,
    parameters_of,
)
from units.code_reading.sources import CodeInMemory, read_function


def _handed_on(body: str, parameters: str = "price, tax") -> list[tuple[str, str, str]]:
    """What ``work`` hands on: to what, which parameter, under which other name."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    module, function = read_function(f"def work({parameters}):\n{lines}\n")
    calls = handed_on(module, function)
    return [(call.callee, call.parameter, call.keyword) for call in calls]


def test_a_function_takes_every_kind_of_parameter_but_its_own_object() -> None:
    _, function = read_function("def work(self, first, /, second=1, *rest, third, **more): ...\n")
    assert parameters_of(function) == ("first", "second", "third")
    _, function = read_function("class Shop:\n    def work(cls, key): ...\n", "Shop.work")
    assert parameters_of(function) == ("key",)


def test_who_takes_a_parameter_is_looked_for_in_product_code_alone() -> None:
    code = CodeInMemory(
        {
            "shop.py": "def pay(tax):\n    pass\n\nclass Till:\n    def book(self, *, tax): ...\n",
            "use.py": "tax = 1\n\ndef other(taxes):\n    tax = 2\n    return tax\n",
            "tests/test_shop.py": "def test_pay(tax): ...\n",
        }
    )
    assert functions_taking(code, "tax") == ("shop.py::pay", "shop.py::Till.book")
    assert functions_taking(code, "nothing") == ()


def test_a_name_under_which_arguments_are_gathered_means_several_things() -> None:
    code = CodeInMemory(
        {"shop.py": "def pay(tax): ...\n\nclass Till:\n    def book(self, **tax): ...\n"}
    )
    assert functions_taking(code, "tax") is None


def test_a_parameter_is_handed_on_by_place_or_by_name() -> None:
    assert _handed_on("return book(tax, 1, rate=tax, price=price)") == [
        ("book", "tax", ""),
        ("book", "tax", "rate"),
        ("book", "price", ""),
    ]
    assert _handed_on("self.till.book(price)") == [("self.till.book", "price", "")]


@pytest.mark.parametrize(
    "body",
    [
        "book(price + 1, rate=str(tax.rate))",
        "price = 2\nbook(price)",
        "book(price)\nfor price in (1, 2):\n    pass",
        "book(**tax)",
        "shops[0](price)",
        "def inner(price):\n    book(price)",
        "if book(price):\n    pass",
    ],
    ids=[
        "in-an-expression", "changed-before", "changed-behind", "unpacked",
        "unnamed-callee", "of-another-function", "in-a-header",
    ],
)  # fmt: skip
def test_what_may_be_something_else_by_then_is_not_said_to_be_handed_on(body: str) -> None:
    assert _handed_on(body) == []


def test_behind_a_star_it_still_shows_what_is_handed_on() -> None:
    assert _handed_on("book(*prices, price, rate=tax)") == [
        ("book", "price", ""),
        ("book", "tax", "rate"),
    ]


CONDITIONAL = """
def work(price):
    if price.is_high:
        return book(
            price
        )
"""


def test_a_call_is_handed_a_parameter_under_all_the_conditions_of_its_statement() -> None:
    module, function = read_function(CONDITIONAL)
    (call,) = handed_on(module, function)
    assert isinstance(call, HandedOn)
    assert [condition.code for condition in call.path] == ["price.is_high"]
    assert (call.first, call.last) == (4, 6)


@pytest.mark.parametrize(
    ("body", "is_given"),
    [
        ("book(1, 2)", True),
        ("book(1)", False),
        ("shop.book(1, 2)", True),
        ("book(1, tax=2)", True),
        ("book(1, rate=2)", False),
        ("pay(1, 2)", False),
        ("book(*all)", None),
        ("book(**all)", None),
        ("pay(*all)\nbook(1)", False),
        ("book(1)\nbook(1, 2)", True),
        ("def inner():\n    book(1, 2)", False),
        ("shops[0](1, 2)", False),
    ],
)
def test_a_parameter_is_given_by_its_place_or_by_its_name(
    body: str, *, is_given: bool | None
) -> None:
    """What is unpacked may hold anything."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    _, function = read_function(f"def work(all, shop, shops):\n{lines}\n")
    assert gives(function, "book", "tax", 1) is is_given


@pytest.mark.parametrize(
    ("call", "is_under_its_name"),
    [
        ("pay(price, tax)", True),
        ("pay(tax)", False),
        ("pay(1, 2, tax)", False),
        ("pay(price, tax=tax)", True),
        ("pay(1)", True),
    ],
)
def test_by_its_place_a_parameter_may_arrive_as_another_one(
    call: str, is_under_its_name: bool
) -> None:
    _, callee = read_function("def work(self, price, tax=0): ...\n")
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert is_given_under_its_name(node, "tax", callee) is is_under_its_name
