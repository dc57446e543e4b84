"""Exact bounds on the bad records of a batch."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.hypergeometric import SampledStratum, smallest_sample, upper_bound
from units.stats.enumerated_bound import LEVEL, enumerated_bound

SAMPLES = st.integers(0, 60).flatmap(
    lambda size: st.integers(0, size).flatmap(
        lambda sampled: st.tuples(st.integers(0, sampled), st.just(sampled), st.just(size))
    )
)


@pytest.mark.parametrize(
    ("population", "sampled", "bounds"),
    [
        (60, 2, [46, 58, 60]),
        (60, 9, [15, 24, 31, 38]),
        (60, 17, [8, 13, 17, 21]),
        (60, 23, [5, 9, 13, 16]),
        (60, 30, [4, 7, 9, 12]),
        (60, 38, [2, 5, 7, 9]),
        (40, 2, [30, 39, 40]),
        (40, 9, [10, 15, 20, 24]),
        (40, 17, [5, 8, 11, 13]),
        (40, 23, [3, 5, 7, 9]),
        (40, 30, [2, 3, 5, 7]),
        (40, 38, [1, 2, 3, 4]),
    ],
)
def test_the_bound_is_the_last_number_that_the_sample_does_not_refute(
    population: int, sampled: int, bounds: list[int]
) -> None:
    for bad, bound in enumerate(bounds):
        assert upper_bound(bad, sampled, population) == bound
        below, above = (
            sum(
                math.comb(held, x) * math.comb(population - held, sampled - x)
                for x in range(bad + 1)
            )
            for held in (bound, min(bound + 1, population))
        )
        all_samples = math.comb(population, sampled)
        assert Fraction(below, all_samples) >= LEVEL
        assert Fraction(above, all_samples) < LEVEL or bound == population


def test_a_chance_of_exactly_the_risk_does_not_refute() -> None:
    # One bad record of 20 stays out of a sample of 19 with a chance of exactly 1/20, which no
    # binary fraction is.
    assert upper_bound(0, 19, 20) == 1
    assert upper_bound(0, 19, 20, alpha=0.0500001) == 0


def test_nothing_sampled_excludes_nothing_and_all_sampled_leaves_nothing() -> None:
    assert upper_bound(0, 0, 60) == 60
    assert upper_bound(3, 60, 60) == 3
    assert upper_bound(0, 0, 0) == 0


@given(SAMPLES, st.sampled_from([1.0, 0.9, 0.5]))
def test_the_bound_holds_what_was_found_and_a_blinder_reviewer_raises_it(
    sample: tuple[int, int, int], sensitivity: float
) -> None:
    bad, sampled, population = sample
    sharp = upper_bound(bad, sampled, population)
    blunt = upper_bound(bad, sampled, population, sensitivity=sensitivity)
    assert bad <= sharp <= population - (sampled - bad)
    assert sharp <= blunt <= population


@pytest.mark.parametrize("sensitivity", ["0.9", "0.7", "0.25"])
@pytest.mark.parametrize(
    ("bad", "sampled", "population"), [(0, 9, 20), (1, 9, 20), (3, 15, 18), (0, 12, 12), (2, 5, 6)]
)
def test_what_a_reviewer_misses_is_thinned_record_by_record(
    bad: int, sampled: int, population: int, sensitivity: str
) -> None:
    bound = upper_bound(bad, sampled, population, sensitivity=float(sensitivity))
    assert bound == enumerated_bound(
        [SampledStratum(population, sampled, bad)], Fraction(sensitivity)
    )


def test_a_reviewer_who_finds_nothing_proves_nothing() -> None:
    assert upper_bound(0, 60, 60, sensitivity=0.0) == 60


@pytest.mark.parametrize(
    ("population", "most_bad", "bad", "fewest"),
    [
        (60, 2, 0, 38),
        (40, 1, 0, 31),
        (60, 5, 1, 34),
        (60, 4, 0, 27),
        (60, 0, 0, 58),
        (60, 60, 0, 0),
        (60, 3, 3, 60),
    ],
)
def test_the_smallest_sample_that_shows_enough(
    population: int, most_bad: int, bad: int, fewest: int
) -> None:
    assert smallest_sample(population, most_bad, bad=bad) == fewest
    assert upper_bound(bad, fewest, population) <= most_bad
    assert fewest == bad or upper_bound(bad, fewest - 1, population) > most_bad


def test_no_sample_shows_fewer_bad_records_than_it_finds() -> None:
    assert smallest_sample(60, 2, bad=3) is None


@pytest.mark.parametrize(
    ("bad", "sampled", "population"), [(-1, 5, 9), (6, 5, 9), (0, 10, 9), (0, -1, 9)]
)
def test_what_is_no_sample_is_refused(bad: int, sampled: int, population: int) -> None:
    with pytest.raises(ValueError, match="no counts of a sample"):
        upper_bound(bad, sampled, population)
    with pytest.raises(ValueError, match="no counts of a sample"):
        SampledStratum(population, sampled, bad)


def test_more_bad_records_than_records_are_refused() -> None:
    with pytest.raises(ValueError, match="no counts of a sample"):
        smallest_sample(5, 9, bad=6)


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_a_risk_or_a_sensitivity_out_of_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="a risk lies between"):
        upper_bound(0, 5, 9, alpha=value)
    with pytest.raises(ValueError, match="a sensitivity lies between"):
        upper_bound(0, 5, 9, sensitivity=value)
