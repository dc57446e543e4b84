"""The tests of calibration: the bias of the mean and the calibration error."""

import importlib
import importlib.util
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldwright.stats.calibration import (
    CalibrationError,
    ScoreBias,
    calibration_error,
    mean_bias,
    power_to_see_bias,
)
from goldwright.stats.poisson_binomial import MOST_EXACT, successes

Points = list[tuple[float, bool]]
STATS = importlib.import_module("scipy.stats")
CAMPAIGN = Path(__file__).parents[2] / "benchmarks" / "calibration_simulations.py"
CHANCES = st.lists(st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.8, 0.99, 1.0]), max_size=8)
POINTS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


def simulations() -> ModuleType:
    """The campaign, which is a script and no package."""
    spec = importlib.util.spec_from_file_location("calibration_simulations", CAMPAIGN)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bias_of(points: Points) -> ScoreBias:
    found = mean_bias(points)
    assert found is not None
    return found


def error_of(points: Points, *, seed: int = 1, draws: int | None = None) -> CalibrationError:
    found = calibration_error(points, seed=seed, draws=draws)
    assert found is not None
    return found


@given(CHANCES)
def test_the_number_of_successes_is_distributed_as_counting_all_outcomes_says(
    chances: list[float],
) -> None:
    found = successes(chances)
    ways: dict[int, float] = {}
    for outcome in product((False, True), repeat=len(chances)):
        chance = prod(one if yes else 1 - one for one, yes in zip(chances, outcome, strict=True))
        ways[sum(outcome)] = ways.get(sum(outcome), 0.0) + chance
    for count, expected in ways.items():
        fewer, more = found.tails(count)
        assert fewer == pytest.approx(
            sum(ways[k] for k in ways if k < count) + expected / 2, abs=1e-12
        )
        assert more == pytest.approx(
            sum(ways[k] for k in ways if k > count) + expected / 2, abs=1e-12
        )


def test_of_equal_chances_it_is_the_binomial_distribution() -> None:
    found = successes([0.3] * 900)
    for count in (230, 262, 270, 290):
        expected = STATS.binom.cdf(count - 1, 900, 0.3) + STATS.binom.pmf(count, 900, 0.3) / 2
        assert found.tails(count)[0] == pytest.approx(expected, abs=1e-12)


def test_the_normal_distribution_takes_over_where_it_tells_the_same() -> None:
    """Just beyond the border the p-values near 5 % are those of scipy's binomial but for what bends
    it.
    """
    for n, rate, most in ((1200, 0.7, 0.0015), (26_000, 0.99, 0.004)):
        assert MOST_EXACT < n * rate * (1 - rate) < 1.05 * MOST_EXACT
        for count in (round(n * rate) - 31, round(n * rate) + 31):
            below = STATS.binom.cdf(count - 1, n, rate) + STATS.binom.pmf(count, n, rate) / 2
            assert 0.03 < 2 * min(below, 1 - below) < 0.08
            assert successes([rate] * n).p_value(count) == pytest.approx(
                2 * min(below, 1 - below), abs=most
            )


def test_a_count_that_cannot_be_has_no_chance() -> None:
    found = successes([1.0, 1.0, 0.0])
    assert [found.p_value(count) for count in (0, 1, 2, 3)] == [0.0, 0.0, 1.0, 0.0]
    assert successes([]).p_value(0) == 1.0


def test_the_bias_by_hand() -> None:
    """Four of seven at 0.8: z = (4 - 5.6) / sqrt(1.12); P(3 or fewer) = .033344, P(4) = .114688."""
    found = bias_of([(0.8, index < 4) for index in range(7)])
    assert (found.n, found.rate) == (7, 4 / 7)
    assert found.mean_score == pytest.approx(0.8)
    assert found.bias == pytest.approx(4 / 7 - 0.8)
    assert found.z == pytest.approx(-1.5118579)
    assert found.p_value == pytest.approx(2 * (0.033344 + 0.114688 / 2))


@pytest.mark.parametrize(("scores", "expected"), [((0.2, 0.2), 1.06), ((0.4, 0.5), 1.22)])
def test_spiegelhalter_s_z_is_that_of_a_printed_example(
    scores: tuple[float, float], expected: float
) -> None:
    """K. Rufibach, "Use of Brier score to assess binary predictions", J. Clin. Epidemiol. 63
    (2010), table 1.
    """
    found = bias_of([(scores[0], True), (scores[1], False)])
    assert found.spiegelhalter_z == pytest.approx(expected, abs=0.005)
    assert found.spiegelhalter_p == pytest.approx(2 * STATS.norm.sf(expected), abs=0.005)


def test_scores_that_leave_no_doubt_have_no_z_and_a_p_value_all_the_same() -> None:
    sure = bias_of([(1.0, True), (0.0, False), (1.0, True)])
    assert (sure.z, sure.spiegelhalter_z, sure.spiegelhalter_p, sure.p_value) == (
        None,
        None,
        None,
        1.0,
    )
    assert bias_of([(1.0, True), (1.0, False)]).p_value == 0.0
    halves = bias_of([(0.5, True), (0.5, False)])
    assert (halves.z, halves.spiegelhalter_z) == (0.0, None)


