"""Thresholds above which a rate of right answers is shown."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deferred import DeferredModule
from goldwright.stats.certification import certify, fewest_to_certify
from units.stats.simulations import load_simulations

Points = list[tuple[float, bool]]
STATS = DeferredModule("scipy.stats")
RIGHTS = st.builds(
    lambda n, rate, random: [random.random() < rate for _ in range(n)],
    st.integers(0, 160),
    st.sampled_from([0.6, 0.85, 0.95, 1.0]),
    st.randoms(use_true_random=True),
)


def falling(rights: list[bool]) -> Points:
    """Answers whose scores fall from the first on, no two alike."""
    return [(1 - index / 1000, right) for index, right in enumerate(rights)]


def lower_bound(right: int, n: int, risk: float = 0.05) -> float:
    """BetaInv(risk; k, n - k + 1)."""
    return float(STATS.beta.ppf(risk, right, n - right + 1)) if right else 0.0


@pytest.mark.parametrize(
    ("target", "fewest"), [(0.5, 5), (0.8, 14), (0.9, 29), (0.95, 59), (0.05, 1)]
)
def test_the_fewest_answers_that_can_certify(target: float, fewest: int) -> None:
    """As STATISTICS lists them: 14/14 for 0.8, 29/29 for 0.9, 59/59 for 0.95."""
    assert fewest_to_certify(target) == fewest
    assert certify(falling([True] * fewest), target).threshold is not None
    assert certify(falling([True] * (fewest - 1)), target).threshold is None


@given(RIGHTS, st.sampled_from([0.5, 0.8, 0.9]))
def test_the_last_threshold_before_the_first_failure_is_kept(
    rights: list[bool], target: float
) -> None:
    """Held against scipy's bound, threshold by threshold."""
    certification = certify(falling(rights), target)
    largest_n = 0
    for begins in certification.begins:
        for n in range(begins, len(rights) + 1):
            if lower_bound(sum(rights[:n]), n, certification.risk) < target:
                break
            largest_n = max(largest_n, n)
    assert certification.n == largest_n
    if largest_n:
        assert certification.threshold == 1 - (largest_n - 1) / 1000
        assert certification.right == sum(rights[:largest_n])
        assert certification.lower_bound == pytest.approx(
            lower_bound(certification.right, largest_n, certification.risk), abs=1e-9
        )
    else:
        assert (certification.threshold, certification.lower_bound) == (None, None)


def test_the_search_ends_at_the_first_failure_whatever_comes_after() -> None:
    """Fourteen right, four wrong, and 300 right: a later threshold would pass again, and is not
    looked at.
    """
    certification = certify(falling([True] * 14 + [False] * 4), 0.8)
    assert (certification.n, certification.begins, certification.risk) == (14, (14,), 0.05)
    rights = [True] * 50 + [False] * 30 + [True] * 220
    assert certify(falling(rights), 0.8).n < 80
    assert lower_bound(270, 300) > 0.8


@pytest.mark.parametrize(
    ("n", "begins"), [(3, (14,)), (60, (22,)), (107, (30,)), (108, (17, 34)), (9000, (17, 196))]
)
def test_the_number_of_answers_settles_where_to_begin(n: int, begins: tuple[int, ...]) -> None:
    """Their outcomes do not. Each beginning is a count at which one more wrong answer is forgiven
    than just before.
    """
    for right in (True, False):
        certification = certify([(0.5, right)] * n, 0.8)
        assert certification.begins == begins
        assert certification.risk == 0.05 / len(begins)
    for first in begins:
        forgiven = [STATS.binom.ppf(certification.risk, count, 0.2) for count in (first - 1, first)]
        assert first == certification.needed or forgiven[0] < forgiven[1]


def test_of_two_searches_the_lower_threshold_is_kept() -> None:
    """A small safe group at the top is found by the one, a large one with a few wrong answers by
    the other.
    """
    small = certify(falling([True] * 30 + [False] * 100), 0.8)
    assert (small.begins, small.n) == ((17, 34), 31)
    large = certify(falling([True] * 16 + [False] + [True] * 100), 0.8)
    assert large.n == 117
    assert large.lower_bound == pytest.approx(lower_bound(116, 117, 0.025), abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from([0.2, 0.6, 0.7, 0.9]), st.booleans()), max_size=80))
def test_answers_of_equal_score_stand_or_fall_together(points: Points) -> None:
    certification = certify(points, 0.5)
    assert certify(Random(1).sample(points, len(points)), 0.5) == certification
    if certification.threshold is not None:
        assert certification.n == sum(score >= certification.threshold for score, _ in points)


def test_what_cannot_be_tested_is_refused() -> None:
    with pytest.raises(ValueError, match="target rate lies between"):
        certify([], 1.0)
    with pytest.raises(ValueError, match="point 1"):
        certify([(-0.1, True)], 0.8)


def test_a_threshold_that_falls_short_is_seldom_certified() -> None:
    """400 data sets, with three standard errors of room above 5 %."""
    campaign = load_simulations()
    rates = [
        campaign.false_certificates(name, unsafe, 60, 400, 5)
        for name, unsafe in campaign.UNSAFE.items()
    ]
    assert [str(rate) for rate in rates if not rate.is_kept] == []
