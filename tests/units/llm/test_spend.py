"""Spend: what the entries about a call come to together, however it ended."""

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.spend import Spend, change_of_spend

MONEY = st.integers(0, 10**9)
TOKENS = st.integers(0, 10**6)
SPENDS = st.builds(Spend, TOKENS, TOKENS, TOKENS, TOKENS, MONEY, MONEY)


@given(SPENDS, SPENDS)
def test_every_part_of_a_spend_is_added(first: Spend, second: Spend) -> None:
    total = Spend()
    total.add(first)
    total.add(second)
    for part in fields(Spend):
        name = part.name
        assert getattr(total, name) == getattr(first, name) + getattr(second, name)
    assert total.tokens == first.tokens + second.tokens


@given(MONEY, MONEY, TOKENS, TOKENS, TOKENS, TOKENS)
def test_a_call_that_was_answered_comes_to_its_bill(
    reserved: int, cost: int, fresh: int, cached: int, written: int, output: int
) -> None:
    usage = {"fresh": fresh, "cached": cached, "cache_written": written, "output": output}
    body = {"reserved": reserved, "micro_usd": cost, "reply": {"usage": usage}}
    total = change_of_spend("intent", body)
    assert (total.micro_usd, total.presumed_micro_usd, total.calls) == (reserved, reserved, 0)
    total.add(change_of_spend("reply", body))
    assert total == Spend(
        calls=1,
        input_tokens=fresh + cached + written,
        cached_tokens=cached,
        output_tokens=output,
        micro_usd=cost,
        presumed_micro_usd=0,
    )


@given(MONEY, MONEY)
def test_what_a_call_without_a_reply_costs_stays_presumed(reserved: int, cost: int) -> None:
    body = {"reserved": reserved, "micro_usd": cost}
    total = change_of_spend("intent", body)
    total.add(change_of_spend("void", body))
    assert total == Spend(micro_usd=cost, presumed_micro_usd=cost)
