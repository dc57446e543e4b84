"""The permutation test of two means within strata."""

import math
from random import Random
from statistics import fmean

import pytest

from effort import share_of
from goldwright.stats.stratified_permutation import compare_means

Sample = list[tuple[str, float]]


def drawn(random: Random, sizes: dict[str, int], shift: float = 0.0) -> Sample:
    """Values whose means differ by stratum, and all by the shift."""
    return [
        (name, random.gauss(ord(name), 1.0) + shift)
        for name, size in sizes.items()
        for _ in range(size)
    ]


def test_two_against_two_reach_one_deal_in_three() -> None:
    # Of the six ways to deal 1, 2, 3 and 4 in pairs, only the one that stands and its mirror are 2
    # apart.
    comparison = compare_means([("a", 3), ("a", 4)], [("a", 1), ("a", 2)], seed=1)
    assert comparison.difference == 2.0
    assert comparison.p_value == pytest.approx(1 / 3, abs=0.015)


def test_values_are_dealt_within_their_strata_only() -> None:
    # Two strata of two have four deals, and in two of them both strata lean the same way.
    comparison = compare_means([("a", 1), ("b", 101)], [("a", 0), ("b", 100)], seed=1)
    assert comparison.difference == 1.0
    assert comparison.p_value == pytest.approx(1 / 2, abs=0.02)


def test_strata_weigh_as_they_do_in_the_one_sample() -> None:
    sample = [("a", 1.0), ("a", 3.0), ("a", 5.0), ("b", 10.0)]
    reference = [("a", 1.0), ("b", 4.0), ("b", 6.0), ("b", 8.0)]
    assert compare_means(sample, reference, seed=1, draws=9).difference == pytest.approx(
        0.75 * 2 + 0.25 * 4
    )
    assert compare_means(reference, sample, seed=1, draws=9).difference == pytest.approx(
        -(0.25 * 2 + 0.75 * 4)
    )


def test_strata_of_one_side_are_left_out_and_named() -> None:
    sample = [("a", 1.0), ("b", 2.0), ("z", 900.0)]
    reference = [("a", 0.0), ("b", 1.0), ("k", -900.0)]
    comparison = compare_means(sample, reference, seed=1, draws=99)
    assert comparison.difference == 1.0
    assert comparison.left_out == ("k", "z")


def test_equal_values_prove_nothing() -> None:
    comparison = compare_means([("a", 0.1)] * 3, [("a", 0.1)] * 4, seed=1, draws=99)
    assert (comparison.difference, comparison.p_value, comparison.smallest_detectable) == (
        0.0,
        1.0,
        None,
    )


def test_no_p_value_is_below_one_in_all_draws() -> None:
    comparison = compare_means(
        [("a", 10.0 + i) for i in range(20)],
        [("a", -10.0 - i) for i in range(20)],
        seed=1,
        draws=999,
    )
    assert comparison.p_value == 0.001


def test_deals_that_tie_but_for_rounding_count_as_ties() -> None:
    # Of the ten pairs .1 and .7 are as far off as .3 and .5, though their sum is another float; .5
    # and .2 are nearer.
    comparison = compare_means(
        [("a", 0.3), ("a", 0.5)], [("a", 0.1), ("a", 0.7), ("a", 0.2)], seed=1
    )
    assert comparison.p_value == pytest.approx(0.9, abs=0.015)


def test_values_that_differ_by_stratum_alone_prove_nothing() -> None:
    comparison = compare_means(
        [("a", 1.0), ("b", 5.0)] * 20, [("a", 1.0), ("b", 5.0)] * 20, seed=1, draws=99
    )
    assert (comparison.difference, comparison.p_value, comparison.smallest_detectable) == (
        0.0,
        1.0,
        None,
    )


ALIKE: Sample = [("a", 0.0), ("a", 2.0)] * 4


def test_the_smallest_detectable_difference_follows_spread_and_sizes() -> None:
    # 8 against 8 values 1 from their mean have the variance 16 / 15, and their standard deviation
    # made unbiased is 1.0328 x 61 / 60. With 14 degrees of freedom Student's t is 2.144787 for .975
    # and 2.976843 for .995; less 1 / 56 of it 2.106487 and 2.923684; its own chance sqrt(1 + t^2 /
    # 28) = 1.079023 and 1.147382 times z of .8 and of .9.
    error = math.sqrt(16 / 15) * 61 / 60 / 2
    comparison = compare_means(ALIKE, ALIKE, seed=1, draws=9)
    assert comparison.smallest_detectable == pytest.approx(
        (2.106487 + 0.841621 * 1.079023) * error, abs=1e-5
    )
    surer = compare_means(ALIKE, ALIKE, seed=1, draws=9, power=0.9, alpha=0.01)
    assert surer.smallest_detectable == pytest.approx(
        (2.923684 + 1.281552 * 1.147382) * error, abs=1e-5
    )


