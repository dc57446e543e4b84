"""What is shown of the answers above a threshold, and thresholds that keep a rate."""

import importlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.certification import certify, fewest_to_certify, routed
from units.stats.test_calibration_tests import simulations

Points = list[tuple[float, bool]]
STATS = importlib.import_module("scipy.stats")
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


def test_the_seven_answers_of_the_seeds() -> None:
    """Four of seven: 0.571 [0.18, 0.90], as few as which 0.8 gives in 14.8 % of cases."""
    points = [(0.8, True)] * 4 + [(0.9, False)] * 3 + [(0.79, True)] * 3
    found = routed(points, 0.8)
    assert (found.n, found.right, found.coverage, found.share) == (7, 4, 0.7, 4 / 7)
    assert found.interval == pytest.approx((0.18405157, 0.90101172), abs=1e-7)
    assert found.shortfall_p == pytest.approx(0.148032)


def test_nothing_routed_is_no_rate() -> None:
    found = routed([(0.3, True)], 0.8)
    assert (found.share, found.coverage, found.interval, found.shortfall_p) == (
        None,
        0.0,
        (0.0, 1.0),
        1.0,
    )
    assert routed([], 0.8).coverage is None


@pytest.mark.parametrize(
    ("threshold", "right", "expected"), [(0.0, 0, 1.0), (1.0, 2, 1.0), (1.0, 1, 0.0)]
)
def test_thresholds_that_leave_no_doubt(threshold: float, right: int, expected: float) -> None:
    assert routed([(1.0, index < right) for index in range(2)], threshold).shortfall_p == expected


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
    found = certify(falling(rights), target)
    kept = 0
    for begins in found.begins:
        for n in range(begins, len(rights) + 1):
            if lower_bound(sum(rights[:n]), n, found.risk) < target:
                break
            kept = max(kept, n)
    assert found.n == kept
    if kept:
        assert found.threshold == 1 - (kept - 1) / 1000
        assert found.right == sum(rights[:kept])
        assert found.lower_bound == pytest.approx(
            lower_bound(found.right, kept, found.risk), abs=1e-9
        )
    else:
        assert (found.threshold, found.lower_bound) == (None, None)


def test_the_search_ends_at_the_first_failure_whatever_comes_after() -> None:
    """Fourteen right, four wrong, and 300 right: a later threshold would pass again, and is not
    looked at.
    """
    found = certify(falling([True] * 14 + [False] * 4), 0.8)
    assert (found.n, found.begins, found.risk) == (14, (14,), 0.05)
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
        found = certify([(0.5, right)] * n, 0.8)
        assert found.begins == begins
        assert found.risk == 0.05 / len(begins)
    for first in begins:
        forgiven = [STATS.binom.ppf(found.risk, count, 0.2) for count in (first - 1, first)]
        assert first == found.needed or forgiven[0] < forgiven[1]


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
    found = certify(points, 0.5)
    assert certify(Random(1).sample(points, len(points)), 0.5) == found
    if found.threshold is not None:
        assert found.n == sum(score >= found.threshold for score, _ in points)


def test_what_cannot_be_tested_is_refused() -> None:
    with pytest.raises(ValueError, match="target rate lies between"):
        certify([], 1.0)
    with pytest.raises(ValueError, match="point 1"):
        certify([(-0.1, True)], 0.8)
    with pytest.raises(ValueError, match="threshold lies in"):
        routed([], 1.2)


def test_a_threshold_that_falls_short_is_seldom_certified() -> None:
    """400 data sets, with three standard errors of room above 5 %."""
    module = simulations()
    rates = [
        module.false_certificates(name, module.UNSAFE[name], 60, 400, 5) for name in module.UNSAFE
    ]
    assert [str(one) for one in rates if not one.is_kept] == []
