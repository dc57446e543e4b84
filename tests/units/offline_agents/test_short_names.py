"""Names of methods and inner functions: shortened where they return, and given back."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from goldwright.offline_agents.prose.short_names import lengthen_names, shorten_names

NAMES = ("Shop.pay", "Shop.close", "Till.close", "pay_all", "Shop", "Shop.__init__", "work.inner")

_sentences = st.lists(st.sampled_from(NAMES).map(lambda name: f"`{name}` runs."), max_size=8)


def test_a_method_goes_by_its_own_name_when_it_returns() -> None:
    text = "`Shop.pay` calls `self.pay(1)`. `Shop.pay` is in `Shop`, as is `work.inner`."
    shortened = "`Shop.pay` calls `self.pay(1)`. `pay` is in `Shop`, as is `work.inner`."
    assert shorten_names(text, NAMES) == shortened


def test_a_function_inside_another_goes_by_its_own_name_when_it_returns() -> None:
    text = "`work` calls `work.inner`. `work.inner` is short."
    assert shorten_names(text, NAMES) == "`work` calls `work.inner`. `inner` is short."


def test_a_name_that_means_something_else_as_well_stays() -> None:
    for text in (
        "`Shop.close` and `Till.close` differ; `Shop.close` is older.",
        "`Shop.pay` sets `pay` to `2`. `Shop.pay` returns it.",
        "`Shop.__init__` runs. `Shop.__init__` is short.",
    ):
        assert shorten_names(text, NAMES) == text


def test_a_variable_that_is_called_like_a_method_stays_one() -> None:
    for text in (
        "`Shop.close` sets `pay` to `2`, and calls `Shop.pay`.",
        "`Shop.pay` gets `pay` from `self.pay()`.",
        "`Shop.close` calls `Shop.pay` for each `pay` in `self.bills`.",
        "`Shop.close` calls `Shop.pay` in the loop `for day, pay in self.bills`. `pay` is kept.",
    ):
        assert lengthen_names(text, NAMES) == text


def test_where_a_method_is_makes_it_no_variable() -> None:
    shortened = "Only `Shop.close` calls `Shop.pay`. `pay` is in `shop.py`."
    assert "`Shop.pay` is in" in lengthen_names(shortened, NAMES)


@given(_sentences)
def test_what_was_shortened_is_given_back(sentences: Sequence[str]) -> None:
    text = " ".join(sentences)
    assert lengthen_names(shorten_names(text, NAMES), NAMES) == text
