"""Calibration in the large: whether the mean score equals the rate of right answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import sub
from statistics import NormalDist, fmean

from goldwright.stats.poisson_binomial import (
    PoissonBinomial,
    bernoulli_variance,
    poisson_binomial,
)
from goldwright.stats.scored_points import Points, check_points, split_points


@dataclass(frozen=True, slots=True)
class ScoreBias:
    """The rate of right answers minus their mean score, and whether it could be chance.

    Attributes:
        n: The number of answers, 1 or more.
        rate: The share of right answers, in 0..1.
        mean_score: In 0..1.
        bias: ``rate - mean_score``; below 0 the scores are over-confident, above 0 under-confident.
        z: The bias in standard errors of calibrated scores; None where all scores are 0 or 1.
        p_value: Two-sided p-value of the number of right answers if the scores were calibrated.
        spiegelhalter_z: The Brier score minus that of calibrated scores, in standard errors: above
            0 the scores are too extreme or reversed, below 0 too timid. None where all scores are
            0, 1/2 or 1.
        spiegelhalter_p: Its two-sided p-value; None where it has none.
    """

    n: int
    rate: float
    mean_score: float
    bias: float
    z: float | None
    p_value: float
    spiegelhalter_z: float | None
    spiegelhalter_p: float | None


def mean_bias(points: Points) -> ScoreBias | None:
    """Compare the rate of right answers with the mean score.

    With n scores s, and y = 1 for a right answer and 0 for a wrong one, z = sum of (y - s) / sqrt(
    sum of s (1 - s)), the score test of a shift. The p-value does not rest on z but on the exact
    distribution of the number of right answers (two-sided mid-P), because the normal approximation
    is poor for few answers and for scores near 1. Spiegelhalter's z = sum of (y - s) (1 - 2 s) /
    sqrt(sum of (1 - 2 s)^2 s (1 - s)) tests the Brier score; it does not see a shift of scores
    around 1/2.

    Source: D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45
    (1958), 562-565; D. J. Spiegelhalter, "Probabilistic prediction in patient management and
    clinical trials", Statistics in Medicine 5 (1986), 421-433.

    Returns:
        None where there are no points.

    Raises:
        ValueError: A score is not in 0..1.
    """
    check_points(points)
    if not points:
        return None
    n = len(points)
    scores, outcomes = split_points(points)
    right_count = sum(outcomes)
    residual_sum = fsum(map(sub, outcomes, scores))
    variance = fsum(map(bernoulli_variance, scores))
    z = _standardized(residual_sum, variance)
    p_value = poisson_binomial(scores).p_value(right_count)
    spiegelhalter_z = _spiegelhalter_z(points)
    mean_score = fsum(scores) / n
    return ScoreBias(
        n=n,
        rate=right_count / n,
        mean_score=mean_score,
        bias=residual_sum / n,
        z=z,
        p_value=p_value,
        spiegelhalter_z=spiegelhalter_z,
        spiegelhalter_p=_two_sided_p(spiegelhalter_z),
    )


def power_to_see_bias(scores: Sequence[float], size: float, *, level: float) -> float:
    """Compute the power of the test of ``mean_bias`` against a true bias of a given size, in 0..1.

    Two alternatives are looked at, and the lower power counts: over-confident scores, where every
    true probability is (1 - a) s, and under-confident ones, where it is s + a (1 - s), with a such
    that the mean is off by ``size``. A direction is left out where the scores leave no room for so
    large a bias: the mean of scores of 0.9 cannot be 0.15 too low. The power is 0 without scores.

    Args:
        scores: In 0..1.
        size: The true bias, above 0 and at most 1/2.
        level: The significance level, between 0 and 1.
    """
    if not scores:
        return 0.0
    null = poisson_binomial(scores)
    mean = fmean(scores)
    powers: list[float] = []
    if mean >= size:
        factor = 1 - size / mean
        lowered = [score * factor for score in scores]
        powers.append(_power(lowered, null, level))
    if 1 - mean >= size:
        raised = [score + (1 - score) * size / (1 - mean) for score in scores]
        powers.append(_power(raised, null, level))
    # One of them always has room: the size is at most 1/2.
    return min(powers)


def _spiegelhalter_z(points: Points) -> float | None:
    numerators: list[float] = []
    variances: list[float] = []
    for score, is_right in points:
        weight = 1 - 2 * score
        numerators.append((is_right - score) * weight)
        variances.append(weight**2 * score * (1 - score))
    return _standardized(fsum(numerators), fsum(variances))


def _standardized(total: float, variance: float) -> float | None:
    if not variance:
        return None
    return total / sqrt(variance)


def _two_sided_p(z: float | None) -> float | None:
    if z is None:
        return None
    tail = NormalDist().cdf(-abs(z))
    return 2 * tail


def _power(true_probabilities: Sequence[float], null: PoissonBinomial, level: float) -> float:
    """Compute the probability that the number of right answers is significant under the null."""
    alternative = poisson_binomial(true_probabilities)
    counts = enumerate(alternative.probabilities, alternative.first_count)
    significant = [probability for count, probability in counts if null.p_value(count) <= level]
    # The terms are rounded one by one, so their sum may exceed 1 by a few units of 1e-16.
    return min(1.0, fsum(significant))
