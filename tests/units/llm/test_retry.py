"""Trying again: as often and as long as the table says, and not once more."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import (
    BudgetError,
    GoldwrightError,
    ProviderError,
    QuarantineError,
    UnansweredError,
)
from goldwright.llm.port import FaultKind, ProviderFault, Reply, Request, Usage, UserMessage
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.retry import RetryingProvider
from goldwright.llm.retry_policies import RETRY_POLICIES

REPLY = Reply(
    text="{}", tool_uses=(), stop="done", stop_reason="end", usage=Usage(fresh=1), model="m"
)
ATTEMPTS: dict[FaultKind, int] = {
    "unreachable": 6,
    "timeout": 3,
    "cut": 4,
    "malformed": 3,
    "overloaded": 6,
    "server_error": 4,
    "gateway_timeout": 4,
    "conflict": 3,
    "bad_request": 1,
}
LONGEST_WAIT: dict[FaultKind, float] = {
    "unreachable": 0.5 + 1 + 2 + 4 + 8,
    "timeout": 0.5 + 1,
    "cut": 0.5 + 1 + 2,
    "malformed": 0.5 + 1,
    "overloaded": 2 + 4 + 8 + 16 + 32,
    "server_error": 0.5 + 1 + 2,
    "gateway_timeout": 0.5 + 1 + 2,
    "conflict": 0.5 + 1,
    "bad_request": 0,
}
RUN_ENDING: tuple[FaultKind, ...] = ("access", "spend_limit", "no_such_model", "other_model")


def request(item: str = "oracle:a") -> Request:
    return Request(item=item, model="m", system="", turns=(UserMessage("?"),))


@dataclass
class Stage:
    """A provider that fails as scripted and then answers, behind retries that note their waits."""

    faults: Sequence[ProviderFault] = ()
    always: ProviderFault | None = None
    seed: int = 1
    slept: list[float] = field(default_factory=list)
    asked: int = 0

    def __post_init__(self) -> None:
        self.retried = RetryingProvider(
            ScriptedProvider(self._answer),
            name="acme:m",
            sleep=self._sleep,
            chance=Random(self.seed),
        )

    def play(self, item: str = "oracle:a") -> Reply:
        return asyncio.run(self.retried.ask(request(item)))

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def _answer(self, _: Request) -> Reply:
        self.asked += 1
        if self.always is not None:
            raise self.always
        if self.asked <= len(self.faults):
            raise self.faults[self.asked - 1]
        return REPLY


def test_every_kind_of_fault_has_a_policy() -> None:
    assert set(RETRY_POLICIES) == set(get_args(FaultKind))
    assert {*ATTEMPTS, *RUN_ENDING, "rate_limited", "too_long"} == set(RETRY_POLICIES)


def test_a_reply_at_once_is_asked_for_once() -> None:
    stage = Stage()
    assert stage.play() == REPLY
    assert (stage.asked, stage.slept) == (1, [])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ATTEMPTS)
def test_a_lasting_fault_ends_the_item_after_its_attempts_and_waits(
    kind: FaultKind, seed: int
) -> None:
    stage = Stage(always=ProviderFault(kind, "broken"), seed=seed)
    with pytest.raises(QuarantineError, match=rf"oracle:a: acme:m: {kind}: broken") as caught:
        stage.play()
    # What was not worth a second attempt is begun anew, and the rest goes on where it was.
    assert isinstance(caught.value, UnansweredError) == (ATTEMPTS[kind] > 1)
    assert stage.asked == ATTEMPTS[kind]
    assert len(stage.slept) == ATTEMPTS[kind] - 1
    assert sum(stage.slept) <= LONGEST_WAIT[kind]


def test_the_message_tells_the_attempts() -> None:
    with pytest.raises(
        UnansweredError, match=r"^oracle:a: acme:m: cut: broken \(after 4 attempts\)$"
    ):
        Stage(always=ProviderFault("cut", "broken")).play()
    with pytest.raises(QuarantineError, match=r"^oracle:a: acme:m: bad_request: broken$"):
        Stage(always=ProviderFault("bad_request", "broken")).play()


@pytest.mark.parametrize("kind", [kind for kind in ATTEMPTS if ATTEMPTS[kind] > 1])
def test_a_fault_that_passes_before_the_last_attempt_is_never_seen(kind: FaultKind) -> None:
    stage = Stage(faults=[ProviderFault(kind, "broken")] * (ATTEMPTS[kind] - 1))
    assert stage.play() == REPLY
    assert stage.asked == ATTEMPTS[kind]


@pytest.mark.parametrize(("kind", "first"), [("overloaded", 1.0), ("rate_limited", 0.5)])
def test_a_provider_short_of_breath_is_left_half_the_wait_at_least(
    kind: FaultKind, first: float
) -> None:
    for seed in range(200):
        stage = Stage(faults=[ProviderFault(kind, "busy")] * 3, seed=seed)
        stage.play()
        for slept, least in zip(stage.slept, (first, 2 * first, 4 * first), strict=True):
            assert least <= slept <= 2 * least


def test_other_waits_are_drawn_from_the_whole_range() -> None:
    stages = [
        Stage(faults=[ProviderFault("unreachable", "down")], seed=seed) for seed in range(200)
    ]
    for stage in stages:
        stage.play()
    waits = [stage.slept[0] for stage in stages]
    assert min(waits) < 0.05
    assert 0.45 < max(waits) <= 0.5


@given(st.floats(min_value=0, max_value=600), st.integers(0, 2**32))
def test_a_wait_is_a_little_longer_than_told(retry_after: float, seed: int) -> None:
    stage = Stage(
        faults=[ProviderFault("rate_limited", "slow down", retry_after=retry_after)], seed=seed
    )
    assert stage.play() == REPLY
    assert retry_after <= stage.slept[0] <= max(retry_after * 1.2, 1.0)


def test_those_who_were_told_the_same_time_do_not_come_back_at_once() -> None:
    fault = ProviderFault("rate_limited", "slow down", retry_after=100)
    stages = [Stage(faults=[fault], seed=seed) for seed in range(50)]
    for stage in stages:
        stage.play()
    waits = [stage.slept[0] for stage in stages]
    assert len(set(waits)) == 50
    assert max(waits) - min(waits) > 10


@pytest.mark.parametrize("retry_after", [-1.0, float("nan"), float("-inf")])
def test_a_nonsensical_wait_counts_as_none(retry_after: float) -> None:
    stage = Stage(faults=[ProviderFault("rate_limited", "slow down", retry_after=retry_after)])
    stage.play()
    assert 0.5 <= stage.slept[0] <= 1.0


@pytest.mark.parametrize("retry_after", [901.0, 1e9, float("inf")])
def test_a_wait_beyond_the_deadline_is_not_begun(retry_after: float) -> None:
    stage = Stage(always=ProviderFault("rate_limited", "tomorrow", retry_after=retry_after))
    with pytest.raises(UnansweredError):
        stage.play()
    assert (stage.asked, stage.slept) == (1, [])


@pytest.mark.parametrize("seed", range(20))
def test_a_rate_limit_is_waited_out_for_fifteen_minutes_at_most(seed: int) -> None:
    stage = Stage(always=ProviderFault("rate_limited", "slow down"), seed=seed)
    with pytest.raises(UnansweredError):
        stage.play()
    assert 15 * 60 - 60 <= sum(stage.slept) <= 15 * 60
    assert max(stage.slept) <= 60
    assert 20 <= stage.asked <= 40


@given(
    st.lists(
        st.builds(
            ProviderFault,
            st.sampled_from(sorted(RETRY_POLICIES)),
            st.just("broken"),
            retry_after=st.none() | st.floats(allow_nan=True, allow_infinity=True),
        ),
        max_size=80,
    ),
    st.integers(0, 2**32),
)
def test_no_run_of_faults_is_waited_out_for_more_than_fifteen_minutes(
    faults: list[ProviderFault], seed: int
) -> None:
    stage = Stage(faults=faults, seed=seed)
    try:
        stage.play()
    except (QuarantineError, ProviderError, ProviderFault):
        assert stage.asked <= len(faults)
    else:
        assert stage.asked == len(faults) + 1
    assert len(stage.slept) == stage.asked - 1
    assert all(0 <= seconds <= 15 * 60 for seconds in stage.slept)
    assert sum(stage.slept) <= 15 * 60


def test_each_kind_is_counted_by_itself() -> None:
    """Two time-outs and three broken streams are each below their own number of attempts."""
    kinds: tuple[FaultKind, ...] = ("timeout", "cut", "cut", "timeout", "cut")
    stage = Stage(faults=[ProviderFault(kind, "broken") for kind in kinds])
    assert stage.play() == REPLY
    assert stage.asked == 6


@pytest.mark.parametrize("kind", RUN_ENDING)
def test_what_will_not_change_stops_the_run_at_once(kind: FaultKind) -> None:
    stage = Stage(always=ProviderFault(kind, "no"))
    with pytest.raises(ProviderError, match=rf"^acme:m: {kind}: no$"):
        stage.play()
    assert (stage.asked, stage.slept) == (1, [])


def test_a_request_that_is_too_long_is_handed_back() -> None:
    fault = ProviderFault("too_long", "prompt is too long")
    stage = Stage(always=fault)
    for _ in range(5):
        with pytest.raises(ProviderFault) as caught:
            stage.play()
        assert caught.value is fault
    assert (stage.asked, stage.slept) == (5, [])


def test_the_third_item_in_a_row_that_fails_stops_the_run() -> None:
    stage = Stage(always=ProviderFault("bad_request", "no"))
    for item in ("oracle:a", "oracle:b"):
        with pytest.raises(QuarantineError, match=item):
            stage.play(item)
    with pytest.raises(ProviderError, match="3 items in a row could not be finished"):
        stage.play("oracle:c")


def test_a_reply_in_between_begins_the_row_anew() -> None:
    stage = Stage()
    fault = ProviderFault("bad_request", "no")
    for _ in range(5):
        stage.always = fault
        for item in ("oracle:a", "oracle:b"):
            with pytest.raises(QuarantineError):
                stage.play(item)
        stage.always = None
        stage.play("oracle:c")


@pytest.mark.parametrize(
    "error", [BudgetError("spent"), UnansweredError("dear"), ProviderError("gone"), KeyError("x")]
)
def test_what_is_no_fault_passes_untouched(error: Exception) -> None:
    def fail(_: Request) -> Reply:
        raise error

    stage = Stage()
    scripted = ScriptedProvider(fail)
    retried = RetryingProvider(scripted, name="acme:m", sleep=asyncio.sleep, chance=Random(1))
    with pytest.raises(type(error)) as caught:
        asyncio.run(retried.ask(request()))
    assert caught.value is error
    assert (len(scripted.requests), stage.slept) == (1, [])


def cancelled_while(stage: Callable[[asyncio.Event], RetryingProvider]) -> None:
    async def story() -> None:
        began = asyncio.Event()
        call = asyncio.create_task(stage(began).ask(request()))
        await began.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    async def in_time() -> None:
        async with asyncio.timeout(5):
            await story()

    asyncio.run(in_time())


def test_a_cancellation_ends_a_wait() -> None:
    def stage(began: asyncio.Event) -> RetryingProvider:
        async def sleep(_: float) -> None:
            began.set()
            await asyncio.Event().wait()

        def fail(_: Request) -> Reply:
            raise ProviderFault("cut", "broken")

        return RetryingProvider(ScriptedProvider(fail), name="m", sleep=sleep, chance=Random(1))

    cancelled_while(stage)


def test_a_cancellation_ends_an_attempt_and_is_not_tried_again() -> None:
    class Hanging:
        def __init__(self, began: asyncio.Event) -> None:
            self._began = began
            self.asked = 0

        async def ask(self, _: Request) -> Reply:
            self.asked += 1
            self._began.set()
            await asyncio.Event().wait()
            return REPLY

    made: list[Hanging] = []

    def stage(began: asyncio.Event) -> RetryingProvider:
        made.append(Hanging(began))
        return RetryingProvider(made[0], name="m", sleep=asyncio.sleep, chance=Random(1))

    cancelled_while(stage)
    assert made[0].asked == 1


def test_the_same_seed_waits_the_same() -> None:
    def waits(seed: int) -> list[float]:
        stage = Stage(faults=[ProviderFault("overloaded", "busy")] * 5, seed=seed)
        stage.play()
        return stage.slept

    assert waits(3) == waits(3)
    assert waits(3) != waits(4)


def test_every_error_is_one_of_ours_with_exit_code_6() -> None:
    for kind in (*ATTEMPTS, *RUN_ENDING, "rate_limited"):
        with pytest.raises(GoldwrightError) as caught:
            Stage(always=ProviderFault(kind, "no")).play()
        assert caught.value.exit_code == 6
