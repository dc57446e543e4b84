"""Exact, mid-P and Wilson intervals of a rate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deferred import DeferredModule
from goldwright.stats.binomial import clopper_pearson, mid_p, wilson

STATS = DeferredModule("scipy.stats")
COUNTS = st.integers(1, 400).flatmap(
    lambda trials: st.tuples(st.integers(0, trials), st.just(trials))
)


@pytest.mark.parametrize(
    ("successes", "trials", "confidence", "lower", "upper"),
    [
        (0, 10, 0.95, 0.0, 0.30849710781876083),
        (5, 10, 0.95, 0.1870860284473987, 0.8129139715526013),
        (10, 10, 0.95, 0.6915028921812392, 1.0),
        (4, 7, 0.95, 0.184051567640083, 0.9010117215574921),
        (1, 20, 0.95, 0.0012650894979498038, 0.24873276277202777),
        (37, 40, 0.95, 0.796135251267101, 0.9842578201489585),
        (8, 12, 0.99, 0.2724845768815586, 0.9375953703329943),
        (950, 1000, 0.95, 0.9346095120845064, 0.9626646023953382),
    ],
)
def test_the_bounds_are_those_of_the_beta_distribution(
    successes: int, trials: int, confidence: float, lower: float, upper: float
) -> None:
    interval = clopper_pearson(successes, trials, confidence=confidence)
    assert interval == pytest.approx((lower, upper), abs=1e-9)


def test_one_trial_has_a_closed_form() -> None:
    assert clopper_pearson(1, 1) == pytest.approx((0.025, 1.0), abs=1e-12)
    assert clopper_pearson(3, 3, confidence=0.9) == pytest.approx((math.cbrt(0.05), 1.0), abs=1e-12)


def test_nothing_is_known_without_trials() -> None:
    assert clopper_pearson(0, 0) == (0.0, 1.0)


@given(COUNTS)
def test_the_bounds_stand_around_the_rate_that_was_seen_and_mirror_each_other(
    counts: tuple[int, int],
) -> None:
    successes, trials = counts
    lower, upper = clopper_pearson(successes, trials)
    assert 0.0 <= lower <= successes / trials <= upper <= 1.0
    mirrored = clopper_pearson(trials - successes, trials)
    assert mirrored == pytest.approx((1 - upper, 1 - lower), abs=1e-12)


@given(COUNTS)
def test_more_confidence_takes_a_wider_interval(counts: tuple[int, int]) -> None:
    narrow, wide = (clopper_pearson(*counts, confidence=confidence) for confidence in (0.8, 0.99))
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


@pytest.mark.parametrize(
    ("successes", "trials", "confidence"),
    [(-1, 5, 0.95), (6, 5, 0.95), (0, -1, 0.95), (1, 2, 0.0), (1, 2, 1.0), (1, 2, math.nan)],
)
def test_what_is_no_count_or_no_confidence_is_refused(
    successes: int, trials: int, confidence: float
) -> None:
    with pytest.raises(ValueError, match=r"no count of successes|lies between 0 and 1"):
        clopper_pearson(successes, trials, confidence=confidence)


@pytest.mark.parametrize("trials", [1, 2, 7, 25, 60])
def test_a_mid_p_interval_lies_within_the_exact_one_and_is_the_mirror_of_that_of_failures(
    trials: int,
) -> None:
    for successes in range(trials + 1):
        low, high = mid_p(successes, trials)
        least, most = clopper_pearson(successes, trials)
        assert least <= low < high <= most
        assert mid_p(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_half_the_probability_of_what_was_seen_counts_at_either_end() -> None:
    for successes, trials in ((4, 7), (1, 25), (31, 60)):
        low, high = mid_p(successes, trials)
        above = STATS.binom.sf(successes, trials, low) + STATS.binom.pmf(successes, trials, low) / 2
        below = (
            STATS.binom.cdf(successes - 1, trials, high)
            + STATS.binom.pmf(successes, trials, high) / 2
        )
        assert (above, below) == pytest.approx((0.025, 0.025), abs=1e-9)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3)])
def test_a_mid_p_interval_of_impossible_counts_is_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="no count of successes"):
        mid_p(successes, trials)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (5, 10), (1, 20), (37, 40), (9, 9)])
def test_the_score_interval_is_that_of_scipy(
    successes: int, trials: int, confidence: float
) -> None:
    wanted = STATS.binomtest(successes, trials).proportion_ci(confidence, method="wilson")
    interval = wilson(successes, trials, confidence=confidence)
    assert interval == pytest.approx(tuple(wanted), abs=1e-9)


@given(COUNTS)
def test_the_score_interval_holds_the_rates_that_a_z_test_keeps(counts: tuple[int, int]) -> None:
    successes, trials = counts
    lower, upper = wilson(successes, trials)
    rate = successes / trials
    assert 0.0 <= lower <= rate <= upper <= 1.0
    for limit in {lower, upper} - {0.0, 1.0}:
        z = abs(rate - limit) / math.sqrt(limit * (1 - limit) / trials)
        assert z == pytest.approx(1.959964, abs=1e-4)


def test_a_score_interval_of_nothing_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
