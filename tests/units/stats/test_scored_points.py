"""Scores with their outcomes, and how many are drawn."""

import pytest

from goldwright.stats.scored_points import check_points, default_draws


@pytest.mark.parametrize(
    ("n", "draws"), [(0, 999), (1000, 999), (2000, 999), (10_000, 199), (1_000_000, 99)]
)
def test_fewer_draws_are_made_of_more_points(n: int, draws: int) -> None:
    assert default_draws(n) == draws


def test_the_first_score_out_of_range_is_named() -> None:
    with pytest.raises(ValueError, match=r"point 2: wanted a score from 0 to 1; found 1\.5"):
        check_points([(0.5, True), (1.5, True), (-1.0, True)])
    with pytest.raises(ValueError, match="point 1: wanted a score from 0 to 1; found nan"):
        check_points([(float("nan"), True)])
