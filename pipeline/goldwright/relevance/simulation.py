"""What a design finds in pools whose truth is known, and what it costs, before anybody pays."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from goldwright.relevance.adaptive_design import AdaptiveDesign, DesignSettings
from goldwright.relevance.fixed_design import analyse_fixed_trials, draw_fixed_trials
from goldwright.relevance.planted_worlds import PlantedWorld

DrawWorld = Callable[[np.random.Generator], PlantedWorld]

# The rule of the seed, which the adaptive design is shown beside.
_SEED_THRESHOLD = 0.1


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
            design.record(trial, succeeded=bool(generator.random() < rate))
        called = {int(place) for place in np.flatnonzero(design.selected())}
        outcomes.append(_Outcome(world, called, design.trials))
    return _sum_up(outcomes)


def simulate_fixed(
    draw_world: DrawWorld, trials: int, *, worlds: int, seed: int
) -> SimulatedDesign:
    """Play a fixed number of trials with the threshold of .1 on pools drawn from a workload.

    Args:
        draw_world: Draws a pool.
        trials: Trials of each pool.
        worlds: How many pools, at least 1.
        seed: Settles pools, trials and outcomes.
    """
    outcomes = []
    for number in range(worlds):
        generator = np.random.default_rng([seed, number])
        world = draw_world(generator)
        included = draw_fixed_trials(world.documents, trials, seed=number)
        succeeded = [bool(generator.random() < world.success_rate(row)) for row in included]
        findings = analyse_fixed_trials(included, succeeded, threshold=_SEED_THRESHOLD)
        called = {place for place, finding in enumerate(findings) if finding.is_relevant}
        outcomes.append(_Outcome(world, called, trials))
    return _sum_up(outcomes)


@dataclass(frozen=True, slots=True)
class _Outcome:
    world: PlantedWorld
    called: set[int]
    calls: int

    @property
    def false_share(self) -> float:
        return len(self.called - set(self.world.relevant)) / max(1, len(self.called))


def _sum_up(outcomes: list[_Outcome]) -> SimulatedDesign:
    is_found = [
        document in outcome.called for outcome in outcomes for document in outcome.world.relevant
    ]
    return SimulatedDesign(
        calls=fmean(outcome.calls for outcome in outcomes),
        calls_of_most=float(np.quantile([outcome.calls for outcome in outcomes], 0.9)),
        false_share=fmean(outcome.false_share for outcome in outcomes),
        found_share=fmean(is_found) if is_found else None,
        exact_share=fmean(outcome.called == set(outcome.world.relevant) for outcome in outcomes),
    )
