"""Pacing by rate: what a provider takes is found by few refusals, and used."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, pairwise
from random import Random

import pytest

from goldwright.llm.request_rate import (
    CUT,
    FIRST_RATE,
    LONE_RATE,
    SECONDS_TO_RETURN,
    UNLIMITED_RATE,
    RequestRate,
)

LIMIT = 4
"""Calls a second that every server here takes."""

CALLS = 400
PLACES = 8


@dataclass
class Clock:
    """Time that the test moves."""

    now: float = 0.0

    def seconds(self) -> float:
        return self.now


@dataclass
class Bucket:
    """Takes a burst of so many, and then as they are refilled."""

    size: float
    tokens: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.tokens = self.size

    def seconds_until_free(self, now: float) -> float:
        self.tokens = min(self.size, self.tokens + (now - self.at) * LIMIT)
        self.at = now
        if self.tokens < 1:
            return (1 - self.tokens) / LIMIT
        self.tokens -= 1
        return 0.0


@dataclass
class Window:
    """Takes so many in any second."""

    taken: list[float] = field(default_factory=list)

    def seconds_until_free(self, now: float) -> float:
        self.taken = [moment for moment in self.taken if moment > now - 1]
        if len(self.taken) >= LIMIT:
            return self.taken[0] + 1 - now
        self.taken.append(now)
        return 0.0


@dataclass(frozen=True)
class Played:
    """What became of all calls: the share of the limit that was used, and of them refused."""

    throughput: float
    refused: float


def play(server: Bucket | Window, told_wait: Callable[[float], float]) -> Played:
    """Have many calls answered by a server that refuses what is too much.

    Args:
        server: Tells how long a call has to wait.
        told_wait: The wait that a refusal names, from the true one.
    """
    clock, chance, numbers = Clock(), Random(1), count()
    rate = RequestRate(seconds=clock.seconds)
    waiting, active, answered, sent = CALLS, 0, 0, 0
    paused_until = 0.0
    # When something happens, and the begin of the call if it is a refusal.
    events: list[tuple[float, int, float | None]] = []
    while answered < CALLS:
        may_begin_at = max(clock.now + rate.seconds_to_wait(), paused_until)
        if active < PLACES and waiting and (not events or may_begin_at <= events[0][0]):
            clock.now = max(clock.now, may_begin_at)
            began_at = rate.begin()
            waiting, active, sent = waiting - 1, active + 1, sent + 1
            wait = server.seconds_until_free(clock.now)
            if wait:
                pause = told_wait(wait)
                paused_until = max(paused_until, clock.now + pause)
                heapq.heappush(events, (clock.now + 0.02, next(numbers), began_at))
            else:
                latency = chance.lognormvariate(0, 0.4)
                heapq.heappush(events, (clock.now + latency, next(numbers), None))
            continue
        clock.now, _, began_at_of_refused = heapq.heappop(events)
        active -= 1
        if began_at_of_refused is None:
            answered += 1
        else:
            rate.refuse(began_at_of_refused)
            waiting += 1
    return Played(CALLS / clock.now / LIMIT, 1 - CALLS / sent)


SERVERS: dict[str, Callable[[], Bucket | Window]] = {
    "bucket of 4": lambda: Bucket(4),
    "bucket of 8": lambda: Bucket(8),
    "window": Window,
}
WAITS: dict[str, Callable[[float], float]] = {
    "exact": lambda wait: wait,
    "a second": lambda _: 1.0,
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("told", WAITS)
def test_nine_tenths_of_a_limit_are_used_and_one_call_in_twenty_is_refused_at_most(
    server: str, told: str
) -> None:
    played = play(SERVERS[server](), WAITS[told])
    # A bucket that is full at first lets a little more through than its rate.
    assert 0.9 <= played.throughput <= 1.05
    assert 0 < played.refused <= 0.05


def test_without_a_refusal_calls_are_not_paced_after_half_a_second() -> None:
    clock = Clock()
    rate = RequestRate(seconds=clock.seconds)
    rate.begin()
    assert (rate.rate(), rate.seconds_to_wait()) == (FIRST_RATE, 1 / FIRST_RATE)
    clock.now = 0.5
    assert (rate.rate(), rate.seconds_to_wait()) == (None, 0.0)
    rate.begin()
    assert rate.seconds_to_wait() == 0.0


@pytest.mark.parametrize(("stated", "lowest"), [(0.0, LONE_RATE), (4.0, 4.0), (0.5, LONE_RATE)])
def test_a_lone_refusal_leaves_what_the_provider_says_it_takes(
    stated: float, lowest: float
) -> None:
    clock = Clock()
    rate = RequestRate(seconds=clock.seconds)
    rate.refuse(rate.begin(), stated)
    assert rate.rate() == pytest.approx(CUT * lowest)
    # The next one soon after shows what the word is worth.
    clock.now = 1.0
    rate.refuse(rate.begin(), stated)
    assert (rate.rate() or 0.0) < CUT * lowest


def test_what_the_user_allows_is_never_passed() -> None:
    clock = Clock()
    rate = RequestRate(3.0, seconds=clock.seconds)
    began = []
    while clock.now < 10:
        clock.now += rate.seconds_to_wait()
        began.append(rate.begin())
    assert len(began) <= 31
    gaps = [later - earlier for earlier, later in pairwise(began)]
    assert min(gaps) >= 1 / 3 - 1e-9


def test_a_lone_refusal_where_few_calls_were_wanted_leaves_a_rate_to_work_with() -> None:
    clock = Clock(100.0)
    rate = RequestRate(seconds=clock.seconds)
    rate.begin()
    clock.now = 130.0
    rate.refuse(rate.begin())
    assert rate.rate() == pytest.approx(LONE_RATE * CUT)
    clock.now += SECONDS_TO_RETURN
    assert rate.rate() == pytest.approx(LONE_RATE)


def test_a_rate_returns_slowly_and_grows_faster_the_longer_nothing_is_refused() -> None:
    clock = Clock()
    rate = RequestRate(seconds=clock.seconds)
    rate.refuse(rate.begin())
    rates = []
    for second in range(600):
        clock.now = float(second)
        rates.append(rate.rate() or UNLIMITED_RATE)
    assert rates == sorted(rates)
    assert rates[2 * int(SECONDS_TO_RETURN)] <= 1.3 * LONE_RATE
    assert rates[-1] == UNLIMITED_RATE


def test_calls_that_had_begun_before_a_refusal_lower_the_rate_by_no_further_cut() -> None:
    clock = Clock()
    rate = RequestRate(seconds=clock.seconds)
    began = [rate.begin() for _ in range(8)]
    clock.now = 1.0
    rate.refuse(began[0])
    reduced = rate.rate()
    assert reduced is not None
    for moment in began[1:5]:
        rate.refuse(moment)
    lowered = rate.rate()
    assert lowered is not None
    # Three of the eight were let through in the first second.
    assert lowered == pytest.approx(3 * CUT)
    assert lowered < reduced


def test_a_provider_that_takes_nothing_for_a_while_is_asked_half_as_often_each_time() -> None:
    clock = Clock()
    rate = RequestRate(seconds=clock.seconds)
    for moment in [rate.begin() for _ in range(8)]:
        rate.refuse(moment)
    assert rate.rate() == pytest.approx(LONE_RATE * CUT)
    for halvings in (1, 2, 3):
        clock.now += 2.0
        rate.refuse(rate.begin())
        assert rate.rate() == pytest.approx(LONE_RATE / 2**halvings * CUT)
