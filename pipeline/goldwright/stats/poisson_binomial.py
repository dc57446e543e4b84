"""The number of successes among independent trials whose chances differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, fsum, sqrt
from statistics import NormalDist
from typing import Final

_NEGLIGIBLE: Final = 1e-18
_REACH: Final = 9.0
MOST_EXACT: Final = 250.0


@dataclass(frozen=True, slots=True)
class SuccessCount:
    """The distribution of a number of successes: the chances of ``first``, ``first`` + 1, ..; of
    others none.
    """

    first: int
    chances: tuple[float, ...]

    def tails(self, count: int) -> tuple[float, float]:
        """Give the chances of fewer and of more successes, that of exactly so many being shared by
        halves.
        """
        place = min(max(count - self.first, -1), len(self.chances))
        here = self.chances[place] if 0 <= place < len(self.chances) else 0.0
        fewer = fsum(self.chances[: max(place, 0)])
        more = fsum(self.chances[place + 1 :])
        return fewer + here / 2, more + here / 2

    def p_value(self, count: int) -> float:
        """Give the two-sided mid-p-value of so many successes, in 0..1: twice the smaller of the
        tails.

        Source: H. O. Lancaster, "Significance tests in discrete distributions", Journal of the
        American Statistical Association 56 (1961), 223-234.
        """
        return min(1.0, 2 * min(self.tails(count)))


def successes(chances: Sequence[float]) -> SuccessCount:
    """Give the distribution of the number of successes among independent trials (Poisson's binomial
    distribution).

    P(k) after a further trial of chance c is (1 - c) P(k) + c P(k - 1); chances below 1e-18 at the
    ends are left out. Beyond a variance, sum of c (1 - c), of 250 it is the normal distribution
    over k - 1/2 to k + 1/2 instead, which is off by less than .004 in a two-sided p-value near .05.

    Source: Y. H. Wang, "On the number of successes in independent trials", Statistica Sinica 3
    (1993), 295-312.

    Args:
        chances: In 0..1; 0 and 1 count as sure.
    """
    variance = fsum(one * (1 - one) for one in chances)
    if variance > MOST_EXACT:
        return _normal(fsum(chances), sqrt(variance))
    first, found = sum(one >= 1 for one in chances), [1.0]
    for yes in sorted(chances):  # in one order, so that rounding is the same too
        if not 0 < yes < 1:
            continue
        no = 1 - yes
        inner = [no * here + yes * before for before, here in pairwise(found)]
        found = [no * found[0], *inner, yes * found[-1]]
        if found[-1] < _NEGLIGIBLE:
            found.pop()
        if found[0] < _NEGLIGIBLE:
            found.pop(0)
            first += 1
    return SuccessCount(first, tuple(found))


def _normal(mean: float, deviation: float) -> SuccessCount:
    first, last = floor(mean - _REACH * deviation), ceil(mean + _REACH * deviation)
    below = [NormalDist(mean, deviation).cdf(count - 0.5) for count in range(first, last + 2)]
    return SuccessCount(first, tuple(after - before for before, after in pairwise(below)))
