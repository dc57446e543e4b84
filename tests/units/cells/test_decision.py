"""A better cell replaces the baseline, and chance does not."""

import pytest

from benchmarks.cells_simulations import replaced_share, simulate
from goldwright.cells.decision import CellResult, choose, compare_cells, explain
from goldwright.cells.measures import MRR, NDCG, RECALL, CellMeasures

QUERIES = [f"q{place}" for place in range(30)]
ORIGINS = dict.fromkeys(QUERIES, "hand")


def cell(name: str, gain: float, *, loss: float = 0.0, spread: float = 0.05) -> CellMeasures:
    """A cell that gains so much nDCG@10 on average, and loses so much recall@10."""
    noise = [spread if place % 2 else -spread for place in range(len(QUERIES))]
    if name == "base":
        noise = [0.0] * len(QUERIES)
    ndcg = [0.5 + gain + extra for extra in noise]
    recall = [0.5 - loss] * len(QUERIES)
    values = {
        NDCG: dict(zip(QUERIES, ndcg, strict=True)),
        RECALL: dict(zip(QUERIES, recall, strict=True)),
        MRR: dict.fromkeys(QUERIES, 0.5),
    }
    return CellMeasures(name, values, 1.0, 0.0)


def deployed(*cells: CellMeasures) -> str:
    return choose(compare_cells([cell("base", 0.0), *cells], ORIGINS, seed=0)).cell


def test_a_cell_that_gains_enough_beyond_chance_is_deployed() -> None:
    assert deployed(cell("equal", 0.0), cell("better", 0.06)) == "better"


def test_of_two_better_ones_the_best_is_deployed() -> None:
    assert deployed(cell("good", 0.06), cell("best", 0.1)) == "best"


@pytest.mark.parametrize(
    "rejected",
    [
        cell("small", 0.019, spread=0.001),
        cell("forgetful", 0.1, loss=0.021),
        cell("unsure", 0.03, spread=0.4),
        cell("worse", -0.1),
    ],
    ids=lambda measures: measures.cell,
)
def test_the_baseline_stays_where_rule_or_chance_say_no(rejected: CellMeasures) -> None:
    assert deployed(rejected) == "base"


def test_the_edges_of_the_rule_count_as_met() -> None:
    assert deployed(cell("edge", 0.02, loss=0.02, spread=0.001)) == "edge"


def test_what_chance_explains_is_said_beside_the_rule() -> None:
    results = compare_cells([cell("base", 0.0), cell("unsure", 0.03, spread=0.4)], ORIGINS, seed=0)
    sentences = " ".join(explain(results))
    assert "unsure meets the rule (+0.030), but chance explains as much" in sentences
    assert "could not have shown a gain of 0.02" in sentences


def test_a_cell_that_equals_the_baseline_on_all_queries_shows_nothing() -> None:
    twin = cell("base", 0.0)
    twin = CellMeasures("twin", twin.values, 1.0, 0.0)
    result: CellResult = compare_cells([cell("base", 0.0), twin], ORIGINS, seed=0)[1]
    assert (result.adjusted_p, result.is_shown, result.is_flagged) == (1.0, False, False)


def test_equal_cells_rarely_replace_the_baseline() -> None:
    """Of few comparisons here; ``benchmarks/cells_simulations.py`` makes hundreds."""
    assert replaced_share(list(simulate(12, 25, 2, 0.0))) <= 0.1
