"""The permutation test of two means within strata."""

import math
from random import Random

import pytest

from goldwright.stats.permutation import compare_means

Sample = list[tuple[str, float]]


def drawn(random: Random, sizes: dict[str, int], shift: float = 0.0) -> Sample:
    """Values whose means differ by stratum, and all by the shift."""
    return [(name, random.gauss(ord(name), 1.0) + shift) for name, size in sizes.items() for _ in range(size)]


def test_two_against_two_reach_one_deal_in_three() -> None:
    # Of the six ways to deal 1, 2, 3 and 4 in pairs, only the one that stands and its mirror are 2 apart.
    found = compare_means([("a", 3), ("a", 4)], [("a", 1), ("a", 2)], seed=1)
    assert found.difference == 2.0
    assert found.p_value == pytest.approx(1 / 3, abs=0.015)


def test_values_are_dealt_within_their_strata_only() -> None:
    # Two strata of two have four deals, and in two of them both strata lean the same way.
    found = compare_means([("a", 1), ("b", 101)], [("a", 0), ("b", 100)], seed=1)
    assert found.difference == 1.0
    assert found.p_value == pytest.approx(1 / 2, abs=0.02)


def test_strata_weigh_as_they_do_in_the_one_sample() -> None:
    one = [("a", 1.0), ("a", 3.0), ("a", 5.0), ("b", 10.0)]
    other = [("a", 1.0), ("b", 4.0), ("b", 6.0), ("b", 8.0)]
    assert compare_means(one, other, seed=1, draws=9).difference == pytest.approx(0.75 * 2 + 0.25 * 4)
    assert compare_means(other, one, seed=1, draws=9).difference == pytest.approx(-(0.25 * 2 + 0.75 * 4))


def test_strata_of_one_side_are_left_out_and_named() -> None:
    one = [("a", 1.0), ("b", 2.0), ("z", 900.0)]
    other = [("a", 0.0), ("b", 1.0), ("k", -900.0)]
    found = compare_means(one, other, seed=1, draws=99)
    assert found.difference == 1.0
    assert found.left_out == ("k", "z")


def test_equal_values_prove_nothing() -> None:
    found = compare_means([("a", 0.1)] * 3, [("a", 0.1)] * 4, seed=1, draws=99)
    assert (found.difference, found.p_value, found.smallest_detectable) == (0.0, 1.0, 0.0)


def test_no_p_value_is_below_one_in_all_draws() -> None:
    found = compare_means(
        [("a", 10.0 + i) for i in range(20)], [("a", -10.0 - i) for i in range(20)], seed=1, draws=999
    )
    assert found.p_value == 0.001


def test_deals_that_tie_but_for_rounding_count_as_ties() -> None:
    # Of the ten pairs .1 and .7 are as far off as .3 and .5, though their sum is another float; .5 and .2 are nearer.
    found = compare_means([("a", 0.3), ("a", 0.5)], [("a", 0.1), ("a", 0.7), ("a", 0.2)], seed=1)
    assert found.p_value == pytest.approx(0.9, abs=0.015)


def test_the_smallest_detectable_difference_follows_spread_and_sizes() -> None:
    # About their mean 0, 2, 0 and 2 have the variance 4 / 3; 2.801585 is z of .975 and of .8 together.
    found = compare_means([("a", 0.0), ("a", 2.0)], [("a", 0.0), ("a", 2.0)], seed=1, draws=9)
    assert found.smallest_detectable == pytest.approx(2.801585 * math.sqrt(4 / 3), abs=1e-5)
    surer = compare_means([("a", 0.0), ("a", 2.0)], [("a", 0.0), ("a", 2.0)], seed=1, draws=9, power=0.9, alpha=0.01)
    assert surer.smallest_detectable == pytest.approx((2.575829 + 1.281552) * math.sqrt(4 / 3), abs=1e-5)


def test_the_effective_size_of_the_other_sample_follows_the_weights() -> None:
    one = [("a", 1.0), ("a", -1.0), ("a", 1.0), ("b", 1.0)]
    other = [("a", -1.0), ("b", -1.0), ("b", 1.0), ("b", -1.0)]
    # Eight values 1 from the means of their strata, 6 degrees of freedom; weights .75 and .25 over 1 and 3 values.
    error = math.sqrt(8 / 6 * (1 / 4 + 0.5625 / 1 + 0.0625 / 3))
    found = compare_means(one, other, seed=1, draws=9)
    assert found.smallest_detectable == pytest.approx(2.801585 * error, abs=1e-5)


def test_a_difference_of_the_smallest_detectable_size_is_found_as_often_as_promised() -> None:
    random, sizes = Random(11), {"a": 10, "b": 20}
    # The standard error of 30 against 30 values of variance 1 is .2582, and 2.8016 times that is .7233.
    p_values = [
        compare_means(drawn(random, sizes, shift=0.7233), drawn(random, sizes), seed=seed, draws=99).p_value
        for seed in range(300)
    ]
    assert 0.73 <= sum(p_value <= 0.05 for p_value in p_values) / 300 <= 0.87


def test_samples_drawn_alike_are_told_apart_once_in_twenty() -> None:
    random = Random(7)
    p_values = [
        compare_means(drawn(random, {"a": 4, "b": 6}), drawn(random, {"a": 6, "b": 5}), seed=seed, draws=99).p_value
        for seed in range(1000)
    ]
    assert 0.03 <= sum(p_value <= 0.05 for p_value in p_values) / 1000 <= 0.07


def test_the_order_of_the_values_makes_no_difference_and_the_seed_does() -> None:
    random = Random(3)
    one, other = drawn(random, {"a": 5, "b": 4}), drawn(random, {"b": 6, "a": 3})
    straight = compare_means(one, other, seed=2, draws=199)
    assert compare_means(one[::-1], other[::-1], seed=2, draws=199) == straight
    assert len({compare_means(one, other, seed=seed, draws=199).p_value for seed in range(5)}) > 1


def test_samples_without_a_common_stratum_are_refused() -> None:
    with pytest.raises(ValueError, match="no stratum in common"):
        compare_means([("a", 1.0)], [("b", 1.0)], seed=1)
    with pytest.raises(ValueError, match="no stratum in common"):
        compare_means([], [], seed=1)


@pytest.mark.parametrize(
    ("value", "draws", "power", "alpha", "complaint"),
    [
        (math.nan, 9, 0.8, 0.05, "not a finite number"),
        (math.inf, 9, 0.8, 0.05, "not a finite number"),
        (1.0, 0, 0.8, 0.05, "a draw or more"),
        (1.0, 9, 1.0, 0.05, "power lies between"),
        (1.0, 9, 0.8, 0.0, "alpha lies between"),
    ],
)
def test_what_can_not_be_tested_is_refused(
    value: float, draws: int, power: float, alpha: float, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        compare_means([("a", value)], [("a", 1.0)], seed=1, draws=draws, power=power, alpha=alpha)
