"""Several differences tested together: by hand, against one alone, and by simulated systems."""

from itertools import combinations, product
from math import fsum, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import share_of
from goldwright.stats.letter_groups import letter_groups
from goldwright.stats.max_t import max_t
from goldwright.stats.paired_comparison import compare_pairs

rows = st.lists(
    st.tuples(*[st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5])] * 3), min_size=1, max_size=7
)
NAMES = ("MRR", "R@10", "P@1")


def columns_of(values: list[tuple[float, ...]]) -> dict[str, list[float]]:
    """The rows of queries as columns of measures."""
    return {name: [row[place] for row in values] for place, name in enumerate(NAMES)}


def test_seven_lost_and_none_won_of_sixty_is_shown_over_several_measures() -> None:
    """Measures that fall together cost nothing: 2 of 128 choices of signs are as far."""
    lost = [-1.0] * 7 + [0.0] * 53
    smaller = [-0.4] * 7 + [0.0] * 53
    adjusted = max_t({"MRR": lost, "nDCG@10": smaller, "R@10": lost}, seed=0)
    assert set(adjusted.values()) == {2 / 128}


@given(rows)
def test_one_column_is_the_sign_flip_test(values: list[tuple[float, ...]]) -> None:
    column = columns_of(values)["MRR"]
    alone = compare_pairs(column, seed=1).p_value
    assert max_t({"MRR": column}, seed=1)["MRR"] == pytest.approx(alone)


@given(rows)
def test_p_values_are_those_of_counting_all_choices_step_by_step(
    values: list[tuple[float, ...]],
) -> None:
    columns = columns_of(values)
    adjusted = max_t(columns, seed=1)

    def statistic(name: str, signs: tuple[int, ...]) -> float:
        scale = sqrt(fsum(value**2 for value in columns[name]))
        total = fsum(sign * value for sign, value in zip(signs, columns[name], strict=True))
        return abs(total) / scale if scale else 0.0

    unflipped = (1,) * len(values)
    ordered = sorted(NAMES, key=lambda name: statistic(name, unflipped), reverse=True)
    choices = list(product((1, -1), repeat=len(values)))
    expected = 0.0
    for place, name in enumerate(ordered):
        observed = statistic(name, unflipped) - 1e-9
        as_large = sum(
            max(statistic(left, signs) for left in ordered[place:]) >= observed for signs in choices
        )
        expected = max(expected, as_large / len(choices))
        assert adjusted[name] == pytest.approx(expected)


@given(rows)
def test_no_p_value_is_below_that_of_the_column_alone(values: list[tuple[float, ...]]) -> None:
    columns = columns_of(values)
    adjusted = max_t(columns, seed=1)
    for name, column in columns.items():
        assert adjusted[name] >= compare_pairs(column, seed=1).p_value - 1e-12


def test_columns_of_different_queries_are_refused() -> None:
    with pytest.raises(ValueError, match="the same queries"):
        max_t({"MRR": [0.5], "R@10": [0.5, 0.0]}, seed=0)


def test_equal_systems_are_rarely_told_apart() -> None:
    """Five systems, ten pairs, nothing between them: at most about 5 % of tables show a pair."""
    chance = Random(11)
    false_alarms = 0
    trials = share_of(60, suite=16)
    for _ in range(trials):
        systems = [[chance.choice([0.0, 0.5, 1.0]) for _ in range(30)] for _ in range(5)]
        columns = {
            f"{first}-{second}": [
                a - b for a, b in zip(systems[first], systems[second], strict=True)
            ]
            for first, second in combinations(range(5), 2)
        }
        false_alarms += min(max_t(columns, seed=1).values()) <= 0.05
    # 8 or more of 60 and 4 or more of 16 have a probability of 1 % where the true rate is 5 %.
    assert false_alarms < share_of(8, suite=4)


class TestLetterGroups:
    """Which systems are not told apart."""

    def test_nothing_shown_is_one_group_and_everything_shown_is_one_group_each(self) -> None:
        names = ["a", "b", "c"]
        assert letter_groups(names, set()) == [names]
        pairs = set(map(frozenset, combinations(names, 2)))
        assert letter_groups(names, pairs) == [["a"], ["b"], ["c"]]

    def test_a_system_between_two_that_differ_stands_with_both(self) -> None:
        shown = {frozenset(("a", "c"))}
        assert letter_groups(["a", "b", "c"], shown) == [["a", "b"], ["b", "c"]]

    @given(st.integers(1, 7), st.data())
    def test_two_share_a_group_exactly_where_their_pair_is_not_shown(
        self, count: int, data: st.DataObject
    ) -> None:
        names = [f"s{number}" for number in range(count)]
        pairs = list(map(frozenset, combinations(names, 2)))
        shown = {pair for pair in pairs if data.draw(st.booleans())}
        groups = letter_groups(names, shown)
        assert set().union(*groups) == set(names)
        for pair in pairs:
            assert (pair in shown) is not any(pair <= set(group) for group in groups)
        assert not any(
            set(first) <= set(second) for first in groups for second in groups if first != second
        )
