"""What is known of the answers whose score reaches a threshold."""

import pytest

from goldwright.stats.routed_answers import routed


def test_the_seven_answers_of_the_seeds() -> None:
    """Four of seven: 0.571 [0.18, 0.90]; a true rate of 0.8 gives so few in 14.8 % of cases."""
    points = [(0.8, True)] * 4 + [(0.9, False)] * 3 + [(0.79, True)] * 3
    answers = routed(points, 0.8)
    assert (answers.n, answers.right, answers.coverage, answers.share) == (7, 4, 0.7, 4 / 7)
    assert answers.interval == pytest.approx((0.18405157, 0.90101172), abs=1e-7)
    assert answers.shortfall_p == pytest.approx(0.148032)


def test_nothing_routed_is_no_rate() -> None:
    answers = routed([(0.3, True)], 0.8)
    assert (answers.share, answers.coverage) == (None, 0.0)
    assert (answers.interval, answers.shortfall_p) == ((0.0, 1.0), 1.0)
    assert routed([], 0.8).coverage is None


@pytest.mark.parametrize(
    ("threshold", "right", "expected"), [(0.0, 0, 1.0), (1.0, 2, 1.0), (1.0, 1, 0.0)]
)
def test_thresholds_that_leave_no_doubt(threshold: float, right: int, expected: float) -> None:
    assert routed([(1.0, index < right) for index in range(2)], threshold).shortfall_p == expected


def test_a_threshold_or_a_score_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="threshold lies in"):
        routed([], 1.2)
    with pytest.raises(ValueError, match="point 1"):
        routed([(-0.1, True)], 0.8)
