"""Sharing a provider: never more than allowed, nobody during a pause, and no place is ever lost."""

import asyncio
import heapq
import math
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random

import pytest

from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.port import (
    AssistantMessage,
    FaultKind,
    Message,
    ProviderFault,
    Reply,
    Request,
    Usage,
    UserMessage,
)
from goldwright.llm.request_rate import CUT, LONE_RATE, RequestRate

REPLY = Reply(
    text="{}", tool_uses=(), stop="done", stop_reason="end", usage=Usage(fresh=1), model="m"
)
ENOUGH = 50


@dataclass
class Clock:
    """Time that passes when everybody sleeps."""

    now: float = 0.0
    _sleepers: list[tuple[float, int, asyncio.Event]] = field(default_factory=list)

    def seconds(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        heapq.heappush(self._sleepers, (self.now + seconds, id(woken), woken))
        await woken.wait()

    async def run(self) -> None:
        """Let things happen, and time pass whenever nothing does, until nobody sleeps."""
        await idle()
        while self._sleepers:
            self.now, _, woken = heapq.heappop(self._sleepers)
            woken.set()
            await idle()


class Slow:
    """A provider that takes 1 second, and notes who was asked when and how many at once."""

    def __init__(self, clock: Clock, answer: Callable[[Request], Reply] | None = None) -> None:
        self.began: list[tuple[float, str]] = []
        self.active = 0
        self.most = 0
        self._clock = clock
        self._answer = answer or (lambda _: REPLY)

    async def ask(self, request: Request) -> Reply:
        self.began.append((self._clock.now, request.item))
        self.active += 1
        self.most = max(self.most, self.active)
        try:
            await self._clock.sleep(1)
            return self._answer(request)
        finally:
            self.active -= 1


def request(item: str = "oracle:a", *, is_new: bool = True) -> Request:
    turns: tuple[Message, ...] = (
        (UserMessage("?"),)
        if is_new
        else (UserMessage("?"), AssistantMessage({}), UserMessage("go on"))
    )
    return Request(item=item, model="m", system="", turns=turns)


async def idle() -> None:
    for _ in range(ENOUGH):
        await asyncio.sleep(0)


def play(story: Coroutine[None, None, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(20):
            await story

    asyncio.run(in_time())


def limit_of(most: int, clock: Clock) -> ConcurrencyLimit:
    rate = RequestRate(seconds=clock.seconds, first=math.inf)
    return ConcurrencyLimit(most, rate=rate, seconds=clock.seconds, sleep=clock.sleep)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_never_more_than_allowed_are_under_way_and_all_get_their_turn_in_order(most: int) -> None:
    async def story() -> None:
        clock = Clock()
        slow = Slow(clock)
        limited = LimitedProvider(slow, limit_of(most, clock))
        calls = [asyncio.create_task(limited.ask(request(f"{n:02}"))) for n in range(20)]
        await clock.run()
        assert all(call.done() for call in calls)
        assert slow.most == most
        assert [item for _, item in slow.began] == [f"{n:02}" for n in range(20)]
        assert clock.now == 20 / most

    play(story())


def test_work_that_was_begun_goes_before_new_work() -> None:
    async def story() -> None:
        clock = Clock()
        slow = Slow(clock)
        limited = LimitedProvider(slow, limit_of(1, clock))
        order = [
            ("first", True),
            ("new 1", True),
            ("begun 1", False),
            ("new 2", True),
            ("begun 2", False),
        ]
        calls = [
            asyncio.create_task(limited.ask(request(item, is_new=is_new))) for item, is_new in order
        ]
        await clock.run()
        assert all(call.done() for call in calls)
        assert [item for _, item in slow.began] == ["first", "begun 1", "begun 2", "new 1", "new 2"]

    play(story())


def failing(*faults: ProviderFault) -> Callable[[Request], Reply]:
    left = list(faults)

    def answer(_: Request) -> Reply:
        if left:
            raise left.pop(0)
        return REPLY

    return answer


@pytest.mark.parametrize(
    ("retry_after", "pause"), [(None, 1.0), (30.0, 30.0), (0.0, 0.0), (1e9, 3600.0)]
)
def test_a_rate_limit_pauses_everybody_for_as_long_as_told(
    retry_after: float | None, pause: float
) -> None:
    async def story() -> None:
        clock = Clock()
        slow = Slow(
            clock, failing(ProviderFault("rate_limited", "slow down", retry_after=retry_after))
        )
        limited = LimitedProvider(slow, limit_of(2, clock))
        first = asyncio.create_task(limited.ask(request("0")))
        await idle()
        clock.now += 0.5
        others = [asyncio.create_task(limited.ask(request(f"{n}"))) for n in range(1, 4)]
        await clock.run()
        assert isinstance(first.exception(), ProviderFault)
        assert [call.result() for call in others] == [REPLY] * 3
        assert [began for began, _ in slow.began[:2]] == [0.0, 0.5]
        # After a refusal calls begin one by one, at the rate that a lone refusal leaves.
        first_turn = 1.0 + 1 / (LONE_RATE * CUT)
        assert slow.began[2][0] == pytest.approx(max(1.0 + pause, first_turn))

    play(story())


def test_a_wait_told_with_any_fault_pauses_everybody() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(4, clock)
        slow = Slow(clock, failing(ProviderFault("overloaded", "busy", retry_after=20.0)))
        await asyncio.gather(
            LimitedProvider(slow, limit).ask(request()), clock.run(), return_exceptions=True
        )
        later = asyncio.create_task(LimitedProvider(slow, limit).ask(request()))
        await clock.run()
        assert (later.result(), slow.began[1][0]) == (REPLY, 21.0)

    play(story())


def test_the_longest_pause_counts_and_none_is_cut_short() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(4, clock)
        for seconds in (5.0, 60.0, 1.0, -7.0, float("nan")):
            limit.pause(seconds)
        entered = asyncio.create_task(limit.acquire(is_new=True))
        await idle()
        limit.pause(90.0)
        await clock.run()
        assert entered.done()
        assert clock.now == 90.0

    play(story())


def test_fewer_are_allowed_by_a_factor_of_0_7_once_in_ten_seconds_and_never_none() -> None:
    clock = Clock()
    limit = limit_of(10, clock)
    allowed = []
    for clock.now in (0.0, 5.0, 9.9, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0):
        limit.slow_down()
        allowed.append(round(limit.allowed, 3))
    assert allowed == [7.0, 7.0, 7.0, 4.9, 3.43, 2.401, 1.681, 1.176, 1.0, 1.0, 1.0]


def test_one_more_is_allowed_after_a_clean_window_and_never_more_than_the_user_allows() -> None:
    clock = Clock()
    limit = limit_of(4, clock)
    limit.slow_down()
    clock.now = 10.0
    limit.slow_down()
    allowed = []
    for _ in range(12):
        limit.speed_up()
        allowed.append(round(limit.allowed, 2))
    assert allowed == [1.96, 2.96, 2.96, 2.96, 3.96, 3.96, 3.96, 3.96, 4.0, 4.0, 4.0, 4.0]


def test_a_window_begins_anew_when_the_provider_is_short_of_breath() -> None:
    clock = Clock()
    limit = limit_of(4, clock)
    limit.slow_down()
    for _ in range(10):
        limit.speed_up()
        limit.speed_up()
        limit.slow_down()
    assert limit.allowed == pytest.approx(2.8)


@pytest.mark.parametrize(
    ("kind", "is_slower"),
    [
        ("rate_limited", True),
        ("overloaded", True),
        ("timeout", False),
        ("cut", False),
        ("server_error", False),
    ],
)
def test_only_a_provider_short_of_breath_is_asked_less(kind: FaultKind, *, is_slower: bool) -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(10, clock)
        limited = LimitedProvider(Slow(clock, failing(ProviderFault(kind, "no"))), limit)
        await asyncio.gather(limited.ask(request()), clock.run(), return_exceptions=True)
        assert limit.allowed == (7.0 if is_slower else 10.0)
        assert limit.active == 0

    play(story())


def test_a_smaller_number_is_kept_by_those_who_come_later() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(4, clock)
        limit.slow_down()
        slow = Slow(clock)
        calls = [
            asyncio.create_task(LimitedProvider(slow, limit).ask(request(f"{n}"))) for n in range(2)
        ]
        await idle()
        calls += [
            asyncio.create_task(LimitedProvider(slow, limit).ask(request(f"{n}")))
            for n in range(2, 5)
        ]
        await idle()
        assert slow.active == 2
        await clock.run()
        assert all(call.done() for call in calls)

    play(story())


@pytest.mark.parametrize("state", ["waiting", "paused", "active"])
def test_a_cancellation_leaks_no_place(state: str) -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(1, clock)
        slow = Slow(clock)
        limited = LimitedProvider(slow, limit)
        if state == "paused":
            limit.pause(10)
        ahead = [asyncio.create_task(limited.ask(request("ahead")))] if state == "waiting" else []
        call = asyncio.create_task(limited.ask(request("cut off")))
        after = asyncio.create_task(limited.ask(request("after")))
        await idle()
        call.cancel()
        await idle()
        assert call.cancelled()
        await clock.run()
        assert [one.result() for one in (*ahead, after)] == [REPLY] * (len(ahead) + 1)
        assert limit.active == 0
        assert ("cut off" in [item for _, item in slow.began]) == (state == "active")

    play(story())


def test_who_is_cancelled_at_the_moment_of_its_turn_hands_the_place_on() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(1, clock)
        await limit.acquire(is_new=True)
        waiting = [asyncio.create_task(limit.acquire(is_new=True)) for _ in range(2)]
        await idle()
        limit.release()
        waiting[0].cancel()
        await idle()
        assert waiting[0].cancelled()
        assert waiting[1].done()
        assert limit.active == 1

    play(story())


class Stormy(Slow):
    """A provider that often says no, and notices when it is asked out of turn."""

    def __init__(self, clock: Clock, limit: ConcurrencyLimit, chance: Random) -> None:
        super().__init__(clock, self._fail_at_times)
        self._limit = limit
        self._chance = chance
        self._paused_until = 0.0

    async def ask(self, request: Request) -> Reply:
        assert self.active < self._limit.most
        assert self._clock.now >= self._paused_until - 1e-9
        return await super().ask(request)

    def _fail_at_times(self, _: Request) -> Reply:
        if self._chance.random() < 0.7:
            return REPLY
        kinds: tuple[FaultKind, ...] = ("rate_limited", "overloaded", "cut")
        kind = self._chance.choice(kinds)
        retry_after = self._chance.choice((None, self._chance.uniform(0, 20)))
        if kind == "rate_limited" or retry_after is not None:
            self._paused_until = max(
                self._paused_until, self._clock.now + (1.0 if retry_after is None else retry_after)
            )
        raise ProviderFault(kind, "no", retry_after=retry_after)


@pytest.mark.parametrize("seed", range(200))
def test_no_order_of_calls_faults_and_cancellations_breaks_the_limit(seed: int) -> None:
    """At every beginning: a free place, and no pause; at the end: every place is back, and nobody
    waits.
    """

    async def story() -> None:
        chance, clock = Random(seed), Clock()
        limit = limit_of(chance.randint(1, 6), clock)
        stormy = Stormy(clock, limit, chance)
        calls: list[asyncio.Task[Reply]] = []
        for n in range(40):
            calls.append(
                asyncio.create_task(
                    LimitedProvider(stormy, limit).ask(
                        request(f"{n}", is_new=chance.random() < 0.5)
                    )
                )
            )
            if chance.random() < 0.3:
                await asyncio.sleep(0)
            if chance.random() < 0.2:
                chance.choice(calls).cancel()
        await clock.run()
        ended = await asyncio.gather(*calls, return_exceptions=True)
        assert not [error for error in ended if isinstance(error, AssertionError)]
        assert (limit.active, stormy.active) == (0, 0)
        assert 1.0 <= limit.allowed <= limit.most

    play(story())
