"""What is left of a stated limit to the number, and headers at the edges of what makes sense."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from goldwright.llm.providers.limit_headers import KINDS, read_statements
from goldwright.llm.stated_limits import Kind, StatedLimit, StatedLimits


@dataclass
class Clock:
    """Time that the test moves."""

    now: float = 0.0

    def seconds(self) -> float:
        return self.now


def limits_at(clock: Clock, *statements: StatedLimit, began_at: float = 0.0) -> StatedLimits:
    """Hear statements in the reply to a call that began at a moment."""
    stated = StatedLimits(seconds=clock.seconds)
    stated.hear(statements, began_at=began_at)
    return stated


def requests(limit: float, remaining: float, seconds: float) -> StatedLimit:
    return StatedLimit("requests", limit, remaining, seconds)


@pytest.mark.parametrize(
    ("remaining", "now", "wait"),
    [
        # Ten in forty seconds: one comes back every four.
        (0.0, 0.0, 4.0),
        (0.0, 1.0, 3.0),
        (0.0, 4.0, 0.0),
        (0.5, 0.0, 0.5 / (9.5 / 40)),
        (1.0, 0.0, 0.0),
        (10.0, 0.0, 0.0),
    ],
)
def test_a_call_waits_until_one_is_back(remaining: float, now: float, wait: float) -> None:
    clock = Clock()
    stated = limits_at(clock, requests(10, remaining, 40.0))
    clock.now = now
    assert stated.seconds_to_wait() == pytest.approx(wait)


def test_nobody_waits_where_nothing_is_stated() -> None:
    stated = StatedLimits(seconds=Clock().seconds)
    assert (stated.seconds_to_wait(), stated.rate()) == (0.0, 0.0)
    stated.refuse(0.0)
    stated.hear([], began_at=0.0)
    assert (stated.seconds_to_wait(), stated.rate()) == (0.0, 0.0)


def test_what_a_provider_takes_a_second_is_what_comes_back() -> None:
    clock = Clock()
    assert limits_at(clock, requests(10, 2, 40.0)).rate() == 0.2
    assert limits_at(clock, StatedLimit("tokens", 10, 2, 40.0)).rate() == 0.0


@pytest.mark.parametrize(
    ("begun", "now", "wait"),
    [
        # Of two that were left at second 1; calls count that began after that, and up to now.
        ([0.5, 1.0], 1.0, 0.0),
        ([1.1], 2.0, 0.0),
        ([1.1, 1.2], 2.0, 4.0),
        ([1.1, 1.2, 2.0], 2.0, 9.0),
        ([1.1, 1.2, 2.0, 3.0], 2.0, 9.0),
    ],
)
def test_only_what_began_since_is_taken_off(
    begun: Sequence[float], now: float, wait: float
) -> None:
    clock = Clock(now)
    stated = StatedLimits(seconds=clock.seconds)
    for moment in begun:
        stated.begin(moment)
    stated.hear([requests(10, 2, 40.0)], began_at=1.0)
    assert stated.seconds_to_wait() == pytest.approx(wait)


def test_the_call_whose_reply_states_a_limit_is_counted_in_it_already() -> None:
    """It is still remembered for a limit that an earlier call has heard of."""
    clock = Clock(6.0)
    stated = StatedLimits(seconds=clock.seconds)
    for moment in (3.0, 5.0):
        stated.begin(moment)
    stated.hear([StatedLimit("output-tokens", 10, 9, 10.0)], began_at=3.0)
    stated.hear([requests(10, 1, 40.0)], began_at=5.0)
    assert stated.seconds_to_wait() == 0.0


def test_of_all_limits_the_one_that_is_waited_for_longest_counts() -> None:
    clock = Clock()
    stated = limits_at(clock, requests(10, 0, 40.0), StatedLimit("output-tokens", 10, 0, 20.0))
    assert stated.seconds_to_wait() == pytest.approx(4.0)
    stated = limits_at(clock, requests(10, 0, 20.0), StatedLimit("output-tokens", 10, 0, 40.0))
    assert stated.seconds_to_wait() == pytest.approx(4.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_tokens_that_are_sent_are_needed_where_those_are_limited(kind: Kind) -> None:
    clock = Clock()
    stated = StatedLimits(seconds=clock.seconds)
    stated.expect(500)
    stated.hear([StatedLimit(kind, 1000, 0, 10.0)], began_at=0.0)
    needed = 500 if kind in {"tokens", "input-tokens"} else 1
    assert stated.seconds_to_wait() == pytest.approx(needed / 100)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [((), 1), ((0.5,), 1), ((500,), 500), ((500, 600), 520), ((500, 600, 100), 436)],
)
def test_the_newest_call_weighs_a_fifth_in_what_a_call_is_expected_to_send(
    tokens: Sequence[float], expected: float
) -> None:
    stated = StatedLimits(seconds=Clock().seconds)
    for number in tokens:
        stated.expect(number)
    stated.hear([StatedLimit("tokens", 1000, 0, 10.0)], began_at=0.0)
    assert stated.seconds_to_wait() == pytest.approx(expected / 100)


def test_the_statement_of_the_call_that_began_last_counts() -> None:
    clock = Clock()
    stated = limits_at(clock, requests(10, 0, 40.0), began_at=5.0)
    for began_at, remaining, wait in [(4.9, 10, 9.0), (5.0, 5, 0.0), (6.0, 0, 10.0)]:
        stated.hear([requests(10, remaining, 40.0)], began_at=began_at)
        assert stated.seconds_to_wait() == pytest.approx(wait)


@pytest.mark.parametrize(("seconds", "ends_at"), [(8.0, 8.0), (60.0, 60.0), (61.0, 60.0)])
def test_a_statement_holds_calls_until_its_end_and_for_a_minute_at_most(
    seconds: float, ends_at: float
) -> None:
    """No call comes back before the end: it needs all that there is."""
    clock = Clock()
    stated = StatedLimits(seconds=clock.seconds)
    stated.expect(1e9)
    stated.hear([StatedLimit("tokens", 1000, 0, seconds)], began_at=0.0)
    for clock.now in (0.0, 2.0, ends_at - 0.5):
        assert stated.seconds_to_wait() == pytest.approx(ends_at - clock.now)
    for clock.now in (ends_at, ends_at + 0.5, ends_at + 5):
        assert stated.seconds_to_wait() == 0.0


def refused_too_early(clock: Clock, seconds: float, *, began_at: float) -> StatedLimits:
    """Refuse a call that began in the hope that one of ten was back."""
    clock.now = 1.0
    stated = limits_at(clock, requests(10, 0, seconds), began_at=0.0)
    stated.begin(began_at)
    clock.now = began_at
    stated.refuse(began_at)
    return stated


@pytest.mark.parametrize(
    ("seconds", "began_at", "wait"),
    [
        # Heard at second 1, and all is back forty seconds later.
        (40.0, 10.0, 31.0),
        (40.0, 1.0, 40.0),
        (40.0, 39.0, 2.0),
        # A call that began before the statement was heard, or after its end, proves nothing.
        (40.0, 0.5, 7.5),
        (40.0, 40.0, 0.0),
        # Below five seconds the rate keeps the limit.
        (5.0, 4.0, 2.0),
        (4.9, 4.0, 0.0),
    ],
)
def test_who_refills_at_once_is_waited_for_from_the_reply_on(
    seconds: float, began_at: float, wait: float
) -> None:
    clock = Clock()
    stated = refused_too_early(clock, seconds, began_at=began_at)
    assert stated.seconds_to_wait() == pytest.approx(wait)


def test_a_refusal_while_enough_was_left_is_none_of_the_limits_doing() -> None:
    clock = Clock(1.0)
    stated = limits_at(clock, requests(10, 1, 40.0))
    stated.begin(2.0)
    clock.now = 2.0
    stated.refuse(2.0)
    # One came back in the meantime by a part; the rest is waited for as before.
    assert stated.seconds_to_wait() == pytest.approx((1 - 2 * 9 / 40) / (9 / 40))


def test_in_a_window_a_call_begins_at_once_where_just_enough_is_left() -> None:
    clock = Clock()
    stated = refused_too_early(clock, 40.0, began_at=10.0)
    for remaining, wait in ((1.0, 0.0), (0.9, 40.0), (2.0, 0.0)):
        stated.hear([requests(10, remaining, 40.0)], began_at=10.0)
        assert stated.seconds_to_wait() == wait


def test_what_lasts_for_a_minute_at_most_lasts_so_from_the_reply_on_in_a_window() -> None:
    clock = Clock()
    stated = refused_too_early(clock, 90.0, began_at=10.0)
    assert stated.seconds_to_wait() == pytest.approx(51.0)


ALL_ANTHROPIC: dict[str, str] = {"date": "Mon, 23 Nov 2026 12:00:00 GMT"} | {
    f"anthropic-ratelimit-{kind}-{part}": value
    for kind in KINDS
    for part, value in (("limit", "50"), ("remaining", "7"), ("reset", "2026-11-23T12:00:11Z"))
}
ALL_OPENAI: dict[str, str] = {
    f"x-ratelimit-{part}-{kind}": value
    for kind in KINDS
    for part, value in (("limit", "50"), ("remaining", "7"), ("reset", "10s"))
}


@pytest.mark.parametrize("headers", [ALL_ANTHROPIC, ALL_OPENAI])
def test_every_kind_of_limit_is_read_of_both(headers: Mapping[str, str]) -> None:
    assert KINDS == ("requests", "tokens", "input-tokens", "output-tokens")
    assert read_statements(headers) == tuple(StatedLimit(kind, 50, 7, 10.0) for kind in KINDS)
    for name in headers:
        rest = {key: value for key, value in headers.items() if key != name}
        assert len(read_statements(rest)) == (0 if name == "date" else 3)


def openai(reset: str = "10s", limit: str = "50", remaining: str = "7") -> dict[str, str]:
    return {
        "x-ratelimit-limit-requests": limit,
        "x-ratelimit-remaining-requests": remaining,
        "x-ratelimit-reset-requests": reset,
    }


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2h", 7200.0),
        ("24h", 86400.0),
        ("6m0s", 360.0),
        ("3m", 180.0),
        ("1h2m3.5s", 3723.5),
        ("20ms", 0.02),
        ("1s20.5ms", 1.0205),
        ("17", 17.0),
        ("0.25", 0.25),
        ("86400", 86400.0),
    ],
)
def test_a_time_is_read_in_seconds(text: str, seconds: float) -> None:
    (statement,) = read_statements(openai(reset=text))
    assert statement.seconds == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["24h0m1s", "86401", "0", "0ms", "5s3m", "1 s", "s", "-1", "nan"])
def test_a_time_that_makes_no_sense_or_is_longer_than_a_day_says_nothing(text: str) -> None:
    assert read_statements(openai(reset=text)) == ()


@pytest.mark.parametrize(
    ("limit", "remaining", "is_read"),
    [
        ("1", "0", True),
        ("1", "1", True),
        ("0.9", "0", False),
        ("50", "50", True),
        ("50", "50.5", False),
        ("1e12", "0", True),
        ("1.01e12", "0", False),
        ("inf", "0", False),
        ("50", "-0.5", False),
        ("", "0", False),
        ("50", "", False),
    ],
)
def test_a_limit_is_at_least_one_and_no_less_than_what_is_left(
    limit: str, remaining: str, *, is_read: bool
) -> None:
    assert bool(read_statements(openai(limit=limit, remaining=remaining))) is is_read


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("2026-11-23T12:00:01Z", None),
        ("2026-11-23T12:00:02Z", 1.0),
        ("2026-11-24T12:00:01Z", 86400.0),
    ],
)
def test_a_moment_in_whole_seconds_is_up_to_a_second_earlier(
    reset: str, seconds: float | None
) -> None:
    name = "anthropic-ratelimit-requests-reset"
    found = [one.seconds for one in read_statements({**ALL_ANTHROPIC, name: reset})]
    assert found == ([] if seconds is None else [seconds]) + [10.0] * 3
