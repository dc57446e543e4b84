"""The test of the mean score against the rate of right answers, and its power."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deferred import DeferredModule
from goldwright.stats.calibration_bias import ScoreBias, mean_bias, power_to_see_bias
from goldwright.stats.poisson_binomial import poisson_binomial
from units.stats.simulations import load_simulations

Points = list[tuple[float, bool]]
STATS = DeferredModule("scipy.stats")
POINTS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


def bias_of(points: Points) -> ScoreBias:
    bias = mean_bias(points)
    assert bias is not None
    return bias


def test_the_bias_by_hand() -> None:
    """Four of seven at 0.8: z = (4 - 5.6) / sqrt(1.12); P(3 or fewer) = .033344, P(4) = .114688."""
    bias = bias_of([(0.8, index < 4) for index in range(7)])
    assert (bias.n, bias.rate) == (7, 4 / 7)
    assert bias.mean_score == pytest.approx(0.8)
    assert bias.bias == pytest.approx(4 / 7 - 0.8)
    assert bias.z == pytest.approx(-1.5118579)
    assert bias.p_value == pytest.approx(2 * (0.033344 + 0.114688 / 2))


@pytest.mark.parametrize(("scores", "expected"), [((0.2, 0.2), 1.06), ((0.4, 0.5), 1.22)])
def test_spiegelhalter_s_z_is_that_of_a_printed_example(
    scores: tuple[float, float], expected: float
) -> None:
    """K. Rufibach, "Use of Brier score to assess binary predictions", J. Clin. Epidemiol. 63
    (2010), table 1.
    """
    bias = bias_of([(scores[0], True), (scores[1], False)])
    assert bias.spiegelhalter_z == pytest.approx(expected, abs=0.005)
    assert bias.spiegelhalter_p == pytest.approx(2 * STATS.norm.sf(expected), abs=0.005)


def test_scores_that_leave_no_doubt_have_no_z_and_a_p_value_all_the_same() -> None:
    certain = bias_of([(1.0, True), (0.0, False), (1.0, True)])
    assert (certain.z, certain.spiegelhalter_z, certain.spiegelhalter_p) == (None, None, None)
    assert certain.p_value == 1.0
    assert bias_of([(1.0, True), (1.0, False)]).p_value == 0.0
    halves = bias_of([(0.5, True), (0.5, False)])
    assert (halves.z, halves.spiegelhalter_z) == (0.0, None)


@given(POINTS)
def test_exchanging_right_and_wrong_reverses_the_bias(points: Points) -> None:
    bias = bias_of(points)
    reversed_bias = bias_of([(1 - score, not is_right) for score, is_right in points])
    assert reversed_bias.bias == pytest.approx(-bias.bias, abs=1e-12)
    assert reversed_bias.p_value == pytest.approx(bias.p_value, abs=1e-9)


def test_nothing_has_no_bias() -> None:
    assert mean_bias([]) is None


def test_the_power_is_that_of_counting_all_outcomes() -> None:
    """Twelve answers of 0.5 at 10 %: 3 or fewer and 9 or more are significant.

    At a true rate of .3 or .7 that is P = .4925 + .0017.
    """
    null, shifted = STATS.binom(12, 0.5), STATS.binom(12, 0.3)
    significant = [
        k for k in range(13) if 2 * min(null.cdf(k - 1), null.sf(k)) + null.pmf(k) <= 0.1
    ]
    assert significant == [0, 1, 2, 3, 9, 10, 11, 12]
    expected = sum(shifted.pmf(k) for k in significant)
    assert power_to_see_bias([0.5] * 12, 0.2, level=0.1) == pytest.approx(expected)
    assert expected == pytest.approx(0.4942, abs=0.0001)


UNDER_CONFIDENT_IS_HARDER = ((0.9, 0.3), 0.15, (0.9 + 0.1 * 0.375, 0.3 + 0.7 * 0.375))
NO_ROOM_ABOVE = ((0.96, 0.64), 0.3, (0.96 * 0.625, 0.64 * 0.625))


@pytest.mark.parametrize(
    ("scores", "size", "probabilities"), [UNDER_CONFIDENT_IS_HARDER, NO_ROOM_ABOVE]
)
def test_a_bias_takes_the_same_share_of_every_probability(
    scores: tuple[float, float], size: float, probabilities: tuple[float, float]
) -> None:
    """Means 0.6 and 0.8: +0.15 is 3/8 of what fails, and -0.3 is 3/8 of what succeeds."""
    null = poisson_binomial(scores * 6)
    alternative = poisson_binomial(probabilities * 6)
    expected = sum(
        probability
        for count, probability in enumerate(alternative.probabilities, alternative.first_count)
        if null.p_value(count) <= 0.2
    )
    assert power_to_see_bias(scores * 6, size, level=0.2) == pytest.approx(expected)


def test_a_direction_without_room_does_not_count() -> None:
    """Scores of 0.9 cannot be 0.15 too low, so the power is that of seeing them 0.15 too high."""
    lowered, null = STATS.binom(60, 0.75), STATS.binom(60, 0.9)
    significant = [
        k
        for k in range(61)
        if 2 * min(null.cdf(k - 1) + null.pmf(k) / 2, null.sf(k) + null.pmf(k) / 2) <= 0.04
    ]
    expected = sum(lowered.pmf(k) for k in significant)
    assert power_to_see_bias([0.9] * 60, 0.15, level=0.04) == pytest.approx(expected)
    assert power_to_see_bias([], 0.15, level=0.04) == 0.0


def test_calibrated_scores_are_found_fault_with_as_seldom_as_said_and_a_bias_as_often() -> None:
    """150 data sets of 40 answers, with three standard errors of room."""
    campaign = load_simulations()
    rates = [
        *campaign.false_alarms(40, (3.0, 1.2), 150, 7),
        campaign.power(40, (3.0, 1.2), 150, 7),
    ]
    assert [str(rate) for rate in rates if not rate.is_kept] == []
    assert len(rates) == 5
