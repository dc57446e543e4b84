"""The curve of the rate of calls: at its ends, and a moment before and behind them."""

import math
from dataclasses import dataclass

import pytest

from goldwright.llm.request_rate import RequestRate


@dataclass
class Clock:
    """Time that the test moves."""

    now: float = 0.0

    def seconds(self) -> float:
        return self.now


def started(
    clock: Clock, calls: int = 1, first: float = 40.0, most: float | None = None
) -> RequestRate:
    """Begin so many calls at once."""
    rate = RequestRate(most, seconds=clock.seconds, first=first)
    for _ in range(calls):
        rate.begin()
    return rate


def test_until_the_first_call_the_rate_stays_where_it_begins() -> None:
    clock = Clock(7.0)
    rate = RequestRate(seconds=clock.seconds)
    clock.now = 99.0
    assert rate.rate() == 40.0
    assert rate.seconds_to_wait() == 0.0


@pytest.mark.parametrize(
    ("elapsed", "expected"),
    [(0.0, 40.0), (0.1, 80.0), (0.2, 160.0), (0.4, 640.0), (0.05, 40 * 2**0.5), (0.47, None)],
)
def test_the_rate_doubles_each_tenth_of_a_second_after_the_first_call(
    elapsed: float, expected: float | None
) -> None:
    clock = Clock(5.0)
    rate = started(clock)
    clock.now = 5.0 + elapsed
    assert rate.rate() == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(("first", "expected"), [(999.0, 999.0), (1000.0, None), (math.inf, None)])
def test_a_thousand_a_second_are_as_good_as_no_limit(first: float, expected: float | None) -> None:
    assert RequestRate(seconds=Clock().seconds, first=first).rate() == expected


@pytest.mark.parametrize(("most", "expected"), [(3.0, 3.0), (50.0, 40.0), (None, 40.0)])
def test_the_lower_of_what_is_learned_and_allowed_counts(
    most: float | None, expected: float
) -> None:
    assert RequestRate(most, seconds=Clock().seconds).rate() == expected


def test_what_is_allowed_counts_alone_once_nothing_is_learned_any_more() -> None:
    clock = Clock()
    rate = started(clock, most=5000.0)
    clock.now = 60.0
    assert rate.rate() == 5000.0


def test_calls_begin_at_the_distance_of_the_rate_from_the_later_of_now_and_their_turn() -> None:
    clock = Clock(10.0)
    rate = RequestRate(4.0, seconds=clock.seconds)
    assert rate.begin() == 10.0
    assert rate.seconds_to_wait() == 0.25
    # Who begins before their turn puts the next one off by as much.
    assert rate.begin() == 10.0
    assert rate.seconds_to_wait() == 0.5
    clock.now = 10.5
    assert rate.seconds_to_wait() == 0.0
    clock.now = 20.0
    rate.begin()
    assert rate.seconds_to_wait() == 0.25


def refused(clock: Clock, begun: list[float], refused_at: float) -> RequestRate:
    """Begin calls at some moments, and refuse the last of them."""
    rate = RequestRate(seconds=clock.seconds)
    for clock.now in begun:
        rate.begin()
    clock.now = refused_at
    rate.refuse(begun[-1])
    return rate


@pytest.mark.parametrize(
    ("begun", "refused_at", "let_through"),
    [
        # Five of six in two seconds, in one, and in less than one, which is no rate.
        ([0.0, 0.4, 0.8, 1.2, 1.6, 2.0], 2.0, 2.5),
        ([0.0, 0.1, 0.2, 0.3, 0.4, 1.0], 1.0, 5.0),
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], 0.5, 5.0),
        # Of what began ten seconds ago or earlier nothing counts but what began just then.
        ([0.0, *([10.0] * 30), 20.0], 20.0, 3.0),
        ([0.0, *([9.9] * 30), *([15.0] * 40), 20.0], 20.0, 4.0),
        # Never less than a lone refusal leaves.
        ([0.0, 5.0], 5.0, 2.0),
    ],
)
def test_a_refusal_leaves_four_fifths_of_what_was_let_through_in_ten_seconds(
    begun: list[float], refused_at: float, let_through: float
) -> None:
    clock = Clock()
    rate = refused(clock, begun, refused_at)
    assert rate.rate() == pytest.approx(0.8 * let_through)
    # The next call waits as long as that rate says.
    assert rate.seconds_to_wait() == pytest.approx(1 / (0.8 * let_through))


