"""What canaries show of an Adversary, and how many are sent to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.app.runs.adversary_power import measured_power, power_figures, power_limits
from goldwright.canaries.catch_counts import CatchCounts
from goldwright.canaries.kinds import KINDS
from goldwright.canaries.power import AdversaryPower, default_canary_count
from goldwright.golden.catch_rates import CanaryRate
from goldwright.stats.binomial import wilson

SHARES = st.floats(0, 0.99)


def rate(caught: int, released: int) -> CanaryRate:
    return CanaryRate(caught=caught, released=released, interval=wilson(caught, released))


@pytest.mark.parametrize(
    ("caught", "total", "verdict"),
    [
        (0, 0, "undecided"),
        (0, 3, "undecided"),
        (2, 3, "undecided"),
        (3, 3, "undecided"),
        (0, 8, "below"),
        (4, 8, "undecided"),
        (8, 8, "shown"),
        (5, 20, "below"),
        (6, 20, "undecided"),
        (14, 20, "undecided"),
        (15, 20, "shown"),
    ],
)
def test_a_few_canaries_decide_nothing_against_a_half(
    caught: int, total: int, verdict: str
) -> None:
    assert AdversaryPower(0.5, CatchCounts(caught, total)).verdict == verdict


@given(total=st.integers(0, 60), stated=SHARES, data=st.data())
def test_who_catches_more_is_never_judged_worse(
    total: int, stated: float, data: st.DataObject
) -> None:
    order = ("below", "undecided", "shown")
    caught = data.draw(st.integers(0, total))
    more = data.draw(st.integers(caught, total))
    fewer_verdict = AdversaryPower(stated, CatchCounts(caught, total)).verdict
    more_verdict = AdversaryPower(stated, CatchCounts(more, total)).verdict
    assert order.index(fewer_verdict) <= order.index(more_verdict)


@given(total=st.integers(0, 60), data=st.data())
def test_nobody_is_below_a_power_of_nothing(total: int, data: st.DataObject) -> None:
    caught = data.draw(st.integers(0, total))
    assert AdversaryPower(0, CatchCounts(caught, total)).verdict == "shown"


@pytest.mark.parametrize(
    ("records", "stated", "count"),
    [(0, 0.5, 8), (8, 0.5, 8), (24, 0.5, 12), (60, 0.5, 20), (1000, 0.5, 20), (60, 0, 8)],
)
def test_the_default_follows_the_plan_and_the_power(
    records: int, stated: float, count: int
) -> None:
    assert default_canary_count(records, stated) == count


@given(records=st.integers(0, 10_000), stated=SHARES)
def test_every_kind_has_room_and_canaries_stay_fewer_than_records(
    records: int, stated: float
) -> None:
    count = default_canary_count(records, stated)
    assert count >= len(KINDS)
    assert count <= max(len(KINDS), records / 2)


def test_the_limits_name_the_rate_its_interval_and_the_kinds_that_got_past() -> None:
    rates = {"false_fact": rate(0, 2), "shifted_lines": rate(7, 7), "all": rate(7, 9)}
    caught, verdict = power_limits(rates, measured_power(rates, 0.9), is_unknown=False)
    assert caught == (
        "The Adversary caught 7 of 9 falsified answers (78 %, 95 % interval 45 to 94 %); "
        "of the kind false fact 0 of 2."
    )
    assert verdict == (
        "That does not decide whether it has the stated power of 90 %; more canaries would."
    )


def test_a_weak_adversary_a_good_one_and_an_unknown_one_are_told_apart() -> None:
    weak, good = {"all": rate(0, 8)}, {"all": rate(8, 8)}
    first, verdict = power_limits(weak, measured_power(weak, 0.5), is_unknown=False)
    assert "0 of 8" in first
    assert verdict.startswith("That is below the stated power of 50 %")
    assert len(list(power_limits(good, measured_power(good, 0.5), is_unknown=False))) == 1
    (unknown,) = power_limits({}, None, is_unknown=True)
    assert "nobody knows" in unknown
    assert not list(power_limits({}, None, is_unknown=False))


def test_a_card_holds_the_power_in_all_against_what_was_stated() -> None:
    figures = power_figures({"false_fact": rate(0, 8), "all": rate(0, 8)}, 0.5)
    in_all, of_kind = figures.values()
    assert (in_all.value, in_all.n, in_all.wanted, in_all.verdict) == (0.0, 8, 0.5, "short")
    assert (of_kind.wanted, of_kind.verdict) == (None, None)
    assert power_figures({"all": rate(0, 8)}, None)["adversary_power"].verdict is None
