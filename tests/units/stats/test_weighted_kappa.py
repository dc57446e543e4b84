"""Weighted kappa against its definition."""

from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.weighted_kappa import compare_grades, weighted_kappa

GRADES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def by_definition(grades: list[tuple[int, int]]) -> float | None:
    n = len(grades)
    observed = sum((first - second) ** 2 for first, second in grades) / n
    chance = sum((a - b) ** 2 for a, _ in grades for _, b in grades) / n**2
    return None if not chance else 1 - observed / chance


@given(GRADES)
def test_it_is_one_less_the_observed_over_the_expected_squares(
    grades: list[tuple[int, int]],
) -> None:
    ours, theirs = weighted_kappa(grades), by_definition(grades)
    if theirs is None:
        assert ours is None
    else:
        assert ours is not None
        assert abs(ours - theirs) < 1e-9


def test_perfect_and_opposite_raters() -> None:
    assert weighted_kappa([(0, 0), (3, 3)]) == 1
    assert weighted_kappa([(0, 3), (3, 0)]) == -1


def test_an_interval_holds_kappa_and_owes_nothing_to_the_order() -> None:
    grades = [(0, 0), (1, 1), (2, 3), (3, 3), (1, 0), (2, 2)] * 5
    agreement = compare_grades(grades, seed=4)
    assert agreement == compare_grades(list(reversed(grades)), seed=4)
    assert agreement.interval is not None
    assert agreement.kappa is not None
    assert agreement.interval[0] < agreement.kappa < agreement.interval[1]


def test_no_pairs_have_no_kappa() -> None:
    assert compare_grades([], seed=0).kappa is None
