"""How well a score tells right from wrong."""

import importlib
from itertools import product
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.roc import discrimination, power_to_see
from units.stats.simulations import load_simulations

Points = list[tuple[float, bool]]
NUMPY = importlib.import_module("numpy")
POINTS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]) | st.floats(0, 1), st.booleans()),
    max_size=30,
)


def by_pairs(points: Points) -> list[list[float]]:
    """For each right and each wrong answer 1, 1/2 or 0."""
    rights = [score for score, is_right in points if is_right]
    wrongs = [score for score, is_right in points if not is_right]
    return [[(right > wrong) + (right == wrong) / 2 for wrong in wrongs] for right in rights]


@given(POINTS)
def test_the_area_is_the_share_of_pairs_in_order_and_its_error_that_of_delong(
    points: Points,
) -> None:
    result = discrimination(points)
    pairs = by_pairs(points)
    assert result.right + result.wrong == len(points)
    if not pairs or not pairs[0]:
        assert (result.auroc, result.interval, result.standard_error) == (None, None, None)
        return
    table = NUMPY.array(pairs)
    assert result.auroc == pytest.approx(table.mean(), abs=1e-12)
    assert result.auroc is not None
    assert result.interval is not None
    assert 0 <= result.interval[0] <= result.auroc + 1e-12
    assert result.auroc <= result.interval[1] + 1e-12
    if min(table.shape) < 2:
        assert result.standard_error is None
        return
    squared = sum(
        NUMPY.var(table.mean(axis=axis), ddof=1) / table.shape[1 - axis] for axis in (0, 1)
    )
    assert result.standard_error == pytest.approx(sqrt(squared), abs=1e-9)


def test_the_interval_by_hand() -> None:
    """Pairs in order: 2 and 4 of 4 (with a tie), by wrongs 2, 1 1/2, 1, 1 1/2 of 2; logit of 3/4 is
    log 3.
    """
    points = [(0.5, True), (0.9, True), (0.1, False), (0.5, False), (0.7, False), (0.5, False)]
    result = discrimination(points)
    assert result.auroc == pytest.approx(6 / 8)
    squared = 0.125 / 2 + (0.25**2 + 0.25**2) / 3 / 4
    assert result.standard_error == pytest.approx(sqrt(squared))
    reach = 1.959964 * sqrt(squared) / (0.75 * 0.25)
    expected = [1 / (1 + exp(-(log(3) + sign * reach))) for sign in (-1, 1)]
    assert result.interval == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("right", "wrong"), [(30, 30), (40, 30), (1, 9)])
def test_a_perfect_order_is_no_proof_of_a_perfect_score(right: int, wrong: int) -> None:
    """The lower end is the area that gives so many pairs in order in one case of forty."""
    points = [(0.9, True)] * right + [(0.1, False)] * wrong
    result = discrimination(points)
    reversed_scores = discrimination([(1 - score, is_right) for score, is_right in points])
    assert (result.auroc, reversed_scores.auroc) == (1.0, 0.0)
    least = 0.025 ** (1 / min(right, wrong))
    assert result.interval == pytest.approx((least, 1.0))
    assert reversed_scores.interval == pytest.approx((0.0, 1 - least))


def test_equal_scores_tell_nothing_and_are_not_sure_of_it() -> None:
    """sqrt(log(40) / 100) on either side of 1/2."""
    result = discrimination([(0.7, index < 60) for index in range(110)])
    assert (result.auroc, result.standard_error) == (0.5, 0.0)
    assert result.interval == pytest.approx((0.5 - 0.192065, 0.5 + 0.192065), abs=1e-6)


def test_the_power_is_that_of_hanley_and_mcneil() -> None:
    """At 0.7 with 30 and 30: Q1 .538462, Q2 .576471, squared error .00458023; (.2 / .0676774 -
    1.96) = .99523.
    """
    assert power_to_see(0.7, 30, 30) == pytest.approx(0.8402, abs=2e-4)
    assert power_to_see(0.7, 1, 100) == 0.0
    with pytest.raises(ValueError, match=r"between 1/2 and 1"):
        power_to_see(0.5, 30, 30)


@given(st.integers(2, 300), st.integers(2, 300))
def test_more_answers_never_show_less(right: int, wrong: int) -> None:
    assert power_to_see(0.7, right, wrong) <= power_to_see(0.7, right + 1, wrong + 1)


def test_the_interval_covers_the_true_area_as_often_as_said() -> None:
    """300 data sets each, with three standard errors of room below 93 %."""
    campaign = load_simulations()
    rates = [campaign.area_coverage(*case, 300, 3) for case in ((0.7, 25, 20), (0.9, 12, 13))]
    assert [str(rate) for rate in rates if not rate.is_kept] == []


def test_every_choice_of_two_classes_is_counted() -> None:
    """All outcomes of four scores: the area is that of Mann and Whitney."""
    mann_whitney = importlib.import_module("scipy.stats").mannwhitneyu
    for kinds in product((True, False), repeat=4):
        if len(set(kinds)) == 1:
            continue
        points = list(zip((0.2, 0.4, 0.4, 0.8), kinds, strict=True))
        rights = [score for score, is_right in points if is_right]
        wrongs = [score for score, is_right in points if not is_right]
        expected = (
            mann_whitney(rights, wrongs, method="asymptotic").statistic / len(rights) / len(wrongs)
        )
        assert discrimination(points).auroc == pytest.approx(expected)
