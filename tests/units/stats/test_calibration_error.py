"""The calibration error in bins, and what chance makes of it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.calibration_error import CalibrationError, calibration_error

Points = list[tuple[float, bool]]
POINTS = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]) | st.floats(0, 1), st.booleans()), min_size=2
)


def error_of(points: Points, *, seed: int = 1, draws: int | None = None) -> CalibrationError:
    error = calibration_error(points, seed=seed, draws=draws)
    assert error is not None
    return error


def test_the_calibration_error_by_hand() -> None:
    """Ten answers make two bins of five.

    With rates 1/5 and 4/5 and scores .1 and .9 either gap is .1, and its noise .16 / 4.
    """
    points = [(0.1, index == 0) for index in range(5)] + [(0.9, index > 0) for index in range(5)]
    error = error_of(points, draws=99)
    assert error.bins == 2
    assert error.squared == pytest.approx(0.01 - 0.04)
    assert error.plain == pytest.approx(0.1)


@given(POINTS)
def test_the_order_of_the_points_makes_no_difference_to_the_bins(points: Points) -> None:
    assert error_of(points, draws=9) == error_of(points[::-1], draws=9)


@pytest.mark.parametrize(
    ("n", "bins"),
    [(2, 1), (9, 1), (10, 2), (25, 5), (49, 9), (50, 10), (60, 10), (64, 10), (997, 10)],
)
def test_there_are_at_most_ten_bins_of_five_or_more(n: int, bins: int) -> None:
    assert error_of([(index / n, True) for index in range(n)], draws=1).bins == bins


def test_equal_scores_share_a_bin_and_no_bin_is_too_small_for_its_noise() -> None:
    points = [(0.5, index % 2 == 0) for index in range(18)] + [(0.7, True), (0.9, False)]
    assert error_of(points, draws=9).bins == 1
    assert error_of([(0.5, True)] * 40, draws=9).bins == 1


def test_chance_is_taken_off_the_debiased_error_and_not_off_the_plain_one() -> None:
    """The null of the one is centred on 0; that of the plain error at 60 answers is about .13, as
    STATISTICS has it.
    """
    random = Random(5)
    scores = [random.betavariate(3, 1.2) for _ in range(60)]
    error = error_of([(score, True) for score in scores])
    assert error.squared_null.mean == pytest.approx(0.0, abs=0.004)
    assert 0.09 < error.plain_null.mean < 0.16
    assert error.plain_null.mean < error.plain_null.high


def test_the_p_value_is_exact_where_all_outcomes_can_be_counted() -> None:
    """Five answers of 0.6, none right: gap .36 and no noise.

    Of 5 right the error is .16, else less; so p = .4^5 = .01024.
    """
    error = error_of([(0.6, False)] * 5, draws=9999)
    assert error.squared == pytest.approx(0.36)
    assert error.p_value == pytest.approx(0.4**5, abs=0.004)
    assert error_of([(0.6, index < 3) for index in range(5)], draws=99).p_value == 1.0


def test_no_p_value_is_below_one_in_all_draws() -> None:
    assert error_of([(0.1, True)] * 30, draws=99).p_value == 0.01


def test_a_certain_score_that_is_wrong_refutes_calibration() -> None:
    points = [(index / 30, index > 15) for index in range(30)]
    assert error_of(points, draws=99).refuted == 0
    error = error_of([*points, (1.0, False)], draws=99)
    assert (error.refuted, error.p_value) == (1, 0.0)


def test_fewer_than_two_points_have_no_error() -> None:
    assert calibration_error([(0.5, True)], seed=1) is None


def test_a_null_distribution_without_draws_is_refused() -> None:
    with pytest.raises(ValueError, match="a draw or more"):
        calibration_error([(0.5, True)] * 2, seed=1, draws=0)
