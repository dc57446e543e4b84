"""What a design finds in pools whose truth is known, and what it costs, before anybody pays."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from goldwright.relevance.adaptive_design import AdaptiveDesign, DesignSettings
from goldwright.relevance.fixed_design import (
    FixedRule,
    analyse_fixed_trials,
    draw_fixed_trials,
)
from goldwright.relevance.planted_worlds import PlantedWorld, planting

DrawWorld = Callable[[np.random.Generator], PlantedWorld]

_EVEN = 0.5
# Pools on which a rule's errors are measured: two digits of them in about a tenth of a second.
_POOLS_OF_RULE = 400
# One document lifts success from one of these rates to the other: a strong effect.
_STRONG_EFFECT = (0.1, 0.9)


@dataclass(frozen=True, slots=True)
class SimulatedDesign:
    """How a design did over many pools.

    Attributes:
        calls: Calls of the solver, on average over pools.
        calls_of_most: So many calls are enough for nine pools in ten.
        false_share: Of the documents called relevant, the share that is not, averaged over pools.
        found_share: Of the relevant documents, the share called so; None where no pool has any.
        exact_share: The share of pools in which exactly the relevant documents are called so.
    """

    calls: float
    calls_of_most: float
    false_share: float
    found_share: float | None
    exact_share: float


@dataclass(frozen=True, slots=True)
class RuleErrors:
    """The errors of a fixed rule on made-up pools.

    Attributes:
        documents: How many documents these pools have.
        false_share: Where one document matters much, of those called relevant the share that does
            not, averaged over pools.
        found_share: How often the one that matters is called relevant.
        called_of_nothing: Where no document matters, the share of all documents called relevant.
    """

    documents: int
    false_share: float
    found_share: float
    called_of_nothing: float


def rule_errors(rule: FixedRule, documents: int) -> RuleErrors:
    """Measure the errors of a fixed rule on pools of so many documents, at least 1."""
    draw_world = planting(documents, "one", _STRONG_EFFECT)
    strong = simulate_fixed(draw_world, rule, worlds=_POOLS_OF_RULE, seed=0)
    called = 0
    generator = np.random.default_rng(0)
    for number in range(_POOLS_OF_RULE):
        included = draw_fixed_trials(documents, rule.trials, seed=number)
        draws = generator.random(rule.trials)
        succeeded = [bool(value) for value in draws < _EVEN]
        findings = analyse_fixed_trials(included, succeeded, threshold=rule.threshold)
        called += sum(finding.is_relevant for finding in findings)
    called_of_nothing = called / (documents * _POOLS_OF_RULE)
    return RuleErrors(
        documents,
        strong.false_share,
        strong.found_share or 0.0,
        called_of_nothing,
    )


def simulate_adaptive(
    draw_world: DrawWorld, settings: DesignSettings, *, worlds: int, seed: int
) -> SimulatedDesign:
    """Play the adaptive design on pools drawn from a workload.

    Args:
        draw_world: Draws a pool.
        settings: Error rates and budget.
        worlds: How many pools, at least 1.
        seed: Settles pools, trials and outcomes.
    """
    outcomes = []
    for number in range(worlds):
        generator = np.random.default_rng([seed, number])
        world = draw_world(generator)
        design = AdaptiveDesign(world.documents, settings, seed=number)
        while design.stop_reason() is None:
            trial = design.propose()
            rate = world.success_rate(trial.included)
            succeeded = bool(generator.random() < rate)
            design.record(trial, succeeded=succeeded)
        called_places = np.flatnonzero(design.selected())
        called = {int(place) for place in called_places}
        outcomes.append(_Outcome(world, called, design.trials))
    return _sum_up(outcomes)


def simulate_fixed(
    draw_world: DrawWorld, rule: FixedRule, *, worlds: int, seed: int
) -> SimulatedDesign:
    """Play a fixed number of trials with a threshold on pools drawn from a workload.

    Args:
        draw_world: Draws a pool.
        rule: Trials of each pool, and the threshold.
        worlds: How many pools, at least 1.
        seed: Settles pools, trials and outcomes.
    """
    outcomes = []
    for number in range(worlds):
        generator = np.random.default_rng([seed, number])
        world = draw_world(generator)
        included = draw_fixed_trials(world.documents, rule.trials, seed=number)
        rates = map(world.success_rate, included)
        succeeded = [bool(generator.random() < rate) for rate in rates]
        findings = analyse_fixed_trials(included, succeeded, threshold=rule.threshold)
        called = {place for place, finding in enumerate(findings) if finding.is_relevant}
        outcomes.append(_Outcome(world, called, rule.trials))
    return _sum_up(outcomes)


@dataclass(frozen=True, slots=True)
class _Outcome:
    world: PlantedWorld
    called: set[int]
    calls: int

    @property
    def false_share(self) -> float:
        falsely_called = self.called - set(self.world.relevant)
        return len(falsely_called) / max(1, len(self.called))

    @property
    def is_exact(self) -> bool:
        return self.called == set(self.world.relevant)


def _sum_up(outcomes: list[_Outcome]) -> SimulatedDesign:
    is_found = [
        document in outcome.called for outcome in outcomes for document in outcome.world.relevant
    ]
    calls = [outcome.calls for outcome in outcomes]
    calls_of_most = float(np.quantile(calls, 0.9))
    false_share = fmean(outcome.false_share for outcome in outcomes)
    found_share = fmean(is_found) if is_found else None
    exact_share = fmean(outcome.is_exact for outcome in outcomes)
    return SimulatedDesign(
        calls=fmean(calls),
        calls_of_most=calls_of_most,
        false_share=false_share,
        found_share=found_share,
        exact_share=exact_share,
    )