@given(POINTS)
def test_turning_right_and_wrong_round_turns_the_bias_round(points: Points) -> None:
    one, other = bias_of(points), bias_of([(1 - score, not right) for score, right in points])
    assert other.bias == pytest.approx(-one.bias, abs=1e-12)
    assert other.p_value == pytest.approx(one.p_value, abs=1e-9)


def test_the_power_is_that_of_counting_all_outcomes() -> None:
    """Twelve answers of 0.5 at 10 %: 3 or fewer and 9 or more are shown; at .3 or .7 that is P =
    .4925 + .0017.
    """
    null, shifted = STATS.binom(12, 0.5), STATS.binom(12, 0.3)
    shown = [k for k in range(13) if 2 * min(null.cdf(k - 1), null.sf(k)) + null.pmf(k) <= 0.1]
    assert shown == [0, 1, 2, 3, 9, 10, 11, 12]
    expected = sum(shifted.pmf(k) for k in shown)
    assert power_to_see_bias([0.5] * 12, 0.2, level=0.1) == pytest.approx(expected)
    assert expected == pytest.approx(0.4942, abs=0.0001)


@pytest.mark.parametrize(
    ("scores", "size", "chances"),
    [
        (
            (0.9, 0.3),
            0.15,
            (0.9 + 0.1 * 0.375, 0.3 + 0.7 * 0.375),
        ),  # too little is the harder to see here
        (
            (0.96, 0.64),
            0.3,
            (0.96 * 0.625, 0.64 * 0.625),
        ),  # and for so much of it there is no room here
    ],
)
def test_a_bias_takes_the_same_share_of_every_chance(
    scores: tuple[float, float], size: float, chances: tuple[float, float]
) -> None:
    """Means 0.6 and 0.8: +0.15 is 3/8 of what fails, and -0.3 is 3/8 of what succeeds."""
    null, other = successes(scores * 6), successes(chances * 6)
    expected = sum(
        chance
        for count, chance in enumerate(other.chances, other.first)
        if null.p_value(count) <= 0.2
    )
    assert power_to_see_bias(scores * 6, size, level=0.2) == pytest.approx(expected)


def test_a_direction_without_room_does_not_count() -> None:
    """Scores of 0.9 cannot promise 0.15 too little; what they can be seen to promise too much they
    are.
    """
    lowered, null = STATS.binom(60, 0.75), STATS.binom(60, 0.9)
    shown = [
        k
        for k in range(61)
        if 2 * min(null.cdf(k - 1) + null.pmf(k) / 2, null.sf(k) + null.pmf(k) / 2) <= 0.04
    ]
    expected = sum(lowered.pmf(k) for k in shown)
    assert power_to_see_bias([0.9] * 60, 0.15, level=0.04) == pytest.approx(expected)
    assert power_to_see_bias([], 0.15, level=0.04) == 0.0


def test_the_calibration_error_by_hand() -> None:
    """Ten answers make two bins of five. Rates 1/5 and 4/5, scores .1 and .9: either gap is .1, its
    noise .16 / 4.
    """
    points = [(0.1, index == 0) for index in range(5)] + [(0.9, index > 0) for index in range(5)]
    found = error_of(points, draws=99)
    assert found.bins == 2
    assert found.squared == pytest.approx(0.01 - 0.04)
    assert found.plain == pytest.approx(0.1)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]) | st.floats(0, 1), st.booleans()),
        min_size=2,
    )
)
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
    found = error_of([(score, True) for score in (random.betavariate(3, 1.2) for _ in range(60))])
    assert found.squared_null.mean == pytest.approx(0.0, abs=0.004)
    assert 0.09 < found.plain_null.mean < 0.16
    assert found.plain_null.mean < found.plain_null.high


def test_the_p_value_is_exact_where_all_outcomes_can_be_counted() -> None:
    """Five answers of 0.6, none right: gap .36 and no noise. Of 5 right it is .16, else less; so p
    = .4^5 = .01024.
    """
    found = error_of([(0.6, False)] * 5, draws=9999)
    assert found.squared == pytest.approx(0.36)
    assert found.p_value == pytest.approx(0.4**5, abs=0.004)
    assert error_of([(0.6, index < 3) for index in range(5)], draws=99).p_value == 1.0


def test_no_p_value_is_below_one_in_all_draws() -> None:
    assert error_of([(0.1, True)] * 30, draws=99).p_value == 0.01


def test_a_sure_score_that_is_wrong_refutes_calibration() -> None:
    points = [(index / 30, index > 15) for index in range(30)]
    assert error_of(points, draws=99).refuted == 0
    found = error_of([*points, (1.0, False)], draws=99)
    assert (found.refuted, found.p_value) == (1, 0.0)


def test_too_little_has_no_error() -> None:
    assert calibration_error([(0.5, True)], seed=1) is None
    assert mean_bias([]) is None
    with pytest.raises(ValueError, match="a draw or more"):
        calibration_error([(0.5, True)] * 2, seed=1, draws=0)


def test_calibrated_scores_are_found_fault_with_as_seldom_as_said_and_a_bias_as_often() -> None:
    """150 data sets of 40 answers, with three standard errors of room."""
    module = simulations()
    rates = [*module.false_alarms(40, (3.0, 1.2), 150, 7), module.power(40, (3.0, 1.2), 150, 7)]
    assert [str(one) for one in rates if not one.is_kept] == []
    assert len(rates) == 5
