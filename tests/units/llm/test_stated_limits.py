"""What providers say of their limits is heeded: few calls are refused, and few seconds wasted."""

import asyncio
import heapq
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.catalog import Api, open_adapter
from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.port import Request, UserMessage
from goldwright.llm.providers.limit_headers import LONGEST_SECONDS, read_statements
from goldwright.llm.request_rate import RequestRate
from goldwright.llm.stated_limits import LONGEST_HOLD, StatedLimit, StatedLimits
from scripted.server import serve_in_thread
from scripted.wire import Say

PLACES = 8
REQUEST = Request(item="judge:a", model="m", system="Judge.", turns=(UserMessage("?"),))


@dataclass
class Clock:
    """Time that the test moves."""

    now: float = 0.0

    def seconds(self) -> float:
        return self.now


class Server(Protocol):
    """Takes a call or names the seconds until it would, and says what is left of its limit."""

    def take(self, now: float) -> float: ...

    def statement(self, now: float) -> StatedLimit: ...


@dataclass
class Refilled:
    """So many at once, which come back steadily within some seconds."""

    limit: float
    seconds: float
    left: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.limit

    def take(self, now: float) -> float:
        rate = self.limit / self.seconds
        self.left = min(self.limit, self.left + (now - self.at) * rate)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / rate
        self.left -= 1
        return 0.0

    def statement(self, _now: float) -> StatedLimit:
        missing = self.limit - self.left
        seconds = missing * self.seconds / self.limit
        return StatedLimit("requests", self.limit, math.floor(self.left), seconds)


