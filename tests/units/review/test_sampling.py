"""The sample: how large it is, who is in it, and that nobody's hand is in it."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from goldwright.plan import Cell, Plan
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.review.sampling import draw_sample, sample_size
from units.review.batches import EASY, HARD, PHASE_1, a_plan, numbered, phase_1_cells

SIXTY = tuple(phase_1_cells().items())
PHASE_2 = a_plan(
    {EASY: 20, HARD: 20}, sample_share=0.05, sample_every_cell=False, major_ceiling=0.03
)
FORTY = tuple(numbered({EASY: 20, HARD: 20}).items())

cells = st.sampled_from(
    [Cell(task_type, difficulty) for task_type in TASK_TYPES for difficulty in DIFFICULTIES]
)
populations = st.lists(cells, max_size=80).map(
    lambda cells: tuple((f"q{number}", cell) for number, cell in enumerate(cells, start=1))
)


def test_sixty_records_of_seventeen_cells_give_one_of_each_cell() -> None:
    of = dict(SIXTY)
    assert len(SIXTY) == 60
    for seed in range(50):
        drawn = draw_sample(SIXTY, PHASE_1, seed=str(seed))
        assert len(drawn) == 17
        assert Counter(Counter(of[query_id] for query_id in drawn).values()) == {1: 17}


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, 0), (1, 1), (2, 2), (13, 2), (14, 3), (20, 3), (21, 4), (100, 15), (101, 16)],
)
def test_the_share_is_rounded_up_and_exact_where_it_comes_out_even(
    size: int, expected: int
) -> None:
    population = [(f"q{number}", (EASY, HARD)[number % 2]) for number in range(size)]
    assert sample_size(population, PHASE_1) == expected
    assert len(draw_sample(population, PHASE_1, seed="1")) == expected


def test_with_more_than_the_cells_ask_for_every_cell_is_sampled_about_as_thickly() -> None:
    population = numbered({EASY: 150, HARD: 50})
    drawn = draw_sample(tuple(population.items()), PHASE_1, seed="7")
    taken = Counter(population[query_id] for query_id in drawn)
    assert len(drawn) == 30
    assert (taken[EASY], taken[HARD]) in {(22, 8), (23, 7)}


def test_a_share_of_five_percent_without_cells_takes_two_of_forty() -> None:
    for seed in range(50):
        drawn = draw_sample(FORTY, PHASE_2, seed=str(seed))
        assert len(set(drawn)) == 2


def test_without_cells_every_pair_has_the_same_chance() -> None:
    """That is what the hypergeometric bound is exact for: two records of one cell are drawn as
    often as any two.
    """
    plan = a_plan({EASY: 5}, sample_share=0.4, sample_every_cell=False)
    counts = Counter(draw_sample(FORTY[:5], plan, seed=str(seed)) for seed in range(4000))
    assert len(counts) == 10
    assert all(310 < count < 490 for count in counts.values())


def test_within_a_cell_every_record_has_the_same_chance() -> None:
    counts = Counter(
        query_id for seed in range(3000) for query_id in draw_sample(SIXTY, PHASE_1, seed=f"{seed}")
    )
    easy = [counts[query_id] for query_id, cell in SIXTY if cell == EASY]
    only = [counts[query_id] for query_id, cell in SIXTY if cell == Cell("review", "easy")]
    assert len(easy) == 6
    assert sum(easy) == 3000
    assert all(380 < count < 620 for count in easy)
    assert only == [3000]


def test_without_cells_every_record_has_the_same_chance() -> None:
    uneven = tuple(numbered({EASY: 33, HARD: 7}).items())
    counts = Counter(
        query_id
        for seed in range(4000)
        for query_id in draw_sample(uneven, PHASE_2, seed=f"{seed}")
    )
    assert sum(counts.values()) == 8000
    assert all(120 < counts[query_id] < 280 for query_id, _ in uneven)


@given(populations, st.integers(), st.randoms(use_true_random=False))
def test_the_order_of_the_population_makes_no_difference(
    population: tuple[tuple[str, Cell], ...], seed: int, chance: Random
) -> None:
    turned = list(population)
    chance.shuffle(turned)
    for plan in (PHASE_1, PHASE_2):
        assert draw_sample(turned, plan, seed=str(seed)) == draw_sample(
            population, plan, seed=str(seed)
        )


@given(populations, st.integers())
def test_a_sample_is_part_of_its_population_without_doubles_and_touches_every_cell(
    population: tuple[tuple[str, Cell], ...], seed: int
) -> None:
    of = dict(population)
    drawn = draw_sample(population, PHASE_1, seed=str(seed))
    assert len(drawn) == len(set(drawn)) == sample_size(population, PHASE_1)
    assert {of[query_id] for query_id in drawn} == set(of.values())
    assert 100 * len(drawn) >= 15 * len(population)
    assert list(drawn) == sorted(drawn)
    thin = draw_sample(population, PHASE_2, seed=str(seed))
    assert set(thin) <= of.keys()
    assert 100 * len(thin) >= 5 * len(population) > 100 * (len(thin) - 1)


def test_one_seed_draws_one_sample_and_another_round_another() -> None:
    first = draw_sample(SIXTY, PHASE_1, seed="5:sample:1")
    assert draw_sample(SIXTY, PHASE_1, seed="5:sample:1") == first
    assert draw_sample(SIXTY, PHASE_1, seed="5:sample:2") != first
    assert len({draw_sample(SIXTY, PHASE_1, seed=f"5:sample:{turn}") for turn in range(20)}) == 20


def test_nothing_is_drawn_from_nothing() -> None:
    assert draw_sample((), PHASE_1, seed="1") == draw_sample((), PHASE_2, seed="1") == ()


@pytest.mark.parametrize("plan", [PHASE_1, PHASE_2])
def test_a_batch_of_one_is_its_own_sample(plan: Plan) -> None:
    assert draw_sample((("q1", EASY),), plan, seed="1") == ("q1",)


@pytest.mark.parametrize(
    "field",
    [
        {"major_ceiling": 0.0501},
        {"minor_ceiling": 0.1501},
        {"major_ceiling": 0.0},
        {"minor_ceiling": 1},
    ],
)
def test_a_plan_cannot_raise_a_ceiling(field: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="ceiling"):
        a_plan({EASY: 1}, **field)


def test_a_plan_may_lower_a_ceiling() -> None:
    assert (PHASE_1.major_ceiling, PHASE_1.minor_ceiling) == (0.05, 0.15)
    assert a_plan({EASY: 1}, major_ceiling=0.01).major_ceiling == 0.01


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1])
def test_a_sample_share_is_a_share(share: float) -> None:
    with pytest.raises(ValidationError, match="sample_share"):
        a_plan({EASY: 1}, sample_share=share)
