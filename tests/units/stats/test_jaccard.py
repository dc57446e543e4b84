"""Overlap of sets."""

from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.jaccard import containment, jaccard

SETS = st.frozensets(st.sampled_from("abcdefgh"))


@given(SETS, SETS)
def test_jaccard_is_symmetric_and_between_0_and_1(
    left: frozenset[str], right: frozenset[str]
) -> None:
    """The order of the sets does not matter."""
    assert jaccard(left, right) == jaccard(right, left)
    assert 0.0 <= jaccard(left, right) <= 1.0


@given(SETS)
def test_a_set_agrees_with_itself(members: frozenset[str]) -> None:
    """Equal sets have index 1, empty ones too."""
    assert jaccard(members, members) == 1.0


def test_four_of_five_is_just_enough_and_three_of_four_is_not() -> None:
    """The threshold of 0.8 lets one of five go and none of four."""
    assert jaccard(frozenset("abcde"), frozenset("abcd")) == 0.8
    assert jaccard(frozenset("abcd"), frozenset("abc")) == 0.75


def test_containment_counts_from_the_new_side() -> None:
    """One of two new targets in a large old set is half, not a tenth."""
    assert containment(frozenset("ab"), frozenset("bcdefgh")) == 0.5
    assert containment(frozenset(), frozenset("a")) == 0.0
