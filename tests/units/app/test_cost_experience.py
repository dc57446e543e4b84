"""What earlier runs say of the cost of another one."""

from pathlib import Path

import pytest

from goldwright.app.models.cost_experience import ItemCosts, PlayedPieces
from goldwright.app.models.planned_pieces import planned_pieces
from goldwright.llm.spend import Spend
from goldwright.plan import read_plan

PHASE_1 = read_plan(Path(__file__).parents[3] / "plans" / "phase1.json")


def costs_of(*micro_usd: int, runs: list[PlayedPieces] | None = None) -> ItemCosts:
    """Collect pieces of these costs, of these runs."""
    costs = ItemCosts(runs=runs or [])
    for cost in micro_usd:
        costs.add(Spend(calls=1, micro_usd=cost))
    return costs


def test_a_role_has_as_large_a_share_of_what_is_planned_as_before() -> None:
    costs = costs_of(1, 1, 1, runs=[PlayedPieces(9, 15, is_same_repo=True)])
    assert costs.expected_pieces(30) == pytest.approx(18)


def test_runs_over_the_same_codebase_alone_count_where_there_are_any() -> None:
    runs = [PlayedPieces(2, 20, is_same_repo=False), PlayedPieces(10, 20, is_same_repo=True)]
    assert costs_of(1, 1, 1, runs=runs).expected_pieces(20) == pytest.approx(10)


def test_of_another_codebase_the_share_lies_between_that_and_all() -> None:
    costs = costs_of(1, 1, 1, runs=[PlayedPieces(5, 20, is_same_repo=False)])
    assert costs.expected_pieces(20) == pytest.approx(10)


def test_an_unfinished_run_tells_of_costs_alone() -> None:
    assert costs_of(1, 1, 1).expected_pieces(20) == 20


def test_the_range_grows_with_what_is_not_known() -> None:
    same = [PlayedPieces(10, 20, is_same_repo=True)]
    other = [PlayedPieces(10, 20, is_same_repo=False)]
    even, uneven = (5, 5, 5, 5), (1, 9, 1, 9)
    spreads = [
        costs_of(*even, runs=same).spread(20),
        costs_of(*uneven, runs=same).spread(20),
        costs_of(*uneven, runs=other).spread(20),
    ]
    assert 1 < spreads[0] < spreads[1] < spreads[2]
    # Four times as large a plan may find the codebase empty.
    assert costs_of(*even, runs=same).spread(80) > spreads[0]
    # The same codebase, plan and cost: to 1.6 times to either side.
    assert spreads[0] == pytest.approx(1.5885, abs=0.001)


def test_models_that_cost_nothing_have_a_range_of_nothing() -> None:
    costs = costs_of(0, 0, 0, runs=[PlayedPieces(3, 3, is_same_repo=True)])
    assert costs.mean * costs.spread(3) == 0


def test_canaries_go_to_adversary_and_judge_as_well() -> None:
    without, with_them = planned_pieces(PHASE_1, 0), planned_pieces(PHASE_1, 8)
    assert without["author"] == len(list(PHASE_1.filled_cells()))
    assert {role for role in without if with_them[role] != without[role]} == {"adversary", "judge"}
    assert with_them["judge"] - without["judge"] == 8
