"""The number of successes among independent trials with unequal probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import ceil, floor, fsum, sqrt
from operator import sub
from statistics import NormalDist
from typing import Final

# The largest variance for which the exact distribution is computed; its cost grows with the number
# of trials times the width of the distribution.
MOST_EXACT: Final = 250.0
_NEGLIGIBLE: Final = 1e-18
# Standard deviations on either side of the mean: a normal value lies beyond with about 2e-19.
_REACH: Final = 9.0


@dataclass(frozen=True, slots=True)
class PoissonBinomial:
    """A distribution of the number of successes.

    Attributes:
        first_count: The number of successes that the first probability belongs to.
        probabilities: Of ``first_count``, ``first_count + 1``, …; any other count has none.
    """

    first_count: int
    probabilities: tuple[float, ...]

    def mid_tails(self, count: int) -> tuple[float, float]:
        """Compute P(fewer) and P(more), with half of P(exactly this count) added to each."""
        offset = count - self.first_count
        # Counts outside go one place outside, where both slices below are still right.
        index = min(max(offset, -1), len(self.probabilities))
        lower_terms = self.probabilities[: max(index, 0)]
        upper_terms = self.probabilities[index + 1 :]
        half = self._probability_at(index) / 2
        return fsum(lower_terms) + half, fsum(upper_terms) + half

    def p_value(self, count: int) -> float:
        """Compute the two-sided mid-P value of a count: twice the smaller tail, in 0..1.

        Source: H. O. Lancaster, "Significance tests in discrete distributions", Journal of the
        American Statistical Association 56 (1961), 223-234.
        """
        smaller_tail = min(self.mid_tails(count))
        return min(1.0, 2 * smaller_tail)

    def _probability_at(self, index: int) -> float:
        if 0 <= index < len(self.probabilities):
            return self.probabilities[index]
        return 0.0


def poisson_binomial(success_probabilities: Sequence[float]) -> PoissonBinomial:
    """Compute the distribution of the number of successes among independent trials.

    A further trial of success probability p turns P(k) into (1 - p) P(k) + p P(k - 1).
    Probabilities below 1e-18 at either end are left out. Where the variance, the sum of p (1 - p),
    is above 250, the normal distribution over k - 1/2 to k + 1/2 takes its place; it is off by
    less than .004 in a two-sided p-value near .05.

    Source: Y. H. Wang, "On the number of successes in independent trials", Statistica Sinica 3
    (1993), 295-312.

    Args:
        success_probabilities: In 0..1; 0 and 1 are certain outcomes.
    """
    variance = fsum(map(bernoulli_variance, success_probabilities))
    if variance > MOST_EXACT:
        return _normal_approximation(fsum(success_probabilities), sqrt(variance))
    first_count = 0
    distribution = [1.0]
    # Sorted, so that rounding does not depend on the order in which the trials came.
    for p in sorted(success_probabilities):
        if p >= 1:
            first_count += 1
        elif p > 0:
            distribution = _add_trial(distribution, p)
            first_count += _trim(distribution)
    return PoissonBinomial(first_count, tuple(distribution))


def bernoulli_variance(p: float) -> float:
    """Compute p (1 - p), the variance of the outcome of one trial."""
    return p * (1 - p)


def _add_trial(distribution: Sequence[float], p: float) -> list[float]:
    q = 1 - p
    inner = [q * unchanged + p * fewer for fewer, unchanged in pairwise(distribution)]
    return [q * distribution[0], *inner, p * distribution[-1]]


def _trim(distribution: list[float]) -> int:
    """Drop a negligible probability at either end; return how many were dropped at the start."""
    if distribution[-1] < _NEGLIGIBLE:
        distribution.pop()
    if distribution[0] < _NEGLIGIBLE:
        distribution.pop(0)
        return 1
    return 0


def _normal_approximation(mean: float, deviation: float) -> PoissonBinomial:
    normal = NormalDist(mean, deviation)
    first = floor(mean - _REACH * deviation)
    final = ceil(mean + _REACH * deviation)
    # One boundary more than there are counts.
    cumulative = [normal.cdf(count - 0.5) for count in range(first, final + 2)]
    after = islice(cumulative, 1, None)
    probabilities = map(sub, after, cumulative)
    return PoissonBinomial(first, tuple(probabilities))
