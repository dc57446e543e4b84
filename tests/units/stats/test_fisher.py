"""The exact comparison of two rates."""

import pytest

from goldwright.stats.fisher import fisher_greater


@pytest.mark.parametrize(
    ("bad", "total", "other_bad", "other_total", "p_value"),
    [
        (3, 4, 1, 4, 17 / 70),  # the lady who tasted tea
        (4, 4, 0, 4, 1 / 70),
        (1, 4, 3, 4, 69 / 70),
        (2, 3, 0, 7, 1 / 15),  # C(3, 2) of C(10, 2)
        (0, 5, 4, 6, 1.0),
        (5, 5, 6, 6, 1.0),
    ],
)
def test_the_p_value_is_that_of_the_margins_dealt_at_random(
    bad: int, total: int, other_bad: int, other_total: int, p_value: float
) -> None:
    assert fisher_greater(bad, total, other_bad, other_total) == pytest.approx(p_value, abs=1e-15)


@pytest.mark.parametrize("empty", [(0, 0, 3, 9), (3, 9, 0, 0), (0, 0, 0, 0)])
def test_a_side_without_records_proves_nothing(empty: tuple[int, int, int, int]) -> None:
    assert fisher_greater(*empty) == 1.0


def test_more_bad_ones_on_the_first_side_prove_more() -> None:
    p_values = [fisher_greater(bad, 17, 2, 60) for bad in range(18)]
    assert p_values == sorted(p_values, reverse=True)
    assert p_values[0] == 1.0
    assert p_values[17] < 1e-12


@pytest.mark.parametrize("counts", [(-1, 3, 0, 3), (4, 3, 0, 3), (0, 3, 4, 3), (0, 3, -1, 3)])
def test_what_is_no_count_is_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="no count of bad ones"):
        fisher_greater(*counts)
