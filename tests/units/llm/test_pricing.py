"""Prices: the bound is never below the cost, and no row of a table is taken for another."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.llm.port import (
    AssistantMessage,
    CountedInput,
    Message,
    ProviderFault,
    Request,
    Tool,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
)
from goldwright.llm.pricing import (
    ModelPricing,
    PriceTable,
    TokenRates,
    most_input_tokens,
    read_model_pricing,
)
from goldwright.llm.spend import CallCost

nano = st.integers(0, 200_000)


@st.composite
def tariffs(draw: st.DrawFn) -> ModelPricing:
    """Rates as providers have them: those of long prompts are never the lower ones."""
    base = TokenRates(draw(nano), draw(nano), draw(nano), draw(nano))
    if not draw(st.booleans()):
        return ModelPricing(base)
    more = [draw(nano) for _ in range(4)]
    long = TokenRates(
        base.input + more[0],
        base.cached + more[1],
        base.cache_write + more[2],
        base.output + more[3],
    )
    return ModelPricing(base, draw(st.integers(0, 5000)), long)


texts = st.text(max_size=200)
turns = st.lists(
    st.one_of(
        st.builds(UserMessage, texts),
        st.builds(AssistantMessage, st.dictionaries(texts, texts, max_size=2)),
        st.builds(
            ToolResults,
            st.lists(st.builds(ToolResult, texts, texts, texts, st.booleans()), max_size=3).map(
                tuple
            ),
            texts,
        ),
    ),
    max_size=6,
).map(tuple)
tools = st.lists(
    st.builds(Tool, texts, texts, st.dictionaries(texts, texts, max_size=2)), max_size=2
).map(tuple)


def request(turns: tuple[Message, ...], tools: tuple[Tool, ...] = (), **more: Any) -> Request:
    return Request(item="oracle:a", model="m", system="rules", turns=turns, tools=tools, **more)


def bytes_sent(one: Request, first: int = 0) -> int:
    """Count the bytes of all texts that a provider is sent from a turn on, and of the tools and
    rules before them.
    """
    head = (
        0
        if first
        else sum(
            len(f"{tool.name}{tool.description}{tool.parameters}".encode()) for tool in one.tools
        )
    )
    said = 0
    for turn in one.turns[first:]:
        match turn:
            case UserMessage(text):
                said += len(text.encode())
            case AssistantMessage(echo):
                said += sum(len(f"{key}{value}".encode()) for key, value in echo.items())
            case ToolResults(results, note):
                said += len(note.encode())
                said += sum(
                    len(f"{result.call_id}{result.name}{result.text}".encode())
                    for result in results
                )
    return head + said + (0 if first else len(one.system.encode()))


def spread(draw: st.DrawFn, total: int, output: int) -> Usage:
    """Spread input over the ways in which it may be read and written."""
    fresh = draw(st.integers(0, total))
    cached = draw(st.integers(0, total - fresh))
    return Usage(
        fresh=fresh,
        cached=cached,
        cache_written=total - fresh - cached,
        output=draw(st.integers(0, output)),
    )


@given(st.data(), tariffs(), turns, tools, st.integers(1, 20_000))
def test_no_usage_of_as_many_tokens_as_bytes_costs_more_than_the_bound(
    data: st.DataObject,
    tariff: ModelPricing,
    said: tuple[Message, ...],
    offered: tuple[Tool, ...],
    output: int,
) -> None:
    one = request(said, offered, max_output_tokens=output)
    used = data.draw(st.integers(0, bytes_sent(one)))
    usage = data.draw(st.composite(spread)(used, output))
    bound = tariff.bound(one)
    assert tariff.cost(usage) <= bound


@given(st.data(), tariffs(), turns, st.integers(1, 20_000), st.integers(0, 10_000))
def test_the_bound_holds_with_what_was_measured_and_the_bytes_since(
    data: st.DataObject, tariff: ModelPricing, said: tuple[Message, ...], output: int, counted: int
) -> None:
    seen = data.draw(st.integers(0, len(said)))
    one = request(said, max_output_tokens=output, measured=CountedInput(seen, counted))
    since = bytes_sent(one, seen) if seen else sum(len(turn.as_json) for turn in said)
    usage = data.draw(st.composite(spread)(data.draw(st.integers(0, counted + since)), output))
    bound = tariff.bound(one)
    assert tariff.cost(usage) <= bound


@given(st.text(max_size=300))
def test_a_text_has_never_more_bytes_than_its_bound_has_tokens(text: str) -> None:
    assert most_input_tokens(request((UserMessage(text),))) >= len(text.encode()) + 1024


def test_what_was_measured_makes_the_bound_of_a_long_conversation_tight() -> None:
    said: tuple[Message, ...] = (
        UserMessage("x" * 100_000),
        AssistantMessage({"a": 1}),
        UserMessage("more"),
    )
    loose, tight = request(said), request(said, measured=CountedInput(1, 25_000))
    assert most_input_tokens(loose) > 100_000
    assert 25_000 < most_input_tokens(tight) < 25_300


@given(tariffs(), turns, st.integers(1, 10_000))
def test_more_turns_and_more_room_never_lower_the_bound(
    tariff: ModelPricing, said: tuple[Message, ...], output: int
) -> None:
    bound = tariff.bound(request(said, max_output_tokens=output))
    assert tariff.bound(request((*said, UserMessage("more")), max_output_tokens=output)) >= bound
    assert tariff.bound(request(said, max_output_tokens=output + 1)) >= bound


RATES = TokenRates(input=3000, cached=300, cache_write=3750, output=15_000)


def test_a_cost_is_the_sum_of_its_parts_rounded_up() -> None:
    tariff = ModelPricing(RATES)
    million = 10**6
    assert tariff.cost(Usage(fresh=million)) == 3_000_000
    assert tariff.cost(Usage(cached=million)) == 300_000
    assert tariff.cost(Usage(cache_written=million)) == 3_750_000
    assert tariff.cost(Usage(output=million)) == 15_000_000
    assert tariff.cost(Usage(cached=1)) == 1
    assert tariff.cost(Usage()) == 0


PRESUMED = CallCost(30, 77)
EXPECTED = Usage(fresh=2, cached=10, output=1)


def test_what_was_not_counted_costs_what_was_presumed() -> None:
    pricing = ModelPricing(RATES)
    assert pricing.cost_of_reply(Usage(counted=False), PRESUMED) == PRESUMED
    assert pricing.cost_of_reply(Usage(fresh=2), PRESUMED) == CallCost(6, 6)


def test_a_call_without_a_reply_costs_what_was_counted_until_then_and_may_cost_more() -> None:
    pricing = ModelPricing(RATES)
    free = ProviderFault("rate_limited", "later", usage=Usage(fresh=9))
    assert pricing.cost_of_fault(free, PRESUMED, EXPECTED) == CallCost(0, 0)
    unseen = ProviderFault("cut", "broken", may_be_billed=True)
    assert pricing.cost_of_fault(unseen, PRESUMED, EXPECTED) == PRESUMED
    counted = ProviderFault("cut", "broken", may_be_billed=True, usage=Usage(fresh=4))
    assert pricing.cost_of_fault(counted, PRESUMED, EXPECTED) == CallCost(12, 77)
    said = ProviderFault("cut", "broken", may_be_billed=True, usage=Usage(output=2))
    assert pricing.cost_of_fault(said, PRESUMED, EXPECTED) == CallCost(6 + 3 + 30, 77)
    nonsense = ProviderFault("cut", "broken", may_be_billed=True, usage=Usage(fresh=10**6))
    assert pricing.cost_of_fault(nonsense, PRESUMED, EXPECTED) == CallCost(77, 77)


@given(tariffs(), turns, st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_more_is_expected_than_a_call_can_cost(
    tariff: ModelPricing, said: tuple[Message, ...], fresh: int, output: int
) -> None:
    asked = request(said)
    presumed = tariff.presumed_cost(asked, Usage(fresh=fresh, output=output))
    assert presumed.micro_usd <= presumed.most_micro_usd == tariff.bound(asked)


def test_long_prompts_have_their_own_rates_beyond_their_length() -> None:
    tariff = ModelPricing(
        RATES, 1000, TokenRates(input=6000, cached=600, cache_write=7500, output=22_500)
    )
    assert tariff.cost(Usage(fresh=500, cached=500)) == 1650
    assert tariff.cost(Usage(fresh=501, cached=500)) == 3306


def test_a_model_without_a_price_is_free() -> None:
    assert ModelPricing.free().bound(request((UserMessage("?" * 1000),))) == 0
    assert ModelPricing.free().cost(Usage(fresh=10**9, output=10**9)) == 0


def test_every_row_of_the_shipped_table_is_read() -> None:
    table = PriceTable.shipped()
    assert len(table.pricings) > 10
    for name, tariff in table.pricings.items():
        provider, _, model = name.partition(":")
        assert provider, name
        assert model, name
        assert 0 < tariff.base.input <= tariff.base.output, name
        assert tariff.base.cached <= tariff.base.input, name
        if tariff.long is not None:
            assert tariff.long.input >= tariff.base.input, name
            assert tariff.long.output >= tariff.base.output, name


def table_of(*names: str) -> PriceTable:
    rows = {
        name: read_model_pricing(name, {"input": n, "output": n})
        for n, name in enumerate(names, start=1)
    }
    return PriceTable("2026-01-01", rows)


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("a:m", "a:m"),
        ("a:m-1", "a:m-*"),
        ("a:m-10", "a:m-1*"),
        ("a:n", "a:*"),
        ("b:m", None),
        ("a:m-*", "a:m-*"),
    ],
)
def test_the_own_row_decides_then_the_longest_that_fits(model: str, found: str | None) -> None:
    table = table_of("a:*", "a:m-*", "a:m-1*", "a:m", "b:other")
    wanted = {"a:m-1": "a:m-1*"}.get(model, found)
    assert table.pricing_of(model) == (table.pricings[wanted] if wanted else None)


def test_a_users_row_goes_before_the_shipped_one() -> None:
    table = table_of("a:m").extended(
        {"a:m": {"input": 7, "output": 8.5}, "a:n": {"input": 0, "output": 0}}
    )
    assert table.pricing_of("a:m") == ModelPricing(TokenRates(7000, 7000, 7000, 8500))
    assert table.pricing_of("a:n") == ModelPricing.free()
    assert table.date == "2026-01-01"


def test_what_a_row_leaves_out_costs_as_input() -> None:
    tariff = read_model_pricing("a:m", {"input": Decimal("0.15"), "output": Decimal("0.6")})
    assert tariff.base == TokenRates(150, 150, 150, 600)


@pytest.mark.parametrize(
    ("dollars", "rate"), [(0, 0), (0.001, 1), (Decimal("0.003"), 3), (3, 3000), (2.5, 2500)]
)
def test_prices_are_kept_in_billionths_of_a_dollar_a_token(dollars: object, rate: int) -> None:
    assert read_model_pricing("a:m", {"input": dollars, "output": 1}).base.input == rate


@pytest.mark.parametrize(
    ("dollars", "rate"), [(Decimal("0.0001"), 1), (0.0005, 1), (Decimal("1.0001"), 1001)]
)
def test_a_price_too_fine_is_rounded_up(dollars: object, rate: int) -> None:
    assert read_model_pricing("a:m", {"input": dollars, "output": 1}).base.input == rate


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"input": 1}, "at least input and output"),
        ({"output": 1}, "at least input and output"),
        ({}, "at least input and output"),
        ({"input": -1, "output": 1}, "at least 0"),
        ({"input": float("nan"), "output": 1}, "at least 0"),
        ({"input": 1, "output": float("inf")}, "at least 0"),
        ({"input": True, "output": 1}, "wanted dollars"),
        ({"input": "1", "output": 1}, "wanted dollars"),
        ({"input": 1, "output": 1, "thinking": 2}, "thinking: no such price"),
        ({"input": 1, "output": 1, "long": 3}, "wanted above"),
        ({"input": 1, "output": 1, "long": {"input": 2, "output": 2}}, "wanted above"),
        ({"input": 1, "output": 1, "long": {"above": 5, "input": 2}}, "at least input and output"),
    ],
)
def test_a_row_that_is_none_is_refused_by_name(row: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=rf'prices\."a:m.*{why}'):
        read_model_pricing("a:m", row)


def test_a_rate_of_long_prompts_that_is_lower_does_not_lower_the_bound() -> None:
    """A prompt counted by its bytes may be long where its tokens are not."""
    tariff = ModelPricing(RATES, 2000, TokenRates(0, 0, 0, 0))
    one = request((UserMessage("x" * 1500),), max_output_tokens=100)
    assert most_input_tokens(one) > 2000
    assert tariff.bound(one) >= tariff.cost(Usage(fresh=1500, output=100))


@pytest.mark.parametrize("above", [1, 200_000])
def test_a_row_of_long_prompts_says_from_where_on_they_are_long(above: int) -> None:
    row = {"input": 1, "output": 2, "long": {"above": above, "input": 3, "cached": 1, "output": 4}}
    assert read_model_pricing("a:m", row) == ModelPricing(
        TokenRates(1000, 1000, 1000, 2000), above, TokenRates(3000, 1000, 3000, 4000)
    )


@pytest.mark.parametrize("above", [0, -1, True, 1.5, "1", None])
def test_a_length_that_is_no_number_of_tokens_is_refused(above: object) -> None:
    row = {"input": 1, "output": 2, "long": {"above": above, "input": 3, "output": 4}}
    with pytest.raises(InputError, match="wanted above, a number of tokens"):
        read_model_pricing("a:m", row)


def test_a_dated_name_has_the_price_of_the_alias_unless_it_has_its_own() -> None:
    table = table_of("a:*", "a:m", "a:m-2026-04-01")
    assert table.pricing_of("a:m-2026-04-01") == table.pricings["a:m-2026-04-01"]
    for dated in ("a:m-2026-05-01", "a:m-20260501"):
        assert table.pricing_of(dated) == table.pricings["a:m"]
    for other in ("a:m-1999-05-01", "a:m-2026-05-01-mini", "a:m-202605"):
        assert table.pricing_of(other) == table.pricings["a:*"]


def test_overheads_are_counted_once_for_the_request_and_once_for_each_turn() -> None:
    """Beside the characters of the JSON, which are no fewer than the bytes of the texts."""
    empty = request(())
    assert most_input_tokens(empty) == len(empty.head) + 1024
    turn = UserMessage("more")
    one, two = request((turn,)), request((turn, turn))
    each = len(turn.as_json) + 64
    assert most_input_tokens(one) == most_input_tokens(empty) + each
    assert most_input_tokens(two) == most_input_tokens(empty) + 2 * each
    assert most_input_tokens(request((turn, turn), measured=CountedInput(1, 500))) == 500 + each