@dataclass
class Windowed:
    """So many in each window of some seconds."""

    limit: int
    seconds: float
    taken: int = 0
    window: int = -1

    def take(self, now: float) -> float:
        if int(now // self.seconds) != self.window:
            self.window, self.taken = int(now // self.seconds), 0
        if self.taken == self.limit:
            return (self.window + 1) * self.seconds - now
        self.taken += 1
        return 0.0

    def statement(self, now: float) -> StatedLimit:
        until = (self.window + 1) * self.seconds - now
        return StatedLimit("requests", self.limit, self.limit - self.taken, until)


@dataclass(frozen=True)
class Played:
    """How long all calls took, and how many were refused."""

    seconds: float
    refused: int


def play(server: Server, calls: int, median: float = 0.5, *, states: bool = True) -> Played:
    """Have many calls answered within the limits of a server."""
    clock, chance, numbers = Clock(), Random(1), count()
    rate, stated = RequestRate(seconds=clock.seconds), StatedLimits(seconds=clock.seconds)
    waiting, active, answered, refused, paused_until = calls, 0, 0, 0, 0.0
    events: list[tuple[float, int, float, StatedLimit | None]] = []
    while answered < calls:
        wait = max(rate.seconds_to_wait(), stated.seconds_to_wait())
        may_begin_at = max(clock.now + wait, paused_until)
        if active < PLACES and waiting and (not events or may_begin_at <= events[0][0]):
            if may_begin_at > clock.now:
                # What was waited for is looked at again, as the shared limit does.
                clock.now = may_begin_at
                continue
            began_at = rate.begin()
            stated.begin(began_at)
            waiting, active = waiting - 1, active + 1
            told = server.take(clock.now)
            if told:
                paused_until = max(paused_until, clock.now + told)
                heapq.heappush(events, (clock.now + 0.02, next(numbers), began_at, None))
            else:
                ended_at = clock.now + median * chance.lognormvariate(0, 0.4)
                statement = server.statement(clock.now)
                heapq.heappush(events, (ended_at, next(numbers), began_at, statement))
            continue
        clock.now, _, began_at, heard = heapq.heappop(events)
        active -= 1
        if heard is None:
            rate.refuse(began_at)
            stated.refuse(began_at)
            waiting, refused = waiting + 1, refused + 1
            continue
        answered += 1
        if states:
            stated.hear([heard], began_at)
    return Played(clock.now, refused)


@pytest.mark.parametrize("server", [(Refilled, 4, 1.0), (Windowed, 4, 1.0), (Refilled, 8, 2.0)])
@pytest.mark.parametrize("median", [0.1, 1.0])
def test_of_four_calls_a_second_nine_tenths_are_used_and_one_in_twenty_refused_at_most(
    server: tuple[Callable[[int, float], Server], int, float], median: float
) -> None:
    kind, limit, seconds = server
    played = play(kind(limit, seconds), 400, median)
    assert 400 / played.seconds >= 0.9 * 4
    assert played.refused <= 0.05 * (400 + played.refused)


def test_a_minute_that_is_refilled_steadily_refuses_nobody_and_is_used() -> None:
    played = play(Refilled(60, 60.0), 300)
    assert played.refused == 0
    # 60 at once, and one a second from there on.
    assert played.seconds <= 240 / 0.9


def test_a_minute_that_is_refilled_at_once_is_waited_out_when_that_has_shown() -> None:
    played, unheard = play(Windowed(60, 60.0), 600), play(Windowed(60, 60.0), 600, states=False)
    assert played.refused <= 5
    assert played.seconds <= 9 * 60 / 0.9
    assert unheard.refused > played.refused


def test_calls_begun_since_are_taken_off_and_what_is_back_is_added() -> None:
    clock = Clock()
    stated = StatedLimits(seconds=clock.seconds)
    assert stated.seconds_to_wait() == 0.0
    for moment in (0.0, 0.1, 0.2):
        stated.begin(moment)
    clock.now = 1.0
    stated.hear([StatedLimit("requests", 10, 2, 40.0)], began_at=0.0)
    # Of the two that were left, two calls were made; a fifth of one comes back each second.
    assert stated.seconds_to_wait() == pytest.approx(4.0)
    clock.now = 5.1
    assert stated.seconds_to_wait() == 0.0
    stated.begin(5.1)
    clock.now = 5.2
    assert stated.seconds_to_wait() == pytest.approx(4.8)
    # What an earlier call was told is older than that.
    stated.hear([StatedLimit("requests", 10, 0, 40.0)], began_at=-1.0)
    assert stated.seconds_to_wait() == pytest.approx(4.8)


def test_tokens_are_waited_for_that_a_call_is_expected_to_take() -> None:
    clock = Clock()
    stated = StatedLimits(seconds=clock.seconds)
    stated.expect(500)
    stated.hear([StatedLimit("input-tokens", 1000, 400, 6.0)], began_at=0.0)
    assert stated.seconds_to_wait() == pytest.approx(1.0)
    # One that takes more than there ever is waits until all is back, and is sent.
    stated.expect(1e9)
    assert stated.seconds_to_wait() == pytest.approx(6.0)
    clock.now = 6.0
    assert stated.seconds_to_wait() == 0.0


@given(
    st.builds(
        StatedLimit,
        kind=st.sampled_from(["requests", "tokens"]),
        limit=st.floats(1, 1e12),
        remaining=st.just(0.0),
        seconds=st.floats(1e-3, LONGEST_SECONDS),
    ),
    st.booleans(),
)
def test_no_word_of_a_provider_holds_calls_for_long(
    statement: StatedLimit,
    refuses: bool,  # drawn
) -> None:
    clock = Clock()
    stated = StatedLimits(seconds=clock.seconds)
    stated.expect(1e6)
    stated.hear([statement], began_at=0.0)
    if refuses:
        stated.refuse(0.0)
    assert 0 <= stated.seconds_to_wait() <= LONGEST_HOLD
    clock.now = LONGEST_HOLD
    assert stated.seconds_to_wait() == 0.0


ANTHROPIC = {
    "date": "Mon, 23 Nov 2026 12:00:00 GMT",
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": "2026-11-23T12:00:31Z",
    "anthropic-ratelimit-input-tokens-limit": "30000",
    "anthropic-ratelimit-input-tokens-remaining": "12000",
    "anthropic-ratelimit-input-tokens-reset": "2026-11-23T12:00:37Z",
}
OPENAI = {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-remaining-requests": "499",
    "x-ratelimit-reset-requests": "120ms",
    "x-ratelimit-limit-tokens": "30000",
    "x-ratelimit-remaining-tokens": "20",
    "x-ratelimit-reset-tokens": "1m2.5s",
}


def test_headers_of_both_kinds_are_read() -> None:
    # Moments in whole seconds: up to a second less.
    assert read_statements(ANTHROPIC) == (
        StatedLimit("requests", 50, 0, 30.0),
        StatedLimit("input-tokens", 30000, 12000, 36.0),
    )
    assert read_statements(OPENAI) == (
        StatedLimit("requests", 500, 499, 0.12),
        StatedLimit("tokens", 30000, 20, 62.5),
    )
    assert read_statements({}) == ()


@pytest.mark.parametrize(
    "changed",
    [
        {"x-ratelimit-remaining-requests": "-1"},
        {"x-ratelimit-remaining-requests": "501"},
        {"x-ratelimit-remaining-requests": "nan"},
        {"x-ratelimit-remaining-requests": "many"},
        {"x-ratelimit-limit-requests": "1e999"},
        {"x-ratelimit-limit-requests": "0"},
        {"x-ratelimit-reset-requests": ""},
        {"x-ratelimit-reset-requests": "0s"},
        {"x-ratelimit-reset-requests": "-5s"},
        {"x-ratelimit-reset-requests": "99999h"},
        {"x-ratelimit-reset-requests": "25h"},
        {"x-ratelimit-reset-requests": "soon"},
        {"x-ratelimit-reset-requests": "1" * 5000},
    ],
)
def test_headers_that_make_no_sense_say_nothing(changed: Mapping[str, str]) -> None:
    assert [one.kind for one in read_statements({**OPENAI, **changed})] == ["tokens"]


@pytest.mark.parametrize(
    "changed",
    [
        {"date": "yesterday"},
        {"date": ""},
        {"anthropic-ratelimit-requests-reset": "2026-11-23T11:00:00Z"},
        {"anthropic-ratelimit-requests-reset": "2027-11-23T11:00:00Z"},
        {"anthropic-ratelimit-requests-reset": "2026-11-23T12:00:31"},
        {"anthropic-ratelimit-requests-reset": "31"},
    ],
)
def test_moments_that_make_no_sense_say_nothing(changed: Mapping[str, str]) -> None:
    kinds = [one.kind for one in read_statements({**ANTHROPIC, **changed})]
    assert "requests" not in kinds


@pytest.mark.parametrize(
    ("api", "stream", "headers"),
    [
        ("anthropic", True, ANTHROPIC),
        ("anthropic", False, ANTHROPIC),
        ("responses", True, {**OPENAI, "x-ratelimit-remaining-tokens": "0"}),
        ("chat", False, {**OPENAI, "x-ratelimit-remaining-tokens": "0"}),
    ],
)
def test_whoever_asks_hears_what_a_reply_says(
    api: Api,
    stream: bool,
    headers: Mapping[str, str],
) -> None:
    clock = Clock()
    limits = [_limit(clock), _limit(clock)]

    async def ask(url: str) -> None:
        base_url = url if api == "anthropic" else f"{url}/v1"
        adapter = open_adapter(api, key="k", base_url=base_url, seconds=5.0, stream=stream)
        try:
            await LimitedProvider(adapter, limits[0]).ask(REQUEST)
        finally:
            await adapter.close()

    with serve_in_thread(lambda _heard: Say(text="yes"), headers=lambda _serial: headers) as server:
        asyncio.run(ask(server.url))
    assert [limit.stated.seconds_to_wait() > 0 for limit in limits if limit.stated] == [True, False]


def _limit(clock: Clock) -> ConcurrencyLimit:
    return ConcurrencyLimit(
        4,
        rate=RequestRate(seconds=clock.seconds),
        seconds=clock.seconds,
        sleep=asyncio.sleep,
        stated=StatedLimits(seconds=clock.seconds),
    )


@given(st.dictionaries(st.sampled_from([*ANTHROPIC, *OPENAI]), st.text(max_size=20)))
def test_no_header_is_too_odd(headers: dict[str, str]) -> None:
    for statement in read_statements(headers):
        assert 0 <= statement.remaining <= statement.limit
        assert 0 < statement.seconds <= LONGEST_SECONDS
