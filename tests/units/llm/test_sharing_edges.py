"""Who begins when: places, turns and pauses to the number, and what a refusal tells the limits."""

import asyncio
import math
from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest

from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.port import FaultKind, ProviderFault, Reply, Request, Usage, UserMessage
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.request_rate import RequestRate
from goldwright.llm.stated_limits import LISTENER, StatedLimit, StatedLimits
from units.llm.test_concurrency import Clock, idle, play

REPLY = Reply("{}", (), "done", "end", Usage(fresh=1), "m")


def request(text: str = "?", turns: int = 1) -> Request:
    return Request("oracle:a", "m", "", (UserMessage(text),) * turns)


def limit_of(
    most: int, clock: Clock, rate: float | None = None, *, states: bool = False
) -> ConcurrencyLimit:
    """A limit of calls at a time, and of calls a second where there is one."""
    first = math.inf
    return ConcurrencyLimit(
        most,
        rate=RequestRate(rate, seconds=clock.seconds, first=first),
        seconds=clock.seconds,
        sleep=clock.sleep,
        stated=StatedLimits(seconds=clock.seconds) if states else None,
    )


async def enter(
    limit: ConcurrencyLimit, count: int, *, is_new: bool = True
) -> list[asyncio.Task[float]]:
    """Have so many calls ask for a place."""
    calls = [asyncio.create_task(limit.acquire(is_new=is_new)) for _ in range(count)]
    await idle()
    return calls


def began(calls: Iterable[asyncio.Task[float]]) -> list[float | None]:
    """Tell when calls began; None for those that wait."""
    return [call.result() if call.done() else None for call in calls]


def test_calls_begin_at_the_distance_of_the_rate_and_those_that_were_begun_go_first() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(9, clock, 2.0)
        new = await enter(limit, 3)
        assert began(new) == [0.0, None, None]
        assert limit.active == 3
        older = await enter(limit, 1, is_new=False)
        await clock.run()
        # The one that was begun overtakes the two new ones that wait.
        assert began(older) == [0.5]
        assert began(new) == [0.0, 1.0, 1.5]

    play(story())


def test_a_place_that_is_given_back_goes_to_the_next_and_to_one_alone() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(2, clock)
        calls = await enter(limit, 5)
        assert [call.done() for call in calls] == [True, True, False, False, False]
        assert limit.active == 2
        limit.release()
        await idle()
        assert [call.done() for call in calls] == [True, True, True, False, False]
        assert limit.active == 2
        for call in calls[3:]:
            call.cancel()
        limit.release()
        limit.release()
        await idle()
        assert limit.active == 0

    play(story())


def test_a_place_more_is_given_to_who_waits_as_soon_as_it_is_allowed() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(4, clock)
        limit.slow_down()
        calls = await enter(limit, 4)
        assert limit.allowed == pytest.approx(2.8)
        assert limit.active == 2
        for _ in range(2):
            limit.speed_up()
        await idle()
        assert limit.active == 2
        limit.speed_up()
        await idle()
        assert limit.allowed == pytest.approx(3.8)
        assert limit.active == 3
        assert [call.done() for call in calls] == [True, True, True, False]
        calls[3].cancel()

    play(story())


def test_who_comes_while_others_wait_waits_behind_them() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(1, clock)
        (first,) = await enter(limit, 1)
        (second,) = await enter(limit, 1)
        limit.release()
        # The place is the second's already, though it has not gone on yet.
        (third,) = await enter(limit, 1)
        assert [call.done() for call in (first, second, third)] == [True, True, False]
        third.cancel()

    play(story())


@pytest.mark.parametrize(
    ("pauses", "begins_at"),
    [((), 0.0), ((5.0,), 5.0), ((5.0, 2.0), 5.0), ((3600.0,), 3600.0), ((3601.0,), 3600.0)],
)
def test_a_pause_lasts_until_its_end_and_an_hour_at_most(
    pauses: tuple[float, ...], begins_at: float
) -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(2, clock)
        for seconds in pauses:
            limit.pause(seconds)
        calls = await enter(limit, 1)
        await clock.run()
        assert began(calls) == [begins_at]

    play(story())


def test_a_cancelled_call_gives_place_and_turn_to_the_next() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(2, clock)
        limit.pause(5.0)
        first, second, third = await enter(limit, 3)
        first.cancel()
        await clock.run()
        assert first.cancelled()
        assert began([second, third]) == [5.0, 5.0]
        assert limit.active == 2

    play(story())


def test_calls_of_later_waits_get_their_turns_too() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(9, clock)
        for until in (5.0, 12.0):
            limit.pause(until - clock.now)
            calls = await enter(limit, 2)
            await clock.run()
            assert began(calls) == [until, until]

    play(story())


