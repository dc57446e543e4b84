"""Exact comparison of two rates over strata, and of two sets of values by their ranks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, fsum


@dataclass(frozen=True, slots=True)
class StratumRates:
    """One stratum: how many bad ones among how many, on the one side and on the other; each bad <=
    its total.
    """

    bad: int
    total: int
    other_bad: int
    other_total: int

    def __post_init__(self) -> None:
        for count, of in ((self.bad, self.total), (self.other_bad, self.other_total)):
            if not 0 <= count <= of:
                raise ValueError(f"{count} of {of} is no count of bad ones among a total")

    @property
    def tells(self) -> bool:
        """Tell whether both sides have any; a stratum that only one has says nothing of the
        difference.
        """
        return self.total > 0 and self.other_total > 0


def stratified_greater(strata: Iterable[StratumRates]) -> float:
    """Give the exact one-sided p-value that in no stratum the first rate is greater, in 0..1.

    Given the margins of each stratum (n and m the totals, K all bad of both) the bad ones of the
    first side are hypergeometric, C(n, x) C(m, K - x) / C(n + m, K); T, their sum over the strata,
    is distributed as the convolution. p = P(T >= the sum that was observed). Strata of one side
    alone add a constant to both and change nothing; without any other p is 1. With one stratum this
    is Fisher's exact test.

    Source: M. W. Birch, "The detection of partial association, I: the 2 x 2 case", Journal of the
    Royal Statistical Society B 26 (1964), 313-324; D. R. Cox and E. J. Snell, "Analysis of Binary
    Data", 2nd ed. (1989), chapter 2; its normal approximation is N. Mantel and W. Haenszel,
    "Statistical aspects of the analysis of data from retrospective studies of disease", Journal of
    the National Cancer Institute 22 (1959), 719-748.
    """
    telling = [one for one in strata if one.tells]
    chances = [1.0]
    for one in telling:
        chances = _convolved(chances, _hypergeometric(one))
    observed = sum(one.bad - _fewest(one) for one in telling)
    return min(1.0, fsum(chances[observed:]))


def rank_sum_greater(ones: Sequence[float], others: Sequence[float]) -> float:
    """Give the exact one-sided p-value that the ones are no greater than the others by rank, in
    0..1.

    p = the share of all choices of len(ones) values out of both whose sum of ranks (ties get the
    mean of theirs) is at least that of the ones. It is at least 1 / C(n + m, n), and 1 when either
    side is empty.

    Source: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
    stochastically larger than the other", Annals of Mathematical Statistics 18 (1947), 50-60; here
    with the exact distribution under ties.
    """
    both = sorted([*ones, *others])
    counts = Counter(both)
    doubled = {value: 2 * both.index(value) + counts[value] + 1 for value in counts}
    sums: list[Counter[int]] = [Counter({0: 1}), *(Counter() for _ in ones)]
    for value in both:
        for chosen in range(len(ones), 0, -1):
            for total, ways in sums[chosen - 1].items():
                sums[chosen][total + doubled[value]] += ways
    observed = sum(doubled[value] for value in ones)
    reached = sum(ways for total, ways in sums[-1].items() if total >= observed)
    return reached / comb(len(both), len(ones))


def _fewest(one: StratumRates) -> int:
    return max(0, one.bad + one.other_bad - one.other_total)


def _hypergeometric(one: StratumRates) -> list[float]:
    """The chances of the fewest bad ones that the first side can have, of one more, and so on."""
    bad_of_both = one.bad + one.other_bad
    every = comb(one.total + one.other_total, bad_of_both)
    possible = range(_fewest(one), min(one.total, bad_of_both) + 1)
    return [
        comb(one.total, bad) * comb(one.other_total, bad_of_both - bad) / every for bad in possible
    ]


def _convolved(left: Sequence[float], right: Sequence[float]) -> list[float]:
    found = [0.0] * (len(left) + len(right) - 1)
    for at, one in enumerate(left):
        for shift, other in enumerate(right):
            found[at + shift] += one * other
    return found