@pytest.mark.parametrize(
    ("since", "share"),
    [(0.0, 0.8), (10.0, 0.975), (20.0, 1.0), (30.0, 1.025), (40.0, 1.2), (60.0, 2.6)],
)
def test_after_a_refusal_the_rate_follows_a_cubic_curve(since: float, share: float) -> None:
    clock = Clock()
    rate = refused(clock, [0.0] * 21, 1.0)
    clock.now += since
    assert rate.rate() == pytest.approx(20 * share)


def test_a_rate_that_has_grown_to_a_thousand_is_none() -> None:
    clock = Clock()
    rate = refused(clock, [0.0] * 21, 1.0)
    # Twenty, and four times the cube of what is beyond twenty seconds.
    clock.now = 1.0 + 20.0 * (1 + (980 / 4) ** (1 / 3)) - 0.01
    assert rate.rate() == pytest.approx(1000.0, abs=1.0)
    clock.now += 0.02
    assert rate.rate() is None


@pytest.mark.parametrize(("seconds", "factor"), [(0.5, 0.8), (4.9, 0.8), (5.0, 0.96), (30.0, 0.96)])
def test_a_second_refusal_cuts_less_where_the_last_one_is_five_seconds_ago(
    seconds: float, factor: float
) -> None:
    clock = Clock()
    rate = refused(clock, [0.0] * 101, 1.0)
    clock.now = 1.0 + seconds
    before = rate.rate()
    assert before is not None
    calls = [rate.begin() for _ in range(2001)]
    clock.now += 1e-9
    rate.refuse(calls[-1])
    # More was let through than the rate was: the rate counts.
    assert rate.rate() == pytest.approx(before * factor)


@pytest.mark.parametrize(
    ("seconds", "lowest"), [(59.0, 1.0), (60.0, 1.0), (60.5, 2.0), (90.0, 2.0)]
)
def test_a_refusal_that_comes_after_a_minute_is_a_lone_one(seconds: float, lowest: float) -> None:
    clock = Clock()
    rate = refused(clock, [0.0], 1.0)
    clock.now = 1.0 + seconds
    rate.refuse(rate.begin())
    assert rate.rate() == pytest.approx(0.96 * lowest)


def test_a_provider_that_takes_nothing_is_asked_once_a_minute_in_the_end() -> None:
    clock = Clock()
    rate = refused(clock, [0.0], 1.0)
    for _ in range(20):
        clock.now += 4.0
        rate.refuse(rate.begin())
    # A sixtieth, of which four fifths are left.
    assert rate.rate() == pytest.approx(0.8 / 60)
    assert rate.seconds_to_wait() == pytest.approx(60 / 0.8)


def test_a_call_that_began_at_the_moment_of_a_refusal_had_begun_before_it() -> None:
    clock = Clock()
    rate = RequestRate(seconds=clock.seconds)
    begun = [rate.begin() for _ in range(11)]
    clock.now = 1.0
    last = rate.begin()
    rate.refuse(begun[0])
    assert rate.rate() == pytest.approx(0.8 * 11)
    # What is refused of those that had begun lowers the rate by itself, and puts nothing off.
    waits = rate.seconds_to_wait()
    rate.refuse(last)
    assert rate.rate() == pytest.approx(0.8 * 10)
    assert rate.seconds_to_wait() == waits
    # One that began later is another refusal.
    clock.now = 1.5
    rate.refuse(rate.begin())
    assert rate.seconds_to_wait() > waits


def test_a_call_of_which_nothing_was_noted_may_be_refused() -> None:
    rate = started(Clock(), calls=3)
    rate.refuse(77.0)
    assert rate.rate() == pytest.approx(0.8 * 3)
