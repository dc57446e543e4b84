"""Spend: what the entries about a call come to together, however it ended."""

from dataclasses import fields
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.spend import Spend, change_of_spend

MONEY = st.integers(0, 10**9)
TOKENS = st.integers(0, 10**6)
SPENDS = st.builds(Spend, TOKENS, TOKENS, TOKENS, TOKENS, MONEY, MONEY, MONEY)


def total_of(body: dict[str, Any], end: str) -> Spend:
    total = change_of_spend("intent", body)
    total.add(change_of_spend(end, body))
    return total


@given(SPENDS, SPENDS)
def test_every_part_of_a_spend_is_added(first: Spend, second: Spend) -> None:
    total = Spend()
    total.add(first)
    total.add(second)
    for part in fields(Spend):
        name = part.name
        assert getattr(total, name) == getattr(first, name) + getattr(second, name)
    assert total.tokens == first.tokens + second.tokens


@given(MONEY, MONEY)
def test_a_call_under_way_counts_with_what_is_expected_and_at_most_with_what_is_reserved(
    expected: int, reserved: int
) -> None:
    body = {"expected": expected, "reserved": reserved}
    assert change_of_spend("intent", body) == Spend(0, 0, 0, 0, expected, expected, reserved)


@given(MONEY, MONEY, MONEY, TOKENS, TOKENS, TOKENS, TOKENS)
def test_a_call_that_was_answered_comes_to_its_bill(
    expected: int, reserved: int, bill: int, fresh: int, cached: int, written: int, output: int
) -> None:
    usage = {
        "fresh": fresh,
        "cached": cached,
        "cache_written": written,
        "output": output,
        "counted": True,
    }
    reply = {"usage": usage}
    amounts = {"expected": expected, "reserved": reserved}
    body = {**amounts, "micro_usd": bill, "most_micro_usd": bill, "reply": reply}
    assert total_of(body, "reply") == Spend(
        calls=1,
        input_tokens=fresh + cached + written,
        cached_tokens=cached,
        output_tokens=output,
        micro_usd=bill,
        presumed_micro_usd=0,
        most_micro_usd=bill,
    )


@given(MONEY, MONEY, MONEY, MONEY)
def test_what_a_call_without_a_bill_costs_stays_presumed(
    expected: int, reserved: int, cost: int, most: int
) -> None:
    usage = dict.fromkeys(("fresh", "cached", "cache_written", "output"), 0)
    reply = {"usage": {**usage, "counted": False}}
    amounts = {"expected": expected, "reserved": reserved}
    body = {**amounts, "micro_usd": cost, "most_micro_usd": most, "reply": reply}
    assert total_of(body, "void") == Spend(0, 0, 0, 0, cost, cost, most)
    assert total_of(body, "reply") == Spend(1, 0, 0, 0, cost, cost, most)


@given(MONEY, MONEY)
def test_entries_of_older_runs_count_with_the_most(reserved: int, cost: int) -> None:
    body = {"reserved": reserved, "micro_usd": cost}
    assert change_of_spend("intent", body) == Spend(0, 0, 0, 0, reserved, reserved, reserved)
    assert total_of(body, "void") == Spend(0, 0, 0, 0, cost, cost, cost)
