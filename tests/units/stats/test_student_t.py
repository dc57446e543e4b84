"""Student's t distribution."""

import pytest

from goldwright.stats.student_t import student_quantile


@pytest.mark.parametrize(
    ("probability", "freedom", "quantile"),
    [
        (0.975, 1, 12.7062),
        (0.975, 2, 4.30265),
        (0.975, 3, 3.18245),
        (0.95, 4, 2.13185),
        (0.975, 10, 2.22814),
        (0.9975, 6, 4.31683),
        (0.995, 7, 3.49948),
        (0.8, 13, 0.870152),
        (0.975, 48, 2.01063),
        (0.975, 1000, 1.96234),
        (0.5, 5, 0.0),
    ],
)
def test_quantiles_are_those_of_the_tables(
    probability: float, freedom: int, quantile: float
) -> None:
    assert student_quantile(probability, freedom) == pytest.approx(quantile, rel=1e-5, abs=1e-9)
    assert student_quantile(1 - probability, freedom) == pytest.approx(
        -quantile, rel=1e-5, abs=1e-9
    )


@pytest.mark.parametrize(("probability", "freedom"), [(0.0, 3), (1.0, 3), (0.5, 0), (-0.1, 2)])
def test_what_has_no_quantile_is_refused(probability: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        student_quantile(probability, freedom)
