"""What a comparison of a given size would show, were the truth as planted."""

from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Final

from goldwright.benefit.findings import FEWEST_SEEDS, can_show, paired_mean, verdict_of

# A lift is called detectable where at least four comparisons in five show it.
_POWER: Final = 0.8
_STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class PlantedTruth:
    """A made-up comparison.

    Attributes:
        tasks: How many tasks.
        seeds: Repetitions of each.
        without: The rate of success without the tool, in 0..1.
        lift: What the tool adds to it on average.
        spread: How far the lift of single tasks lies from that, as a standard deviation.
    """

    tasks: int
    seeds: int
    without: float
    lift: float
    spread: float


@dataclass(frozen=True, slots=True)
class SimulatedVerdicts:
    """Shares of the simulated comparisons by what they said."""

    helps: float
    hurts: float
    covered: float


def simulate(truth: PlantedTruth, *, worlds: int, seed: int) -> SimulatedVerdicts:
    """Play comparisons; ``covered`` is how many intervals hold the mean lift of their tasks."""
    chance = Random(f"benefit:{seed}")  # noqa: S311
    verdicts: list[str] = []
    covered: list[bool] = []
    for world in range(worlds):
        drawn = [_draw_task(truth, chance) for _ in range(truth.tasks)]
        result = paired_mean([difference for _, difference in drawn], seed=world)
        verdicts.append(
            verdict_of(result, truth.seeds, uptake=1.0, can_show=can_show(truth.tasks, 1))
        )
        mean_lift = fmean(lift for lift, _ in drawn)
        interval = result.interval
        covered.append(interval is not None and interval[0] <= mean_lift <= interval[1])
    return SimulatedVerdicts(
        helps=verdicts.count("helps") / worlds,
        hurts=verdicts.count("hurts") / worlds,
        covered=fmean(covered),
    )


def smallest_detectable(truth: PlantedTruth, *, worlds: int, seed: int) -> float | None:
    """Find the smallest lift in steps of .05 that would be shown with power .8; None for none."""
    if truth.seeds < FEWEST_SEEDS:
        return None
    steps = int((1 - truth.without) / _STEP + _STEP)
    for step in range(1, steps + 1):
        lift = step * _STEP
        larger = PlantedTruth(truth.tasks, truth.seeds, truth.without, lift, truth.spread)
        if simulate(larger, worlds=worlds, seed=seed).helps >= _POWER:
            return lift
    return None


def _draw_task(truth: PlantedTruth, chance: Random) -> tuple[float, float]:
    """Draw the lift of a task, and the difference that its trials show of it."""
    with_tool = min(1.0, max(0.0, truth.without + chance.gauss(truth.lift, truth.spread)))
    successes = sum(chance.random() < with_tool for _ in range(truth.seeds))
    successes -= sum(chance.random() < truth.without for _ in range(truth.seeds))
    return with_tool - truth.without, successes / truth.seeds
