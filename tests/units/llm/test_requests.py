"""What a request, a turn and a reply are to a journal: keys that later versions find again."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

import pytest

from goldwright.llm.effort import EffortProvider
from goldwright.llm.port import (
    AssistantMessage,
    CountedInput,
    ProviderFault,
    Reply,
    Request,
    Tool,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
    role_of,
)
from goldwright.llm.pricing import ModelPricing, TokenRates, most_input_tokens
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.spend import CallCost

TOOL: Final = Tool("read", "Read a file.", {"type": "object"})
RESULTS: Final = (ToolResult("c1", "read", "x"), ToolResult("c2", "read", "", is_error=True))
ASKED: Final = Request(
    "oracle:q-1",
    "m-1",
    "You look.",
    (
        UserMessage("Wo?"),
        AssistantMessage({"b": 1, "a": "ä"}),
        ToolResults(
            (ToolResult("c1", "read", "x"), ToolResult("c2", "read", "", is_error=True)), "!"
        ),
    ),
    tools=(TOOL,),
    schema={"type": "object"},
    max_output_tokens=99,
)
KEY: Final = "4d45e612b3495813048555c0046fcede"


def test_the_json_of_a_request_is_this_one() -> None:
    """Keys of journals are made of it: another spelling would pay every call again."""
    assert [turn.as_json for turn in ASKED.turns] == [
        '{"said":"Wo?"}',
        '{"heard":{"a":"\\u00e4","b":1}}',
        '{"note":"!","shown":[["c1","read","x",false],["c2","read","",true]]}',
    ]
    tools = '[["read","Read a file.",{"type":"object"}]]'
    head = f'["m-1","You look.",{tools},false,{{"type":"object"}},99'
    assert ASKED.head == f"{head}]"
    assert replace(ASKED, effort="low").head == f'{head},"low"]'
    length = len(ASKED.head) + sum(len(turn.as_json) for turn in ASKED.turns)
    assert ASKED.input_bytes == length


def test_the_key_of_a_request_is_this_one() -> None:
    assert ASKED.key == KEY
    assert len(ASKED.key) == 32
    # What the model does not see makes no difference.
    assert replace(ASKED, item="judge:z", measured=CountedInput(1, 5)).key == KEY
    others = [
        replace(ASKED, model="m-2"),
        replace(ASKED, system=""),
        replace(ASKED, tools=()),
        replace(ASKED, tools_closed=True),
        replace(ASKED, schema=None),
        replace(ASKED, max_output_tokens=98),
        replace(ASKED, effort="low"),
        replace(ASKED, turns=ASKED.turns[:2]),
        replace(ASKED, turns=ASKED.turns[::-1]),
    ]
    assert len({KEY, *(other.key for other in others)}) == 10


def test_a_request_asks_for_8192_tokens_with_open_tools_unless_told_otherwise() -> None:
    plain = Request("oracle:q", "m", "", (UserMessage("?"),))
    assert (plain.max_output_tokens, plain.tools, plain.schema) == (8192, (), None)
    assert (plain.measured, plain.effort, plain.tool_choice) == (None, None, "auto")
    assert replace(plain, tools_closed=True).tool_choice == "none"


@pytest.mark.parametrize(
    ("item", "role"), [("oracle:q-1", "oracle"), ("judge:a:b", "judge"), ("alone", "alone")]
)
def test_the_role_stands_before_the_first_colon(item: str, role: str) -> None:
    assert role_of(item) == role
    assert replace(ASKED, item=item).role == role


def test_no_token_is_counted_twice() -> None:
    usage = Usage(fresh=1, cached=20, cache_written=300, output=4000)
    assert (usage.input_tokens, usage.total) == (321, 4321)
    assert Usage() == Usage(0, 0, 0, 0, counted=True)


def test_a_fault_is_free_and_says_nothing_of_waits_unless_told_otherwise() -> None:
    fault = ProviderFault("cut", "oh")
    assert (fault.retry_after, fault.may_be_billed, fault.usage) == (None, False, None)


def test_an_effort_is_put_into_every_request_and_nothing_else_is() -> None:
    reply = Reply("So.", (), "done", "end", Usage(fresh=1), "m")
    inner = ScriptedProvider(lambda _: reply)
    coroutine = EffortProvider(inner, "high").ask(ASKED)
    with pytest.raises(StopIteration) as ended:
        coroutine.send(None)
    assert ended.value.value == reply
    assert inner.requests == [replace(ASKED, effort="high")]


RATES: Final = TokenRates(input=3000, cached=301, cache_write=3751, output=15_001)


def test_a_share_of_a_price_is_rounded_up_in_both_lengths() -> None:
    half = TokenRates(1500, 151, 1876, 7501)
    assert ModelPricing(RATES).scaled(Fraction(1, 2)) == ModelPricing(half)
    assert ModelPricing(RATES, 7, half).scaled(Fraction(1, 2)) == ModelPricing(
        half, 7, TokenRates(750, 76, 938, 3751)
    )
    assert ModelPricing(RATES, 7, RATES).scaled(Fraction(1)) == ModelPricing(RATES, 7, RATES)


@pytest.mark.parametrize(
    ("rates", "highest"),
    [(TokenRates(3, 1, 2, 9), 3), (TokenRates(1, 3, 2, 9), 3), (TokenRates(1, 2, 3, 9), 3)],
)
def test_the_dearest_way_to_read_input_counts_in_the_worst_case(
    rates: TokenRates, highest: int
) -> None:
    assert rates.highest_input == highest


def test_the_bound_of_a_request_is_every_byte_and_all_room_at_the_dearest_rate() -> None:
    said = sum(len(turn.as_json) + 64 for turn in ASKED.turns)
    tokens = len(ASKED.head) + 1024 + said
    assert most_input_tokens(ASKED) == tokens
    nano = tokens * 3751 + 99 * 15_001
    assert ModelPricing(RATES).bound(ASKED) == -(-nano // 1000)
    # Beyond their length, long prompts have the rates of either kind that are the higher.
    long = TokenRates(4000, 1, 1, 1)
    nano = tokens * 4000 + 99 * 15_001
    assert ModelPricing(RATES, tokens - 1, long).bound(ASKED) == -(-nano // 1000)
    assert ModelPricing(RATES, tokens, long).bound(ASKED) == ModelPricing(RATES).bound(ASKED)


def test_what_was_measured_stands_for_the_head_and_the_first_turns() -> None:
    measured = replace(ASKED, measured=CountedInput(turns=2, input_tokens=500))
    assert most_input_tokens(measured) == 500 + len(ASKED.turns[2].as_json) + 64


def test_a_call_is_presumed_to_cost_what_is_expected_and_never_more_than_it_can() -> None:
    pricing = ModelPricing(RATES)
    most = pricing.bound(ASKED)
    assert pricing.presumed_cost(ASKED, Usage(fresh=1)) == CallCost(3, most)
    assert pricing.presumed_cost(ASKED, Usage(fresh=10**9)) == CallCost(most, most)


@pytest.mark.parametrize(("tokens", "cost"), [(1000, 3000), (1001, 6006)])
def test_a_prompt_is_long_beyond_its_length_and_not_at_it(tokens: int, cost: int) -> None:
    long = TokenRates(6000, 600, 7500, 22_500)
    assert ModelPricing(RATES, 1000, long).cost(Usage(fresh=tokens)) == cost
