"""Trials that decide which documents matter, on pools whose truth is known."""

from collections.abc import Callable
from math import exp
from statistics import fmean

import numpy as np
import pytest

from effort import share_of
from goldwright.relevance.adaptive_design import AdaptiveDesign, DesignSettings, StopReason
from goldwright.relevance.planted_worlds import PlantedWorld, clear_world, mixed_world
from goldwright.relevance.relevance_verdict import Relevance

# Enough to tell an error rate of .05 from one of .20; the full campaign takes 1,000 worlds.
_SETTINGS = DesignSettings()


def _search(
    world: PlantedWorld, *, seed: int, settings: DesignSettings = _SETTINGS
) -> AdaptiveDesign:
    solver = np.random.default_rng([seed, 1])
    design = AdaptiveDesign(world.documents, settings, seed=seed)
    while design.stop_reason() is None:
        trial = design.propose()
        rate = world.success_rate(trial.included)
        design.record(trial, succeeded=bool(solver.random() < rate))
    return design


def _relevant(design: AdaptiveDesign) -> set[int]:
    findings = enumerate(design.findings())
    return {number for number, finding in findings if finding.relevance is Relevance.RELEVANT}


@pytest.mark.parametrize(
    ("draw_world", "most_calls", "worlds"),
    # Mixed worlds take three times as long.
    [
        (clear_world, 50, share_of(24, suite=18)),
        (mixed_world, 130, share_of(24, suite=3)),
    ],
    ids=["clear", "mixed"],
)
def test_error_rates_and_calls_are_as_promised(
    draw_world: Callable[[np.random.Generator], PlantedWorld], most_calls: float, worlds: int
) -> None:
    wrong, right, calls = [], [], []
    for seed in range(worlds):
        world = draw_world(np.random.default_rng(seed))
        design = _search(world, seed=seed)
        called, relevant = _relevant(design), set(world.relevant)
        wrong.append(len(called - relevant) / max(1, len(called)))
        right += [member in called for member in relevant]
        calls.append(design.trials)
    assert fmean(wrong) <= 0.05
    assert fmean(right) >= 0.9
    assert fmean(calls) <= most_calls


@pytest.mark.parametrize(
    ("combination", "relevant", "sufficient"),
    [
        ("one", (3,), {(3,)}),
        ("either of two", (1, 6), {(1,), (6,)}),
        ("both of two", (1, 6), {(1, 6)}),
        ("all of three", (0, 2, 5), {(0, 2, 5)}),
    ],
)
def test_documents_that_matter_together_are_found_with_how(
    combination: str, relevant: tuple[int, ...], sufficient: set[tuple[int, ...]]
) -> None:
    world = PlantedWorld(8, relevant, combination, 0.05, 0.95)
    design = _search(world, seed=3)
    assert _relevant(design) == set(relevant)
    assert design.stop_reason() is StopReason.DECIDED
    assert set(design.joint_finding().sufficient_sets) == sufficient


@pytest.mark.parametrize("seed", range(4))
def test_the_account_holds_every_document_that_is_called_relevant(seed: int) -> None:
    world = PlantedWorld(10, (0, 2, 5), "all of three", 0.05, 0.95)
    design = _search(world, seed=seed)
    assert _relevant(design) <= set(design.joint_finding().documents)


def test_a_pool_in_which_nothing_matters_is_said_to_be_one() -> None:
    world = PlantedWorld(10, (), "nothing", 0.9, 0.9)
    design = _search(world, seed=1)
    assert design.stop_reason() is StopReason.NOTHING
    assert {finding.relevance for finding in design.findings()} == {Relevance.IRRELEVANT}
    assert design.joint_finding().sufficient_sets == ()


def test_the_evidence_for_a_document_that_never_helps_has_a_mean_of_one_at_most() -> None:
    # The promise behind every verdict: whatever else is in the pool, and whatever trials were
    # chosen, e-values of documents without effect do not grow on average.
    world = PlantedWorld(6, (0,), "one", 0.3, 0.7)
    e_values = []
    for seed in range(share_of(60, suite=20)):
        findings = _search(world, seed=seed, settings=DesignSettings(budget=30)).findings()
        e_values += [exp(finding.log_e_value) for finding in findings[1:]]
    standard_error = float(np.std(e_values)) / len(e_values) ** 0.5
    assert fmean(e_values) <= 1 + 3 * standard_error


def test_a_harmful_document_is_never_called_relevant() -> None:
    solver = np.random.default_rng(5)
    design = AdaptiveDesign(6, DesignSettings(budget=120), seed=5)
    while design.stop_reason() is None:
        trial = design.propose()
        design.record(trial, succeeded=bool(solver.random() < (0.2 if trial.included[2] else 0.9)))
    assert 2 not in _relevant(design)


def test_the_same_seed_and_outcomes_give_the_same_trials() -> None:
    world = PlantedWorld(9, (4,), "one", 0.1, 0.9)
    first, second = _search(world, seed=7), _search(world, seed=7)
    assert first.trials == second.trials
    assert first.findings() == second.findings()


def test_several_trials_may_be_under_way_and_are_recorded_in_their_order() -> None:
    design = AdaptiveDesign(5, DesignSettings(), seed=0)
    first, second = design.propose(), design.propose()
    with pytest.raises(ValueError, match="trial 1 comes before trial 2"):
        design.record(second, succeeded=True)
    design.record(first, succeeded=True)
    design.record(second, succeeded=False)
    assert design.trials == 2


def test_the_budget_ends_the_search_with_what_is_undecided_named() -> None:
    world = PlantedWorld(12, (4,), "one", 0.3, 0.7)
    design = _search(world, seed=2, settings=DesignSettings(budget=5))
    assert design.stop_reason() is StopReason.BUDGET
    assert Relevance.UNDECIDED in {finding.relevance for finding in design.findings()}


def test_the_average_effect_is_that_of_even_odds() -> None:
    # Of two documents that replace one another, each raises success by half of the whole effect.
    world = PlantedWorld(8, (1, 6), "either of two", 0.05, 0.95)
    effects = [finding.average_effect for finding in _search(world, seed=4).findings()]
    assert effects[1] == pytest.approx(0.4, abs=0.1)
    assert max(effects[2:6]) < 0.05


def test_a_large_pool_is_searched_without_sets_of_three() -> None:
    world = PlantedWorld(60, (50,), "one", 0.05, 0.95)
    assert _relevant(_search(world, seed=0)) == {50}


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one document"):
        AdaptiveDesign(0, DesignSettings(), seed=0)
