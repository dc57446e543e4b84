"""Exact one-sided tests: of two rates over strata, and of two sets of values by their ranks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, fsum


@dataclass(frozen=True, slots=True)
class StratumRates:
    """The 2 x 2 table of one stratum: bad records and all records, of two sides.

    Attributes:
        bad: The bad records of the first side, at most ``total``.
        total: All records of the first side.
        other_bad: The bad records of the other side, at most ``other_total``.
        other_total: All records of the other side.

    Raises:
        ValueError: A count of bad records is negative or above its total.
    """

    bad: int
    total: int
    other_bad: int
    other_total: int

    def __post_init__(self) -> None:
        _check_count(self.bad, self.total)
        _check_count(self.other_bad, self.other_total)

    @property
    def is_informative(self) -> bool:
        """Whether both sides have records; else the stratum shows nothing of their difference."""
        return self.total > 0 and self.other_total > 0

    @property
    def all_bad(self) -> int:
        """The bad records of both sides, a margin of the table."""
        return self.bad + self.other_bad

    @property
    def fewest_bad(self) -> int:
        """The fewest bad records that the first side can have, given the margins of the table."""
        return max(0, self.all_bad - self.other_total)


def stratified_greater(strata: Iterable[StratumRates]) -> float:
    """Compute the exact one-sided p-value of the hypothesis that no stratum's first rate is higher.

    Given the margins of each stratum (n and m the totals, K all bad records of both sides) the bad
    records of the first side are hypergeometric, C(n, x) C(m, K - x) / C(n + m, K); T, their sum
    over the strata, is distributed as the convolution. p = P(T >= the observed sum), in 0..1.
    Strata of one side only add a constant to both and change nothing; without any other p is 1.
    With one stratum this is Fisher's exact test.

    Source: M. W. Birch, "The detection of partial association, I: the 2 x 2 case", Journal of the
    Royal Statistical Society B 26 (1964), 313-324; D. R. Cox and E. J. Snell, "Analysis of Binary
    Data", 2nd ed. (1989), chapter 2; its normal approximation is N. Mantel and W. Haenszel,
    "Statistical aspects of the analysis of data from retrospective studies of disease", Journal of
    the National Cancer Institute 22 (1959), 719-748.
    """
    # Index 0 stands for the fewest bad records possible, in the distribution as in the sum.
    distribution = [1.0]
    observed = 0
    for stratum in strata:
        if stratum.is_informative:
            distribution = _convolve(distribution, _hypergeometric(stratum))
            observed += stratum.bad - stratum.fewest_bad
    return min(1.0, fsum(distribution[observed:]))


def rank_sum_greater(sample: Sequence[float], reference: Sequence[float]) -> float:
    """Compute the exact one-sided p-value of the hypothesis that the sample's ranks are no higher.

    p = the share of all choices of len(sample) values out of both whose sum of ranks (ties get the
    mean of theirs) is at least that of the sample, in 0..1. It is at least 1 / C(n + m, n), and 1
    where either side is empty.

    Source: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
    stochastically larger than the other", Annals of Mathematical Statistics 18 (1947), 50-60; here
    with the exact distribution under ties.
    """
    pooled = sorted([*sample, *reference])
    doubled_ranks = _doubled_midranks(pooled)
    observed = sum(map(doubled_ranks.__getitem__, sample))
    pooled_ranks = map(doubled_ranks.__getitem__, pooled)
    rank_sums = _count_rank_sums(pooled_ranks, len(sample))
    as_high = 0
    for rank_sum, ways in rank_sums.items():
        if rank_sum >= observed:
            as_high += ways
    choices = comb(len(pooled), len(sample))
    return as_high / choices


def _check_count(bad: int, total: int) -> None:
    if not 0 <= bad <= total:
        raise ValueError(f"{bad} of {total} is no count of bad ones among a total")


def _hypergeometric(stratum: StratumRates) -> list[float]:
    """Compute P(fewest bad records of the first side), P(one more), …, given the margins."""
    all_records = stratum.total + stratum.other_total
    all_ways = comb(all_records, stratum.all_bad)
    most_bad = min(stratum.total, stratum.all_bad)
    distribution: list[float] = []
    for bad in range(stratum.fewest_bad, most_bad + 1):
        other_bad = stratum.all_bad - bad
        ways = comb(stratum.total, bad) * comb(stratum.other_total, other_bad)
        distribution.append(ways / all_ways)
    return distribution


def _convolve(first: Sequence[float], second: Sequence[float]) -> list[float]:
    length = len(first) + len(second) - 1
    convolution = [0.0] * length
    for offset, first_term in enumerate(first):
        for index, second_term in enumerate(second, start=offset):
            convolution[index] += first_term * second_term
    return convolution


def _doubled_midranks(sorted_values: Sequence[float]) -> dict[float, int]:
    """Map each value to twice its mean rank, which is a whole number even for ties."""
    doubled_ranks: dict[float, int] = {}
    for value, count in Counter(sorted_values).items():
        before = sorted_values.index(value)
        doubled_ranks[value] = 2 * before + count + 1
    return doubled_ranks


def _count_rank_sums(ranks: Iterable[int], chosen_count: int) -> Counter[int]:
    """Count, for each sum of ranks, the choices of so many ranks that have it."""
    # The choices of 0, 1, … ranks among those that the loop has passed.
    sums_by_size = [Counter({0: 1})]
    sums_by_size += [Counter() for _ in range(chosen_count)]
    for rank in ranks:
        # Downwards, so that a rank is not added to choices that hold it already.
        for size in range(chosen_count, 0, -1):
            _extend_choices(sums_by_size[size], sums_by_size[size - 1], rank)
    return sums_by_size[-1]


def _extend_choices(larger: Counter[int], smaller: Counter[int], rank: int) -> None:
    """Add to the larger choices those that a rank makes of the smaller ones."""
    for rank_sum, ways in smaller.items():
        larger[rank_sum + rank] += ways
