"""Designs side by side on made-up pools."""

import pytest

from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.fixed_design import FixedRule, analyse_fixed_trials, draw_fixed_trials
from goldwright.relevance.planted_worlds import planting
from goldwright.relevance.simulation import simulate_adaptive, simulate_fixed


def test_ten_trials_and_a_threshold_call_much_relevant_that_is_not() -> None:
    draw_world = planting(12, "one", (0.1, 0.9))
    fixed = simulate_fixed(draw_world, FixedRule(), worlds=300, seed=0)
    adaptive = simulate_adaptive(draw_world, DesignSettings(), worlds=10, seed=0)
    # STATISTICS of the design: .77 false and .99 found, against .005 and 1.00 in 23 calls.
    assert fixed.false_share == pytest.approx(0.77, abs=0.04)
    assert fixed.found_share == pytest.approx(0.99, abs=0.02)
    assert adaptive.false_share <= 0.05
    assert adaptive.calls == pytest.approx(23, abs=6)


def test_pools_in_which_nothing_matters_have_no_share_of_found() -> None:
    simulated = simulate_fixed(planting(5, "nothing", (0.5, 0.5)), FixedRule(), worlds=10, seed=0)
    assert simulated.found_share is None


def test_a_fixed_number_of_trials_is_analysed_by_differences_of_means() -> None:
    included = draw_fixed_trials(3, 200, seed=1)
    findings = analyse_fixed_trials(included, [bool(row[1]) for row in included], threshold=0.1)
    assert findings[1].delta_p == 1.0
    assert [finding.is_relevant for finding in findings] == [False, True, False]
    assert findings[0].trials_in + findings[0].trials_out == 200


def test_a_document_that_was_never_left_out_has_no_effect() -> None:
    findings = analyse_fixed_trials(
        draw_fixed_trials(1, 2, seed=0) | True, [True, True], threshold=0.1
    )
    assert (findings[0].delta_p, findings[0].trials_out) == (0.0, 0)
