"""Money: no order of events passes a ceiling, and nobody waits for money that will never come."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import share_of
from goldwright.errors import BudgetError, UnansweredError
from goldwright.llm.budget import Budget, BudgetedProvider, dollars
from goldwright.llm.port import FaultKind, ProviderFault, Reply, Request, Usage, UserMessage
from goldwright.llm.pricing import ModelPricing, TokenRates

CAMPAIGN = Path(__file__).resolve().parents[2] / "benchmarks" / "budget_interleavings.py"
MICRO_DOLLAR_A_TOKEN = ModelPricing(TokenRates(input=0, cached=0, cache_write=0, output=1000))
SOON = 5.0


class Line:
    """A provider that does what it was told when it is asked."""

    def __init__(self, answer: Callable[[Request], Awaitable[Reply]]) -> None:
        self._answer = answer

    async def ask(self, request: Request) -> Reply:
        return await self._answer(request)


def request(amount: int, item: str = "oracle:a") -> Request:
    return Request(
        item=item, model="m", system="", turns=(UserMessage("?"),), max_output_tokens=amount
    )


def reply(usage: Usage) -> Reply:
    return Reply(text="", tool_uses=(), stop="done", stop_reason="end", usage=usage, model="m")


def play(coroutine: Awaitable[None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(SOON):
            await coroutine

    asyncio.run(in_time())


async def settle_down() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_no_interleaving_of_calls_passes_a_ceiling_or_hangs() -> None:
    """Seeded runs of up to 12 items side by side, with faults, cancellations and whole runs cut
    off.
    """
    runs = share_of(1000, suite=250)
    command = [sys.executable, str(CAMPAIGN), str(runs), "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    seen = dict(line.split(": ") for line in done.stdout.splitlines()[:-1])
    assert int(seen["at once"]) > 5
    for what in (
        "answered",
        "failed",
        "refused by the run",
        "refused by the item",
        "cut off while waiting",
    ):
        assert int(seen[what]) > runs // 10, what
    assert done.stdout.splitlines()[-1].endswith(": 0 broke a law")


def test_a_call_that_can_never_fit_is_refused_with_both_sums() -> None:
    async def story() -> None:
        budget = Budget(ceiling=1_000_000)
        budget.spend("oracle:a", 400_000)
        with pytest.raises(
            BudgetError, match=r"\$0\.40 of \$1\.00 are spent, and the next call could cost \$0\.70"
        ):
            await budget.reserve("oracle:b", 700_000)
        assert (budget.settled, budget.reserved) == (400_000, 0)

    play(story())


def test_a_call_that_does_not_fit_yet_waits_for_those_under_way() -> None:
    async def story() -> None:
        budget = Budget(ceiling=100)
        await budget.reserve("oracle:a", 80)
        second = asyncio.create_task(budget.reserve("oracle:b", 50))
        await settle_down()
        assert not second.done()
        await budget.settle("oracle:a", 80, 50)
        await second
        assert (budget.settled, budget.reserved) == (50, 50)

    play(story())


def test_a_call_that_waited_in_vain_is_refused_when_nothing_is_under_way() -> None:
    async def story() -> None:
        budget = Budget(ceiling=100)
        await budget.reserve("oracle:a", 80)
        second = asyncio.create_task(budget.reserve("oracle:b", 50))
        await settle_down()
        await budget.settle("oracle:a", 80, 80)
        with pytest.raises(BudgetError):
            await second
        assert (budget.settled, budget.reserved) == (80, 0)

    play(story())


def test_a_small_call_goes_before_a_large_one_that_does_not_fit() -> None:
    async def story() -> None:
        budget = Budget(ceiling=100)
        await budget.reserve("oracle:a", 60)
        large = asyncio.create_task(budget.reserve("oracle:b", 70))
        await settle_down()
        await budget.reserve("oracle:c", 40)
        await budget.settle("oracle:a", 60, 0)
        await settle_down()
        assert not large.done()
        await budget.settle("oracle:c", 40, 0)
        await large
        assert budget.reserved == 70

    play(story())


def test_a_cancelled_wait_takes_no_money() -> None:
    async def story() -> None:
        budget = Budget(ceiling=100)
        await budget.reserve("oracle:a", 100)
        waiting = asyncio.create_task(budget.reserve("oracle:b", 10))
        await settle_down()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await budget.settle("oracle:a", 100, 0)
        await budget.reserve("oracle:c", 100)
        assert (budget.settled, budget.reserved) == (0, 100)

    play(story())


def test_an_item_has_its_own_ceiling_and_the_others_go_on() -> None:
    async def story() -> None:
        budget = Budget(ceiling=None, item_ceiling=100)
        budget.spend("oracle:a", 60)
        await budget.reserve("oracle:a", 40)
        with pytest.raises(
            UnansweredError, match=r"oracle:a: the next call could pass item_budget_usd, \$0\.0001"
        ):
            await budget.reserve("oracle:a", 1)
        await budget.reserve("oracle:b", 100)
        assert budget.reserved == 140

    play(story())


def test_two_calls_of_one_item_that_wait_side_by_side_keep_to_its_ceiling() -> None:
    async def story() -> None:
        budget = Budget(ceiling=200, item_ceiling=100)
        await budget.reserve("oracle:a", 200 - 100)
        await budget.reserve("oracle:b", 100)
        both = [asyncio.create_task(budget.reserve("oracle:c", 60)) for _ in range(2)]
        await settle_down()
        await budget.settle("oracle:a", 100, 0)
        await budget.settle("oracle:b", 100, 0)
        await asyncio.gather(*both, return_exceptions=True)
        assert budget.reserved == 60

    play(story())


@pytest.mark.parametrize(
    ("kind", "is_billed", "settled"), [("timeout", True, 70), ("unreachable", False, 0)]
)
def test_a_fault_costs_all_or_nothing(kind: FaultKind, *, is_billed: bool, settled: int) -> None:
    async def fail(_: Request) -> Reply:
        raise ProviderFault(kind, "no reply", may_be_billed=is_billed)

    async def story() -> None:
        budget = Budget(ceiling=100)
        with pytest.raises(ProviderFault):
            await BudgetedProvider(Line(fail), budget, MICRO_DOLLAR_A_TOKEN).ask(request(70))
        assert (budget.settled, budget.reserved) == (settled, 0)

    play(story())


@pytest.mark.parametrize(("usage", "settled"), [(Usage(output=7), 7), (Usage(counted=False), 70)])
def test_a_reply_costs_what_was_counted_or_the_bound(usage: Usage, settled: int) -> None:
    async def answer(_: Request) -> Reply:
        return reply(usage)

    async def story() -> None:
        budget = Budget(ceiling=100)
        await BudgetedProvider(Line(answer), budget, MICRO_DOLLAR_A_TOKEN).ask(request(70))
        assert (budget.settled, budget.reserved) == (settled, 0)

    play(story())


def test_a_call_cut_off_in_flight_is_presumed_to_have_cost_all_it_could() -> None:
    async def story() -> None:
        budget = Budget(ceiling=100)

        async def hang(_: Request) -> Reply:
            await asyncio.Event().wait()
            raise AssertionError

        call = asyncio.create_task(
            BudgetedProvider(Line(hang), budget, MICRO_DOLLAR_A_TOKEN).ask(request(70))
        )
        await settle_down()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert (budget.settled, budget.reserved) == (70, 0)

    play(story())


def test_a_bug_in_one_call_lets_nobody_wait_for_ever() -> None:
    """The runner goes on after an unforeseen error of one case; those who wait for its money must
    get an answer.
    """

    async def break_down(_: Request) -> Reply:
        raise ArithmeticError

    async def story() -> None:
        line = BudgetedProvider(Line(break_down), Budget(ceiling=100), MICRO_DOLLAR_A_TOKEN)
        async with asyncio.timeout(0.2):
            with pytest.raises(ArithmeticError):
                await line.ask(request(70))
            with pytest.raises((ArithmeticError, BudgetError)):
                await line.ask(request(70, "oracle:b"))

    play(story())


def test_nothing_is_asked_without_money() -> None:
    asked: list[Request] = []

    async def answer(one: Request) -> Reply:
        asked.append(one)
        return reply(Usage(output=1))

    async def story() -> None:
        with pytest.raises(BudgetError):
            await BudgetedProvider(Line(answer), Budget(ceiling=69), MICRO_DOLLAR_A_TOKEN).ask(
                request(70)
            )

    play(story())
    assert asked == []


@pytest.mark.parametrize(
    ("micro", "text"),
    [
        (0, "$0.00"),
        (1, "$0.000001"),
        (1_500, "$0.0015"),
        (48_921, "$0.049"),
        (10_000, "$0.01"),
        (50_400, "$0.05"),
        (99_999, "$0.10"),
        (100_000, "$0.10"),
        (1_234_567, "$1.23"),
        (12_000_000, "$12.00"),
    ],
)
def test_dollars_are_written_as_finely_as_they_need(micro: int, text: str) -> None:
    assert dollars(micro) == text


@given(st.integers(min_value=1, max_value=10**12))
def test_no_sum_is_written_as_nothing(micro: int) -> None:
    assert float(dollars(micro).removeprefix("$")) > 0


def test_a_ceiling_of_nothing_lets_only_free_calls_pass() -> None:
    async def story() -> None:
        budget = Budget(ceiling=0)
        await budget.reserve("oracle:a", 0)
        with pytest.raises(BudgetError, match=r"\$0\.00 of \$0\.00 are spent"):
            await budget.reserve("oracle:a", 1)

    play(story())
