"""Two systems on the same queries: their mean difference, its p-value and what could be shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, sqrt
from operator import mul
from random import Random
from typing import Final

from goldwright.stats.student_t import student_quantile

# 2^14 = 16,384 choices of signs are about as many as the draws that replace them beyond that.
MOST_EXACT: Final = 14
DRAWS: Final = 9_999
LEVEL: Final = 0.95
POWER: Final = 0.8
# Sums this close together are equal: floats add up differently in another order.
_ROUNDING: Final = 1e-12
_BITS_IN_A_BYTE: Final = 8


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The differences b - a over n queries, each in -1..1.

    Attributes:
        n: The number of queries.
        mean: The mean difference.
        interval: Student's 95 % interval of the mean; None for fewer than two queries.
        p_value: Two-sided p-value of the sign-flip permutation test.
        smallest_p: The smallest p-value that so many differences could have had.
        smallest_detectable: The true difference that this many queries, spread as these are, show
            at the tested level with a power of 80 %. None where no difference could be shown: all
            are equal, or too few differ for a p-value at that level.
        wins: The queries on which b is better.
        ties: The queries on which both are equal.
        losses: The queries on which a is better.
    """

    n: int
    mean: float
    interval: tuple[float, float] | None
    p_value: float
    smallest_p: float
    smallest_detectable: float | None
    wins: int
    ties: int
    losses: int

    @property
    def is_at_odds(self) -> bool:
        """Whether only one of p and interval excludes, alone, that there is no difference."""
        if self.interval is None:
            return False
        low, high = self.interval
        is_excluded = low > 0 or high < 0
        return is_excluded is not (self.p_value <= 1 - LEVEL)


def compare_pairs(
    differences: Sequence[float], *, seed: int, alpha: float = 1 - LEVEL
) -> PairedDifference:
    """Compare two systems by the differences of their values on the same queries.

    The permutation test flips the signs of the differences, which are equally likely where neither
    system is better. Where at most 14 differ from 0 it goes through all choices of signs; else it
    draws 9,999 of them, and p = (1 + draws as far from 0) / (1 + draws).

    Source: M. Smucker, J. Allan and B. Carterette, "A comparison of statistical significance tests
    for information retrieval evaluation", CIKM 2007; the detectable difference is (t(1 - alpha/2) +
    t(power)) sd / sqrt(n), after T. Sakai, "Laboratory Experiments in Information Retrieval"
    (2018).

    Args:
        differences: One per query, each in -1..1.
        seed: Determines the draws.
        alpha: The level at which a difference counts as shown; below 5 % where several are tested
            together.

    Raises:
        ValueError: There are no differences.
    """
    n = len(differences)
    if not n:
        raise ValueError("a comparison wants at least one query that both systems were asked")
    mean = fsum(differences) / n
    nonzero = [difference for difference in differences if abs(difference) > _ROUNDING]
    nonzero_count = len(nonzero)
    wins = sum(difference > 0 for difference in nonzero)
    standard_error = _standard_error(differences, mean)
    smallest_p = _smallest_p(nonzero_count)
    detectable = None
    if nonzero and smallest_p <= alpha:
        detectable = _smallest_detectable(n, standard_error, alpha)
    interval = _student_interval(n, mean, standard_error)
    return PairedDifference(
        n=n,
        mean=mean,
        interval=interval,
        p_value=_sign_flip_p_value(nonzero, seed),
        smallest_p=smallest_p,
        smallest_detectable=detectable,
        wins=wins,
        ties=n - nonzero_count,
        losses=nonzero_count - wins,
    )


def _standard_error(values: Sequence[float], mean: float) -> float:
    """Estimate the standard error of the mean, sd / sqrt(n); 0 for one value."""
    n = len(values)
    if n == 1:
        return 0.0
    squares = fsum((value - mean) ** 2 for value in values)
    return sqrt(squares / (n - 1) / n)


def _smallest_p(nonzero_count: int) -> float:
    """Compute the smallest p-value, that of differences which all have the same sign."""
    # Two of all choices of signs are as far from 0: these signs, and all of them flipped.
    smallest = 2.0 ** (1 - nonzero_count)
    if nonzero_count > MOST_EXACT:
        smallest = max(smallest, 1 / (DRAWS + 1))
    return min(1.0, smallest)


def _smallest_detectable(n: int, standard_error: float, alpha: float) -> float | None:
    """Compute the detectable difference; None where it is above 1, which none can be."""
    if n == 1:
        return None
    freedom = n - 1
    critical = student_quantile(1 - alpha / 2, freedom)
    reserve = student_quantile(POWER, freedom)
    difference = (critical + reserve) * standard_error
    if difference > 1:
        return None
    return difference


def _student_interval(n: int, mean: float, standard_error: float) -> tuple[float, float] | None:
    if n == 1:
        return None
    upper_tail = (1 + LEVEL) / 2
    critical = student_quantile(upper_tail, n - 1)
    margin = critical * standard_error
    return mean - margin, mean + margin


def _sign_flip_p_value(nonzero: Sequence[float], seed: int) -> float:
    if not nonzero:
        return 1.0
    threshold = abs(fsum(nonzero)) - _ROUNDING
    if len(nonzero) <= MOST_EXACT:
        all_sums = _sums_of_all_signs(nonzero)
        as_far = _count_as_far(all_sums, threshold)
        return as_far / (1 << len(nonzero))
    drawn_sums = _sums_of_drawn_signs(nonzero, seed)
    as_far = _count_as_far(drawn_sums, threshold)
    return (1 + as_far) / (1 + DRAWS)


def _count_as_far(sums: Iterable[float], threshold: float) -> int:
    return sum(abs(total) >= threshold for total in sums)


def _sums_of_all_signs(values: Sequence[float]) -> Iterable[float]:
    count = len(values)
    for signs in product((1, -1), repeat=count):
        yield sum(map(mul, signs, values))


def _sums_of_drawn_signs(values: Sequence[float], seed: int) -> Iterable[float]:
    """Draw sums of values with random signs, eight values at a time.

    A random byte chooses one of the 256 sums of eight values, so that one look-up replaces eight
    random signs.
    """
    random = Random(seed)  # noqa: S311  # flips signs, no secret
    columns: list[Iterable[float]] = []
    for first in range(0, len(values), _BITS_IN_A_BYTE):
        eight_values = values[first : first + _BITS_IN_A_BYTE]
        sums_by_byte = _sums_by_byte(eight_values)
        random_bytes = random.randbytes(DRAWS)
        columns.append(map(sums_by_byte.__getitem__, random_bytes))
    return map(sum, zip(*columns, strict=True))


def _sums_by_byte(values: Sequence[float]) -> list[float]:
    """Sum at most eight values under all choices of their signs.

    With fewer than eight the sums are repeated, so that every byte finds one, and each sum is
    found equally often.
    """
    sums = [0.0]
    for value in values:
        longer: list[float] = []
        for total in sums:
            longer += (total + value, total - value)
        sums = longer
    repetitions = 256 // len(sums)
    return sums * repetitions
