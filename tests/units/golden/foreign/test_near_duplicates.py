"""Records that resemble an earlier one are all found, and in time."""

import time
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldwright.golden.foreign.near_duplicates import mostly_contained, nearly_repeated

SETS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), max_size=12)


def sets(*texts: str) -> list[frozenset[str]]:
    """Make a set of the letters of each text."""
    return [frozenset(text) for text in texts]


@pytest.mark.parametrize(
    ("targets", "found"),
    [
        (sets("ab", "a"), {1: 0}),
        (sets("a", "ab"), {}),
        (sets("abc", "abd"), {1: 0}),
        (sets("abc", "ade"), {}),
        (sets("abcd", "abef"), {}),
        (sets("abcd", "abce"), {1: 0}),
        (sets("xa", "xb", "xc", "x"), {3: 0}),
        (sets("abc", "ab", "ab"), {1: 0, 2: 1}),
        (sets("", "", "a"), {}),
    ],
)
def test_more_than_half_of_the_targets_in_one_earlier_set_is_found(
    targets: Sequence[frozenset[str]], found: Mapping[int, int]
) -> None:
    assert mostly_contained(targets) == found


@given(SETS)
@example(sets("abcdef", "abcd", "adef"))
def test_no_set_is_lost_by_looking_up_the_rarest_alone(targets: list[frozenset[str]]) -> None:
    wanted = {
        later
        for later, mine in enumerate(targets)
        if any(2 * len(mine & targets[earlier]) > len(mine) for earlier in range(later))
    }
    found = mostly_contained(targets)
    assert set(found) == wanted
    assert all(
        2 * len(targets[later] & targets[earlier]) > len(targets[later])
        for later, earlier in found.items()
    )


@pytest.mark.parametrize(
    "targets",
    [
        [frozenset({"shop.py", f"x{n}.py"}) for n in range(24_000)],
        [frozenset({"shop.py"})] * 24_000,
        [frozenset({"shop.py", "till.py", f"x{n}.py", f"y{n}.py"}) for n in range(24_000)],
        [frozenset({"shop.py", "till.py", f"x{n}.py"}) for n in range(24_000)],
    ],
    ids=["one shared of two", "the same one", "two shared of four", "two shared of three"],
)
def test_a_target_that_all_records_share_costs_no_more_than_reading_them(
    targets: list[frozenset[str]],
) -> None:
    since = time.process_time()
    mostly_contained(targets)
    assert time.process_time() - since < 4


def test_one_word_in_every_query_costs_no_more_than_reading_them() -> None:
    queries = [f"where does the shop keep article number{n} of kind{n}" for n in range(12_000)]
    since = time.process_time()
    assert nearly_repeated(queries) == {}
    assert time.process_time() - since < 4
