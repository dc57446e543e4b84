"""Exact bounds on the bad records of a batch."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.hypergeometric import (
    SampledStratum,
    smallest_sample,
    stratified_upper_bound,
    upper_bound,
)

CELLS = (6, 4, 2, 6, 4, 2, 6, 4, 2, 6, 4, 1, 5, 2, 2, 2, 2)
THIRTY_EIGHT = (4, 3, 1, 4, 3, 1, 4, 2, 1, 4, 3, 1, 3, 1, 1, 1, 1)
LEVEL = Fraction(1, 20)

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


def found_by_looking(size: int, sampled: int, held: int, catch: Fraction) -> dict[int, Fraction]:
    """The distribution of the number found, one record after the other: drawn or not, found or not."""
    states: dict[tuple[int, int], Fraction] = {(sampled, 0): Fraction(1)}
    for left in range(size, 0, -1):
        is_bad = left <= held
        after: dict[tuple[int, int], Fraction] = {}
        for (to_draw, found), chance in states.items():
            drawn = Fraction(to_draw, left)
            seen = drawn * catch if is_bad else Fraction(0)
            for key, share in (
                ((to_draw, found), 1 - drawn),
                ((to_draw - 1, found + 1), seen),
                ((to_draw - 1, found), drawn - seen),
            ):
                if share:
                    after[key] = after.get(key, Fraction(0)) + chance * share
        states = after
    return {found: chance for (_, found), chance in states.items()}


def at_most(
    bad: int, strata: list[SampledStratum], held: tuple[int, ...], catch: Fraction
) -> Fraction:
    """The chance to find at most so many in all strata together."""
    total = {0: Fraction(1)}
    for stratum, count in zip(strata, held, strict=True):
        joined: dict[int, Fraction] = {}
        for found, chance in found_by_looking(stratum.size, stratum.sampled, count, catch).items():
            for before, earlier in total.items():
                joined[before + found] = joined.get(before + found, Fraction(0)) + chance * earlier
        total = joined
    return sum((chance for found, chance in total.items() if found <= bad), Fraction(0))


def by_enumeration(strata: list[SampledStratum], catch: Fraction = Fraction(1)) -> int:
    bad = sum(stratum.bad for stratum in strata)
    allocations = product(*(range(stratum.size + 1) for stratum in strata))
    return max(sum(held) for held in allocations if at_most(bad, strata, held, catch) >= LEVEL)


def spread(bad: int, sampled: tuple[int, ...]) -> list[SampledStratum]:
    """The cells of the plan with the bad ones found in the first of them."""
    return [
        SampledStratum(size, n, int(rank < bad))
        for rank, (size, n) in enumerate(zip(CELLS, sampled, strict=True))
    ]


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
        every = math.comb(population, sampled)
        assert Fraction(below, every) >= LEVEL
        assert Fraction(above, every) < LEVEL or bound == population


def test_a_chance_of_exactly_the_risk_does_not_refute() -> None:
    # One bad record of 20 stays out of a sample of 19 with a chance of exactly 1/20, which no
    # binary fraction is.
    assert upper_bound(0, 19, 20) == 1
    assert upper_bound(0, 19, 20, alpha=0.0500001) == 0
    assert stratified_upper_bound([SampledStratum(20, 19, 0)]) == 1


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


@given(SAMPLES, st.sampled_from([1.0, 0.85]))
def test_one_stratum_is_a_batch(sample: tuple[int, int, int], sensitivity: float) -> None:
    bad, sampled, population = sample
    bad = min(bad, 3)
    alone = stratified_upper_bound(
        [SampledStratum(population, sampled, bad)], sensitivity=sensitivity
    )
    assert alone == upper_bound(bad, sampled, population, sensitivity=sensitivity)


@pytest.mark.parametrize("sensitivity", ["0.9", "0.7", "0.25"])
@pytest.mark.parametrize(
    ("bad", "sampled", "population"), [(0, 9, 20), (1, 9, 20), (3, 15, 18), (0, 12, 12), (2, 5, 6)]
)
def test_what_a_reviewer_misses_is_thinned_record_by_record(
    bad: int, sampled: int, population: int, sensitivity: str
) -> None:
    bound = upper_bound(bad, sampled, population, sensitivity=float(sensitivity))
    assert bound == by_enumeration(
        [SampledStratum(population, sampled, bad)], Fraction(sensitivity)
    )


def test_a_reviewer_who_finds_nothing_proves_nothing() -> None:
    assert upper_bound(0, 60, 60, sensitivity=0.0) == 60


@given(st.lists(STRATA, min_size=1, max_size=3), st.sampled_from(["1", "0.8"]))
def test_the_stratified_bound_is_the_worst_of_all_allocations(
    strata: list[SampledStratum], sensitivity: str
) -> None:
    bound = stratified_upper_bound(strata, sensitivity=float(sensitivity))
    assert bound == by_enumeration(strata, Fraction(sensitivity))


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
    assert stratified_upper_bound(strata) == by_enumeration(strata)


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
    found = smallest_sample(population, most_bad, bad=bad)
    assert found == fewest
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
        stratified_upper_bound([SampledStratum(9, 5, 0)], sensitivity=value)


def test_a_front_without_vectors_is_refused() -> None:
    with pytest.raises(ValueError, match="a vector or more"):
        stratified_upper_bound([SampledStratum(9, 5, 0)], widest_front=0)