def test_what_a_difference_must_reach_to_count_it_has_to_exceed_by_chance_too() -> None:
    chance = 0.841621 * 1.079023 * math.sqrt(16 / 15) * 61 / 60 / 2
    comparison = compare_means(ALIKE, ALIKE, seed=1, draws=9, least=5.0)
    assert comparison.smallest_detectable == pytest.approx(5.0 + chance, abs=1e-5)
    assert compare_means(ALIKE, ALIKE, seed=1, draws=9, least=1.0) == compare_means(
        ALIKE, ALIKE, seed=1, draws=9
    )


def test_the_effective_size_of_the_other_sample_follows_the_weights() -> None:
    sample = [("a", 1.0), ("a", -1.0), ("a", 1.0), ("b", 1.0)] * 3
    reference = [("a", -1.0), ("b", -1.0), ("b", 1.0), ("b", -1.0)] * 3
    # 24 values 1 from the means of their strata, 22 degrees of freedom; weights .75 and .25 over 3
    # and 9 values. Student's t with 21 is 2.079614 for .975: less 1 / 84 of it 2.054857; sqrt(1 +
    # t^2 / 42) = 1.050224.
    error = math.sqrt(24 / 22 * (1 / 12 + 0.5625 / 3 + 0.0625 / 9)) * 89 / 88
    comparison = compare_means(sample, reference, seed=1, draws=9)
    assert comparison.smallest_detectable == pytest.approx(
        (2.054857 + 0.841621 * 1.050224) * error, abs=1e-5
    )


@pytest.mark.parametrize(("pairs", "is_known"), [(9, False), (10, True)])
def test_where_fewer_than_a_thousand_deals_are_possible_nothing_is_promised(
    pairs: int, *, is_known: bool
) -> None:
    # Ten strata of one against one can be dealt in 1024 ways, and 50 / .05 is 1000.
    sample = [(f"s{n}", float(n % 3)) for n in range(pairs)]
    reference = [(f"s{n}", float(n % 2)) for n in range(pairs)]
    assert (
        compare_means(sample, reference, seed=1, draws=9).smallest_detectable is not None
    ) == is_known


def test_a_difference_of_the_smallest_detectable_size_is_found_as_often_as_promised() -> None:
    random, sizes = Random(11), {"a": 10, "b": 20}
    # The standard error of 30 against 30 values of variance 1 is .2582, and 2.8513 times that (t of
    # 57) is .7362.
    p_values = [
        compare_means(
            drawn(random, sizes, shift=0.7362), drawn(random, sizes), seed=seed, draws=99
        ).p_value
        for seed in range(300)
    ]
    assert 0.73 <= sum(p_value <= 0.05 for p_value in p_values) / 300 <= 0.87


def test_samples_drawn_alike_are_told_apart_once_in_twenty() -> None:
    random = Random(7)
    p_values = [
        compare_means(
            drawn(random, {"a": 4, "b": 6}), drawn(random, {"a": 6, "b": 5}), seed=seed, draws=99
        ).p_value
        for seed in range(share_of(1000, suite=400))
    ]
    assert 0.03 <= fmean(p_value <= 0.05 for p_value in p_values) <= 0.07


def test_the_order_of_the_values_makes_no_difference_and_the_seed_does() -> None:
    random = Random(3)
    sample = drawn(random, {"a": 5, "b": 4})
    reference = drawn(random, {"b": 6, "a": 3})
    straight = compare_means(sample, reference, seed=2, draws=199)
    assert compare_means(sample[::-1], reference[::-1], seed=2, draws=199) == straight
    assert (
        len({compare_means(sample, reference, seed=seed, draws=199).p_value for seed in range(5)})
        > 1
    )


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
def test_what_cannot_be_tested_is_refused(
    value: float, draws: int, power: float, alpha: float, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        compare_means([("a", value)], [("a", 1.0)], seed=1, draws=draws, power=power, alpha=alpha)


@pytest.mark.parametrize("least", [-0.1, math.nan])
def test_a_least_difference_below_none_is_refused(least: float) -> None:
    with pytest.raises(ValueError, match="the least difference"):
        compare_means([("a", 1.0)], [("a", 1.0)], seed=1, least=least)
