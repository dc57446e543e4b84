"""Isotonic regression, its bands and the parts of the Brier score."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deferred import DeferredModule
from goldwright.stats.isotonic import BrierParts, brier_parts, reliability_curve

Points = list[tuple[float, bool]]
OPTIMIZE = DeferredModule("scipy.optimize")
SCORES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0]) | st.floats(0, 1)
POINTS = st.lists(st.tuples(SCORES, st.booleans()), max_size=25)


def fits(points: Points) -> list[tuple[float, float]]:
    """The scores of the curve with their fitted rates."""
    return [(point.score, point.fitted) for point in reliability_curve(points, seed=1, draws=1)]


def parts_of(points: Points) -> BrierParts:
    """The parts of the Brier score of some points."""
    parts = brier_parts(reliability_curve(points, seed=1, draws=1))
    assert parts is not None
    return parts


def test_neighbours_out_of_order_share_their_mean() -> None:
    points = [(0.1, False), (0.2, True), (0.3, False), (0.4, False), (0.5, True)]
    assert fits(points) == [(0.1, 0.0), (0.2, 1 / 3), (0.3, 1 / 3), (0.4, 1 / 3), (0.5, 1.0)]


def test_answers_of_equal_score_are_one_from_the_start() -> None:
    """Their order never matters: two of three at 0.5 are right, whichever come first."""
    expected = [(0.5, 2 / 3), (0.8, 1.0)]
    assert fits([(0.5, True), (0.5, False), (0.5, True), (0.8, True)]) == expected
    assert fits([(0.8, True), (0.5, False), (0.5, True), (0.5, True)]) == expected


@given(POINTS)
def test_the_fit_is_that_of_scipy(points: Points) -> None:
    curve = reliability_curve(points, seed=1, draws=1)
    if not curve:
        assert points == []
        return
    oracle = OPTIMIZE.isotonic_regression(
        [point.right / point.n for point in curve], weights=[point.n for point in curve]
    )
    assert [point.fitted for point in curve] == pytest.approx(list(oracle.x), abs=1e-12)
    assert sum(point.n for point in curve) == len(points)
    assert all(
        point.fitted <= after.fitted and point.score < after.score
        for point, after in pairwise(curve)
    )


@given(POINTS.filter(bool))
def test_the_parts_of_the_brier_score_add_up_and_none_is_negative(points: Points) -> None:
    parts = parts_of(points)
    assert parts.score == pytest.approx(
        sum((score - right) ** 2 for score, right in points) / len(points)
    )
    assert parts.score == pytest.approx(
        parts.miscalibration - parts.discrimination + parts.uncertainty, abs=1e-12
    )
    assert min(parts.miscalibration, parts.discrimination, parts.uncertainty) >= 0


def test_the_parts_by_hand() -> None:
    """Fits 0, 1/2, 1/2, 1; the rate is 1/2: score .155, of the fits .125; discrimination .125,
    uncertainty .25.
    """
    parts = parts_of([(0.2, False), (0.3, True), (0.6, False), (0.7, True)])
    assert parts.score == pytest.approx((0.04 + 0.49 + 0.36 + 0.09) / 4)
    assert parts.miscalibration == pytest.approx(0.245 - 0.125)
    assert parts.discrimination == pytest.approx(0.125)
    assert parts.uncertainty == 0.25


def test_scores_that_are_the_rates_have_no_miscalibration_and_equal_ones_no_discrimination() -> (
    None
):
    parts = parts_of(
        [(0.25, index == 0) for index in range(4)] + [(0.75, index > 0) for index in range(4)]
    )
    assert (parts.miscalibration, parts.discrimination) == pytest.approx((0.0, 0.0625), abs=1e-15)
    assert parts_of([(0.9, True), (0.9, False)]).discrimination == 0.0


def test_a_band_is_what_calibrated_scores_give_in_nine_draws_of_ten() -> None:
    """Of ten answers of score 0.5 the 5 % and 95 % quantiles are 2 and 8 right; of scores 0 and 1
    there is no doubt.
    """
    points = [(0.0, False)] * 3 + [(0.5, True)] * 10 + [(1.0, True)] * 3
    curve = reliability_curve(points, seed=3)
    assert [(point.low, point.high) for point in curve] == [(0.0, 0.0), (0.2, 0.8), (1.0, 1.0)]
    assert [point.fitted for point in curve] == [0.0, 1.0, 1.0]


@given(POINTS, st.integers(0, 9), st.randoms(use_true_random=False))
def test_the_order_of_the_points_makes_no_difference(
    points: Points, seed: int, random: Random
) -> None:
    shuffled = random.sample(points, len(points))
    assert reliability_curve(points, seed=seed, draws=19) == reliability_curve(
        shuffled, seed=seed, draws=19
    )


def test_the_seed_settles_the_band() -> None:
    points = [(index / 20, index % 3 > 0) for index in range(20)]
    curve = reliability_curve(points, seed=1, draws=39)
    assert curve == reliability_curve(points, seed=1, draws=39)
    assert curve != reliability_curve(points, seed=2, draws=39)


def test_a_score_out_of_range_or_a_band_without_draws_is_refused() -> None:
    with pytest.raises(ValueError, match="point 2"):
        reliability_curve([(0.5, True), (1.5, True)], seed=1)
    with pytest.raises(ValueError, match="a draw or more"):
        reliability_curve([(0.5, True)], seed=1, draws=0)


def test_nothing_has_no_curve() -> None:
    assert reliability_curve([], seed=1) == ()
    assert brier_parts(()) is None
