"""Exact bounds on the bad records of a batch whose strata were sampled separately."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.hypergeometric import SampledStratum, upper_bound
from goldwright.stats.stratified_bound import stratified_upper_bound
from units.stats.enumerated_bound import enumerated_bound

CELLS = (6, 4, 2, 6, 4, 2, 6, 4, 2, 6, 4, 1, 5, 2, 2, 2, 2)
THIRTY_EIGHT = (4, 3, 1, 4, 3, 1, 4, 2, 1, 4, 3, 1, 3, 1, 1, 1, 1)

SAMPLES = st.integers(0, 60).flatmap(
    lambda size: st.integers(0, size).flatmap(
        lambda sampled: st.tuples(st.integers(0, sampled), st.just(sampled), st.just(size))
    )
)
STRATA = st.integers(1, 4).flatmap(
    lambda size: st.integers(0, size).flatmap(
        lambda sampled: st.builds(
            SampledStratum, st.just(size), st.just(sampled), st.integers(0, min(1, sampled))
        )
    )
)


def spread(bad: int, sampled: tuple[int, ...]) -> list[SampledStratum]:
    """The cells of the plan with the bad ones found in the first of them."""
    return [
        SampledStratum(size, n, int(rank < bad))
        for rank, (size, n) in enumerate(zip(CELLS, sampled, strict=True))
    ]


def test_a_chance_of_exactly_the_risk_does_not_refute_a_stratum() -> None:
    # One bad record of 20 stays out of a sample of 19 with a chance of exactly 1/20.
    assert stratified_upper_bound([SampledStratum(20, 19, 0)]) == 1


@given(SAMPLES, st.sampled_from([1.0, 0.85]))
def test_one_stratum_is_a_batch(sample: tuple[int, int, int], sensitivity: float) -> None:
    bad, sampled, population = sample
    bad = min(bad, 3)
    alone = stratified_upper_bound(
        [SampledStratum(population, sampled, bad)], sensitivity=sensitivity
    )
    assert alone == upper_bound(bad, sampled, population, sensitivity=sensitivity)


@given(st.lists(STRATA, min_size=1, max_size=3), st.sampled_from(["1", "0.8"]))
def test_the_stratified_bound_is_the_worst_of_all_allocations(
    strata: list[SampledStratum], sensitivity: str
) -> None:
    bound = stratified_upper_bound(strata, sensitivity=float(sensitivity))
    assert bound == enumerated_bound(strata, Fraction(sensitivity))


@pytest.mark.parametrize(
    "strata",
    [
        [
            SampledStratum(5, 2, 1),
            SampledStratum(4, 1, 1),
            SampledStratum(3, 2, 0),
            SampledStratum(2, 1, 0),
        ],
        [SampledStratum(6, 3, 2), SampledStratum(5, 2, 1), SampledStratum(4, 2, 0)],
        [
            SampledStratum(3, 1, 0),
            SampledStratum(3, 1, 0),
            SampledStratum(3, 1, 0),
            SampledStratum(2, 2, 0),
            SampledStratum(2, 0, 0),
        ],
    ],
)
def test_larger_strata_agree_with_enumeration_too(strata: list[SampledStratum]) -> None:
    assert stratified_upper_bound(strata) == enumerated_bound(strata)


@pytest.mark.parametrize(("bad", "bound"), [(0, 13), (1, 19), (2, 25), (3, 30)])
def test_one_of_each_cell_of_sixty(bad: int, bound: int) -> None:
    assert stratified_upper_bound(spread(bad, (1,) * 17)) == bound


@pytest.mark.parametrize("bad", [0, 1, 2, 3])
def test_thirty_eight_over_the_cells_leave_more_room_than_thirty_eight_at_random(bad: int) -> None:
    # The cells of one in two are the places to hide, so the worst allocation beats the draw from
    # the whole.
    strata = spread(bad, THIRTY_EIGHT)
    assert sum(stratum.sampled for stratum in strata) == 38
    assert stratified_upper_bound(strata) > upper_bound(bad, 38, 60)


def test_unsampled_strata_count_as_bad_throughout() -> None:
    sampled = [SampledStratum(6, 2, 0), SampledStratum(4, 2, 1)]
    alone = stratified_upper_bound(sampled)
    assert (
        stratified_upper_bound([SampledStratum(7, 0, 0), *sampled, SampledStratum(3, 0, 0)])
        == alone + 10
    )
    assert stratified_upper_bound([SampledStratum(7, 0, 0)]) == 7
    assert stratified_upper_bound([]) == 0


@pytest.mark.parametrize("widest", [1, 2, 5, 12])
@pytest.mark.parametrize(("bad", "bound"), [(1, 19), (2, 25), (3, 30)])
def test_a_front_that_is_cut_short_never_lowers_the_bound(
    bad: int, bound: int, widest: int
) -> None:
    assert stratified_upper_bound(spread(bad, (1,) * 17), widest_front=widest) >= bound


def test_one_vector_is_all_that_no_bad_records_need() -> None:
    assert stratified_upper_bound(spread(0, (1,) * 17), widest_front=1) == 13


def test_a_batch_of_a_hundred_and_eighty_stays_close_to_its_bound() -> None:
    strata = [
        SampledStratum(3 * size, max(1, size // 2), int(rank < 3))
        for rank, size in enumerate(CELLS)
    ]
    # With every vector kept, 2577 of them at the widest, the bound is 42.
    assert 42 <= stratified_upper_bound(strata) <= 43


@pytest.mark.parametrize("sensitivity", [1.0, 0.8])
def test_a_true_number_is_covered_at_least_as_often_as_promised(sensitivity: float) -> None:
    random = Random(17)
    strata = [(6, 2), (4, 1), (5, 2), (3, 1)]
    bounds = {
        bad: stratified_upper_bound(
            [SampledStratum(size, n, int(rank < bad)) for rank, (size, n) in enumerate(strata)],
            sensitivity=sensitivity,
        )
        for bad in range(5)
    }
    for held in ((4, 3, 3, 2), (6, 0, 5, 0), (3, 4, 2, 3), (2, 2, 2, 1)):
        draws = [found_in(random, strata, held, sensitivity) for _ in range(1000)]
        covered = sum(found > 4 or sum(held) <= bounds[found] for found in draws)
        assert covered >= 0.95 * 1000


def found_in(
    random: Random, strata: list[tuple[int, int]], held: tuple[int, ...], sensitivity: float
) -> int:
    return sum(
        random.random() < sensitivity
        for (size, sampled), bad in zip(strata, held, strict=True)
        for record in random.sample(range(size), sampled)
        if record < bad
    )


def test_a_front_without_vectors_is_refused() -> None:
    with pytest.raises(ValueError, match="a vector or more"):
        stratified_upper_bound([SampledStratum(9, 5, 0)], widest_front=0)
