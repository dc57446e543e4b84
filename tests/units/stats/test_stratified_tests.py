"""The exact comparison of two rates over strata, and of two sets of values by rank."""

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.stratified_tests import StratumRates, rank_sum_greater, stratified_greater

SMALL = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(
    lambda four: StratumRates(min(four[:2]), max(four[:2]), min(four[2:]), max(four[2:]))
)


def dealt(strata: Sequence[StratumRates]) -> Fraction:
    """Deal the bad ones over the records of each stratum in every way, and count."""
    hands = [
        [
            sum(record < stratum.total for record in hand)
            for hand in combinations(
                range(stratum.total + stratum.other_total), stratum.bad + stratum.other_bad
            )
        ]
        for stratum in strata
    ]
    observed = sum(stratum.bad for stratum in strata)
    every = list(product(*hands))
    return Fraction(sum(sum(hand) >= observed for hand in every), len(every))


@pytest.mark.parametrize(
    ("bad", "total", "other_bad", "other_total", "p_value"),
    [
        (3, 4, 1, 4, 17 / 70),  # the lady who tasted tea
        (4, 4, 0, 4, 1 / 70),
        (1, 4, 3, 4, 69 / 70),
        (2, 3, 0, 7, 1 / 15),  # C(3, 2) of C(10, 2)
        (0, 5, 4, 6, 1.0),
        (5, 5, 6, 6, 1.0),
        (0, 0, 3, 9, 1.0),
        (3, 9, 0, 0, 1.0),
        (0, 0, 0, 0, 1.0),
    ],
)
def test_of_one_stratum_the_p_value_is_fisher_s(
    bad: int, total: int, other_bad: int, other_total: int, p_value: float
) -> None:
    assert stratified_greater([StratumRates(bad, total, other_bad, other_total)]) == pytest.approx(
        p_value, abs=1e-15
    )


def test_two_strata_that_each_prove_little_prove_more_together() -> None:
    tea = StratumRates(4, 4, 0, 4)
    assert stratified_greater([tea, tea]) == pytest.approx(1 / 70**2)
    # 7 or 8 cups right of twice four: 1 way and 2 x 16 ways of 70 x 70.
    assert stratified_greater([tea, StratumRates(3, 4, 1, 4)]) == pytest.approx(33 / 4900)


@given(st.lists(SMALL, max_size=3))
def test_the_p_value_is_the_share_of_all_deals_within_the_strata(
    strata: list[StratumRates],
) -> None:
    assert stratified_greater(strata) == pytest.approx(float(dealt(strata)), abs=1e-12)


def test_strata_of_one_side_alone_change_nothing() -> None:
    tea = StratumRates(3, 4, 1, 4)
    assert stratified_greater(
        [tea, StratumRates(9, 9, 0, 0), StratumRates(0, 0, 0, 50)]
    ) == stratified_greater([tea])


def test_no_strata_prove_nothing() -> None:
    assert stratified_greater([]) == 1.0


def test_equal_rates_in_every_stratum_prove_nothing_whatever_the_sums_look_like() -> None:
    # 46 of 100 against 14 of 100 in all, for the one works where half fail and the other where a
    # tenth do.
    strata = [StratumRates(45, 90, 5, 10), StratumRates(1, 10, 9, 90)]
    assert stratified_greater([StratumRates(46, 100, 14, 100)]) < 1e-5
    assert stratified_greater(strata) > 0.4


def test_more_bad_ones_on_the_first_side_prove_more() -> None:
    p_values = [
        stratified_greater([StratumRates(bad, 17, 2, 60), StratumRates(1, 3, 1, 3)])
        for bad in range(18)
    ]
    assert all(more < fewer for fewer, more in pairwise(p_values))
    assert p_values[17] < 1e-12


@pytest.mark.parametrize("counts", [(-1, 3, 0, 3), (4, 3, 0, 3), (0, 3, 4, 3), (0, 3, -1, 3)])
def test_what_is_no_count_is_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="no count of bad ones"):
        StratumRates(*counts)


def test_many_strata_of_many_records_take_no_time() -> None:
    since = time.process_time()
    assert 0 < stratified_greater([StratumRates(15, 50, 37, 150)] * 36) < 0.01
    assert time.process_time() - since < 10


def test_the_p_value_of_ranks_is_the_share_of_choices() -> None:
    assert rank_sum_greater([5, 6, 7], [1, 2, 3, 4]) == pytest.approx(1 / 35)
    assert rank_sum_greater([4, 6, 7], [1, 2, 3, 5]) == pytest.approx(2 / 35)
    assert rank_sum_greater([1, 2], [3, 4]) == 1.0


def test_ties_share_their_ranks() -> None:
    # 2 and 2 are first with 2 of 5 values that tie: of ten pairs all three out of {2, 2, 2} reach
    # as far.
    assert rank_sum_greater([2, 2], [2, 1, 0]) == pytest.approx(3 / 10)
    assert rank_sum_greater([1, 1], [1, 1, 1]) == 1.0


@pytest.mark.parametrize(("sample", "reference"), [([], [1.0]), ([1.0], []), ([], [])])
def test_ranks_of_one_side_alone_prove_nothing(sample: list[float], reference: list[float]) -> None:
    assert rank_sum_greater(sample, reference) == 1.0


def test_ranks_drawn_alike_differ_once_in_twenty() -> None:
    random = Random(2)
    p_values = [
        rank_sum_greater(
            [random.gauss(0, 1) for _ in range(5)], [random.gauss(0, 1) for _ in range(9)]
        )
        for _ in range(1000)
    ]
    assert 0.03 <= sum(p_value <= 0.05 for p_value in p_values) / 1000 <= 0.065
