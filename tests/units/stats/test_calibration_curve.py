"""Isotonic regression, its bands and the parts of the Brier score."""

import importlib
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldwright.stats.isotonic import BrierParts, brier_parts, draws_for, reliability_curve

Points = list[tuple[float, bool]]
OPTIMIZE = importlib.import_module("scipy.optimize")
SCORES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0]) | st.floats(0, 1)
POINTS = st.lists(st.tuples(SCORES, st.booleans()), max_size=25)


def fits(points: Points) -> list[tuple[float, float]]:
    """The scores of the curve with their fitted rates."""
    return [(one.score, one.fitted) for one in reliability_curve(points, seed=1, draws=1)]


def role_models(points: Points) -> BrierParts:
    """The parts of the Brier score of some points."""
    found = brier_parts(reliability_curve(points, seed=1, draws=1))
    assert found is not None
    return found


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
        [one.right / one.n for one in curve], weights=[one.n for one in curve]
    )
    assert [one.fitted for one in curve] == pytest.approx(list(oracle.x), abs=1e-12)
    assert sum(one.n for one in curve) == len(points)
    assert all(
        one.fitted <= after.fitted and one.score < after.score for one, after in pairwise(curve)
    )


@given(POINTS.filter(bool))
def test_the_parts_of_the_brier_score_add_up_and_none_is_negative(points: Points) -> None:
    found = role_models(points)
    assert found.score == pytest.approx(
        sum((score - right) ** 2 for score, right in points) / len(points)
    )
    assert found.score == pytest.approx(
        found.miscalibration - found.discrimination + found.uncertainty, abs=1e-12
    )
    assert min(found.miscalibration, found.discrimination, found.uncertainty) >= 0


def test_the_parts_by_hand() -> None:
    """Fits 0, 1/2, 1/2, 1; the rate is 1/2: score .155, of the fits .125; discrimination .125,
    uncertainty .25.
    """
    found = role_models([(0.2, False), (0.3, True), (0.6, False), (0.7, True)])
    assert found.score == pytest.approx((0.04 + 0.49 + 0.36 + 0.09) / 4)
    assert found.miscalibration == pytest.approx(0.245 - 0.125)
    assert found.discrimination == pytest.approx(0.125)
    assert found.uncertainty == 0.25


def test_scores_that_are_the_rates_have_no_miscalibration_and_equal_ones_no_discrimination() -> (
    None
):
    found = role_models(
        [(0.25, index == 0) for index in range(4)] + [(0.75, index > 0) for index in range(4)]
    )
    assert (found.miscalibration, found.discrimination) == pytest.approx((0.0, 0.0625), abs=1e-15)
    assert role_models([(0.9, True), (0.9, False)]).discrimination == 0.0


def test_a_band_is_what_calibrated_scores_give_in_nine_draws_of_ten() -> None:
    """Of ten answers of score 0.5 the 5 % and 95 % quantiles are 2 and 8 right; of scores 0 and 1
    there is no doubt.
    """
    points = [(0.0, False)] * 3 + [(0.5, True)] * 10 + [(1.0, True)] * 3
    curve = reliability_curve(points, seed=3)
    assert [(one.low, one.high) for one in curve] == [(0.0, 0.0), (0.2, 0.8), (1.0, 1.0)]
    assert [one.fitted for one in curve] == [0.0, 1.0, 1.0]


@settings(max_examples=25)
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
    one, again, other = (reliability_curve(points, seed=seed, draws=39) for seed in (1, 1, 2))
    assert one == again
    assert one != other


@pytest.mark.parametrize(
    ("n", "draws"), [(0, 999), (1000, 999), (2000, 999), (10_000, 199), (1_000_000, 99)]
)
def test_fewer_draws_are_made_of_more_points(n: int, draws: int) -> None:
    assert draws_for(n) == draws


def test_what_is_no_score_is_refused() -> None:
    with pytest.raises(ValueError, match=r"point 2: wanted a score from 0 to 1; found 1\.5"):
        reliability_curve([(0.5, True), (1.5, True)], seed=1)
    with pytest.raises(ValueError, match="point 1: wanted a score from 0 to 1; found nan"):
        reliability_curve([(float("nan"), True)], seed=1)
    with pytest.raises(ValueError, match="a draw or more"):
        reliability_curve([(0.5, True)], seed=1, draws=0)


def test_nothing_has_no_curve() -> None:
    assert reliability_curve([], seed=1) == ()
    assert brier_parts(()) is None
