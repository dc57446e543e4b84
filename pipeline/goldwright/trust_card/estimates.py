"""Summing observations up to a value with its interval."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final

from goldwright.records import DIFFICULTIES
from goldwright.stats.binomial import wilson
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.trust_card.measure import FigureEstimate, Interval, Observation

# One seed for all figures: a card is a function of records and code.
_SEED: Final = 0
_RESAMPLES: Final = 1000
_NOTHING: Final = FigureEstimate(None, 0, None)

TierScores = Mapping[str, Sequence[float]]


def share(observations: Sequence[Observation]) -> FigureEstimate:
    """The share of observations with the value 1, with its Wilson interval."""
    trials = len(observations)
    if not trials:
        return _NOTHING
    successes = _successes(observations)
    return FigureEstimate(successes / trials, trials, wilson(successes, trials))


def excess_share(observations: Sequence[Observation]) -> FigureEstimate:
    """By how much the share lies above the one that is expected.

    What is expected is known of the whole codebase, so only the share has an interval.
    """
    trials = len(observations)
    if not trials:
        return _NOTHING
    successes = _successes(observations)
    expected = fmean(observation.expected for observation in observations)
    low, high = wilson(successes, trials)
    value = successes / trials - expected
    interval = (low - expected, high - expected)
    return FigureEstimate(value, trials, interval)


def mean(observations: Sequence[Observation]) -> FigureEstimate:
    """The mean of the values, with its bootstrap interval."""
    values = [observation.value for observation in observations]
    if not values:
        return _NOTHING
    intervals = bootstrap_means({"value": values}, seed=_SEED)
    return FigureEstimate(fmean(values), len(values), intervals["value"])


def ordered_groups(observations: Sequence[Observation]) -> FigureEstimate:
    """The share of task types whose tiers are in order: easy above medium above hard, by means.

    The groups of the observations are ``task type/difficulty``. Types with one tier are left out.
    The interval holds the middle 95 % of what resampling within every tier gives, and ``n`` counts
    the task types.
    """
    scores_by_type: dict[str, dict[str, list[float]]] = {}
    for observation in observations:
        task_type, _, difficulty = observation.group.partition("/")
        tiers = scores_by_type.setdefault(task_type, {})
        tiers.setdefault(difficulty, []).append(observation.value)
    comparable = [tiers for tiers in scores_by_type.values() if len(tiers) > 1]
    if not comparable:
        return _NOTHING
    in_order = sum(_is_in_order(tiers) for tiers in comparable)
    value = in_order / len(comparable)
    return FigureEstimate(value, len(comparable), _resampled_interval(comparable))


def _successes(observations: Sequence[Observation]) -> int:
    return sum(observation.value > 0 for observation in observations)


def _is_in_order(tiers: TierScores) -> bool:
    filled = [tiers[difficulty] for difficulty in DIFFICULTIES if difficulty in tiers]
    means = list(map(fmean, filled))
    return means == sorted(means, reverse=True)


def _resampled_interval(types: Sequence[TierScores]) -> Interval:
    shares = sorted(_resampled_shares(types))
    tail = _RESAMPLES // 40
    return shares[tail], shares[-1 - tail]


def _resampled_shares(types: Sequence[TierScores]) -> Iterator[float]:
    random = Random(_SEED)  # noqa: S311  # draws samples, no secret
    for _ in range(_RESAMPLES):
        in_order = 0
        for tiers in types:
            resampled: dict[str, list[float]] = {}
            for difficulty, scores in tiers.items():
                resampled[difficulty] = random.choices(scores, k=len(scores))
            in_order += _is_in_order(resampled)
        yield in_order / len(types)
