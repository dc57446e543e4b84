"""The number of successes among trials with unequal probabilities."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deferred import DeferredModule
from goldwright.stats.poisson_binomial import MOST_EXACT, poisson_binomial

STATS = DeferredModule("scipy.stats")
PROBABILITIES = st.lists(st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.8, 0.99, 1.0]), max_size=8)


@given(PROBABILITIES)
def test_the_number_of_successes_is_distributed_as_counting_all_outcomes_says(
    probabilities: list[float],
) -> None:
    distribution = poisson_binomial(probabilities)
    expected: dict[int, float] = {}
    for outcomes in product((False, True), repeat=len(probabilities)):
        weight = prod(
            p if is_success else 1 - p
            for p, is_success in zip(probabilities, outcomes, strict=True)
        )
        expected[sum(outcomes)] = expected.get(sum(outcomes), 0.0) + weight
    for count, probability in expected.items():
        fewer, more = distribution.mid_tails(count)
        below = sum(expected[k] for k in expected if k < count)
        above = sum(expected[k] for k in expected if k > count)
        assert fewer == pytest.approx(below + probability / 2, abs=1e-12)
        assert more == pytest.approx(above + probability / 2, abs=1e-12)


def test_of_equal_probabilities_it_is_the_binomial_distribution() -> None:
    distribution = poisson_binomial([0.3] * 900)
    for count in (230, 262, 270, 290):
        expected = STATS.binom.cdf(count - 1, 900, 0.3) + STATS.binom.pmf(count, 900, 0.3) / 2
        assert distribution.mid_tails(count)[0] == pytest.approx(expected, abs=1e-12)


def test_the_normal_distribution_takes_over_where_it_gives_the_same() -> None:
    """Just beyond the border the p-values near 5 % are close to those of scipy's binomial."""
    for n, rate, tolerance in ((1200, 0.7, 0.0015), (26_000, 0.99, 0.004)):
        assert MOST_EXACT < n * rate * (1 - rate) < 1.05 * MOST_EXACT
        for count in (round(n * rate) - 31, round(n * rate) + 31):
            below = STATS.binom.cdf(count - 1, n, rate) + STATS.binom.pmf(count, n, rate) / 2
            expected = 2 * min(below, 1 - below)
            assert 0.03 < expected < 0.08
            p_value = poisson_binomial([rate] * n).p_value(count)
            assert p_value == pytest.approx(expected, abs=tolerance)


def test_an_impossible_count_has_no_probability() -> None:
    distribution = poisson_binomial([1.0, 1.0, 0.0])
    assert [distribution.p_value(count) for count in (0, 1, 2, 3)] == [0.0, 0.0, 1.0, 0.0]
    assert poisson_binomial([]).p_value(0) == 1.0
