"""Two systems on the same queries, by hand and by simulated systems of which the truth is known."""

from itertools import product
from operator import mul
from random import Random
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import share_of
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs

values = st.lists(
    st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12
)


def test_five_wins_of_five_are_two_of_thirty_two_ways() -> None:
    """No test of five queries can come below 1 in 16."""
    result = compare_pairs([0.5, 0.25, 0.5, 1.0, 0.1, 0.0], seed=1)
    assert (result.p_value, result.smallest_p) == (2 / 32, 2 / 32)
    assert (result.wins, result.ties, result.losses) == (5, 1, 0)


def test_p_and_interval_are_at_odds_where_one_alone_excludes_that_nothing_differs() -> None:
    """Of five wins alike, Student's interval excludes 0, and no sign flip can."""
    assert compare_pairs([0.2] * 5 + [0.0] * 3, seed=0).is_at_odds
    assert not compare_pairs([0.4] * 5 + [0.1], seed=0).is_at_odds
    assert not compare_pairs([0.4], seed=0).is_at_odds


def test_equal_systems_show_nothing() -> None:
    result = compare_pairs([0.0] * 30, seed=1)
    assert (result.p_value, result.mean, result.interval, result.smallest_detectable) == (
        1.0,
        0.0,
        (0.0, 0.0),
        None,
    )
    assert compare_pairs([0.5], seed=1).interval is None
    with pytest.raises(ValueError, match="at least one query"):
        compare_pairs([], seed=1)


@given(values)
def test_the_exact_p_value_is_that_of_counting_all_ways(differences: list[float]) -> None:
    observed = abs(sum(differences))
    sums = [
        abs(sum(map(mul, signs, differences)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    as_far = sum(total >= observed - 1e-12 for total in sums)
    assert compare_pairs(differences, seed=1).p_value == pytest.approx(as_far / len(sums))


@given(values)
def test_the_other_way_round_says_the_same_of_the_other_system(differences: list[float]) -> None:
    forwards = compare_pairs(differences, seed=1)
    backwards = compare_pairs([-difference for difference in differences], seed=1)
    assert forwards.p_value == backwards.p_value
    assert (forwards.mean, forwards.wins) == (-backwards.mean, backwards.losses)


def test_the_interval_is_students() -> None:
    """Worked by hand: mean 0.2, sd 0.2739, t(4) = 2.776."""
    result = compare_pairs([0.5, 0.5, 0.0, 0.0, 0.0], seed=1)
    assert result.interval == pytest.approx((-0.1401, 0.5401), abs=1e-4)


def rounds(count: int, shift: float, n: int, seed: int) -> list[list[float]]:
    """Differences of two simulated retrievers' reciprocal ranks, moved by a constant."""
    random = Random(seed)
    ranks = [1, 1, 1 / 2, 1 / 2, 1 / 3, 1 / 4, 1 / 7, 0]
    return [
        [random.choice(ranks) - random.choice(ranks) + shift for _ in range(n)]
        for _ in range(count)
    ]


def share_of_significant(results: list[PairedDifference]) -> float:
    return sum(result.p_value <= 0.05 for result in results) / len(results)


def test_equal_retrievers_are_seldom_told_apart_and_their_interval_covers_the_truth() -> None:
    """With four standard errors of room around 5 % and 95 %, of 300 rounds and of the first 100."""
    results = [
        compare_pairs(differences, seed=number)
        for number, differences in enumerate(rounds(share_of(300, suite=100), 0.0, 40, 3))
    ]
    assert share_of_significant(results) <= 0.1
    intervals = [result.interval for result in results if result.interval]
    covering = sum(low <= 0 <= high for low, high in intervals)
    assert 0.9 <= covering / len(results) <= 0.99


def test_a_difference_of_the_printed_size_is_shown_four_times_of_five() -> None:
    sample = rounds(1, 0.0, 4000, 5)[0]
    size = (2.0211 + 0.8512) * stdev(sample) / 40**0.5
    printed = [
        compare_pairs(differences, seed=1).smallest_detectable or 0
        for differences in rounds(40, 0.0, 40, 7)
    ]
    assert sum(printed) / len(printed) == pytest.approx(size, rel=0.05)
    results = [
        compare_pairs(differences, seed=number)
        for number, differences in enumerate(rounds(share_of(200, suite=100), size, 40, 11))
    ]
    assert 0.7 <= share_of_significant(results) <= 0.9