@pytest.mark.parametrize(("turns", "is_first"), [(1, False), (0, False), (2, True)])
def test_a_conversation_that_has_begun_is_not_new(turns: int, *, is_first: bool) -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(1, clock)
        await limit.acquire(is_new=True)
        order: list[int] = []

        def answer(one: Request) -> Reply:
            order.append(len(one.turns))
            return REPLY

        limited = LimitedProvider(ScriptedProvider(answer), limit)
        # One that is new by all means came before.
        calls = [
            asyncio.create_task(limited.ask(one)) for one in (request("new"), request(turns=turns))
        ]
        await idle()
        limit.release()
        await asyncio.gather(*calls)
        assert order == ([turns, 1] if is_first else [1, turns])
        assert limit.active == 0

    play(story())


def asked_once(
    limit: ConcurrencyLimit, answer: Callable[[Request], Reply], one: Request | None = None
) -> None:
    """Ask, whatever comes of it."""

    async def story() -> None:
        with suppress(ProviderFault):
            await LimitedProvider(ScriptedProvider(answer), limit).ask(one or request())

    play(story())


def failing(kind: FaultKind, retry_after: float | None = None) -> Callable[[Request], Reply]:
    def answer(_: Request) -> Reply:
        raise ProviderFault(kind, "no", retry_after=retry_after)

    return answer


@pytest.mark.parametrize(
    ("kind", "retry_after", "allowed", "pause", "rate"),
    [
        ("rate_limited", None, 7.0, 1.0, 1.6),
        ("rate_limited", 30.0, 7.0, 30.0, 1.6),
        ("overloaded", None, 7.0, 0.0, None),
        ("overloaded", 30.0, 7.0, 30.0, None),
        ("server_error", 30.0, 10.0, 30.0, None),
        ("cut", None, 10.0, 0.0, None),
    ],
)
def test_a_fault_pauses_slows_and_paces_as_its_kind_says(
    kind: FaultKind, retry_after: float | None, allowed: float, pause: float, rate: float | None
) -> None:
    clock = Clock()
    limit = limit_of(10, clock)
    asked_once(limit, failing(kind, retry_after))
    assert limit.allowed == allowed
    assert limit.active == 0
    assert limit.rate.rate() == rate
    clock.now = pause

    async def story() -> None:
        waited = 0.0 if rate is None else max(0.0, 1 / rate - pause)
        calls = await enter(limit, 1)
        assert began(calls) == ([None] if waited else [pause])
        for call in calls:
            call.cancel()

    play(story())


def test_a_reply_counts_towards_a_window_and_a_fault_does_not() -> None:
    clock = Clock()
    limit = limit_of(2, clock)
    limit.slow_down()
    asked_once(limit, failing("cut"))
    asked_once(limit, lambda _: REPLY)
    assert limit.allowed == 1.4
    asked_once(limit, lambda _: REPLY)
    assert limit.allowed == 2.0


def test_an_error_of_our_own_gives_its_place_back() -> None:
    def stumble(_: Request) -> Reply:
        raise RuntimeError("a bug")

    clock = Clock()
    limit = limit_of(1, clock)
    with pytest.raises(RuntimeError, match="a bug"):
        asked_once(limit, stumble)
    assert (limit.active, limit.allowed) == (0, 1.0)


def hearing(*statements: StatedLimit) -> Callable[[Request], Reply]:
    """A provider whose replies say what is left."""

    def answer(_: Request) -> Reply:
        listener = LISTENER.get()
        assert listener is not None
        listener(statements)
        return REPLY

    return answer


def test_a_call_is_expected_to_send_a_token_for_each_four_bytes() -> None:
    clock = Clock()
    limit = limit_of(4, clock, states=True)
    one = request("x" * 4000)
    asked_once(limit, hearing(StatedLimit("tokens", 10_000, 0, 10.0)), one)
    assert limit.stated is not None
    assert limit.stated.seconds_to_wait() == pytest.approx(one.input_bytes / 4 / 1000)


def test_what_is_stated_is_waited_for_together_with_everything_else() -> None:
    async def story() -> None:
        clock = Clock()
        limit = limit_of(4, clock, states=True)
        limited = LimitedProvider(
            ScriptedProvider(hearing(StatedLimit("requests", 10, 0, 40.0))), limit
        )
        await limited.ask(request())
        calls = await enter(limit, 2)
        await clock.run()
        # One comes back every four seconds; the second has to wait for its own.
        assert began(calls) == [pytest.approx(4.0), pytest.approx(8.0)]

    play(story())


def test_a_refusal_is_told_to_what_was_stated_and_leaves_the_rate_that_was_stated() -> None:
    clock = Clock()
    limit = limit_of(4, clock, states=True)
    # Four hundred a second come back, by the word of the provider.
    asked_once(limit, hearing(StatedLimit("requests", 4000, 0, 10.0)))
    clock.now = 1.0
    asked_once(limit, failing("rate_limited"))
    assert limit.rate.rate() == pytest.approx(0.8 * 400)
    assert limit.stated is not None
    # It had begun because something was to be back, which was not: all is back at once.
    assert limit.stated.seconds_to_wait() == pytest.approx(9.0)


def test_nobody_listens_where_nothing_is_to_be_heard() -> None:
    heard: list[object] = []

    def answer(_: Request) -> Reply:
        heard.append(LISTENER.get())
        return REPLY

    asked_once(limit_of(1, Clock()), answer)
    assert heard == [None]
