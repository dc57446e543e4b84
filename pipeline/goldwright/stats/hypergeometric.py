"""Exact upper bounds on the bad records of a finite batch, from a reviewed random sample."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb


@dataclass(frozen=True, slots=True)
class SampledStratum:
    """A batch, or a part of it, from which a sample was drawn without replacement.

    Attributes:
        size: The number of records it holds.
        sampled: How many of them were reviewed.
        bad: How many of the reviewed ones were found bad.

    Raises:
        ValueError: Not ``0 <= bad <= sampled <= size``.
    """

    size: int
    sampled: int
    bad: int

    def __post_init__(self) -> None:
        if not 0 <= self.bad <= self.sampled <= self.size:
            raise ValueError(
                f"{self.bad} bad of {self.sampled} sampled of {self.size} are no counts of a sample"
            )


def upper_bound(
    bad: int, sampled: int, population: int, *, alpha: float = 0.05, sensitivity: float = 1.0
) -> int:
    """Compute the most bad records that a batch may hold, including those that were found.

    It is the largest M with P(found <= bad | M) >= alpha for a simple random sample of n of the N
    records, P(found = k | M) = sum over x of C(M, x) C(N - M, n - x) / C(N, n) * C(x, k) s^k (1 -
    s)^(x - k): the hypergeometric distribution, thinned where the sensitivity s is below 1. All
    arithmetic is on integers; alpha and the sensitivity are read as the decimals that they are
    written as. A true M lies above the bound in less than a share alpha of all samples.

    Source: J. P. Buonaccorsi, "A note on confidence intervals for proportions in finite
    populations", The American Statistician 41 (1987), 215-218; the thinning is the law of total
    probability.

    Args:
        bad: The records of the sample that were found bad.
        sampled: The records that were reviewed, drawn from the whole batch at random.
        population: The records of the batch.
        alpha: The risk that the batch holds more than the bound, between 0 and 1.
        sensitivity: The probability that a bad record that is reviewed is found to be bad, 0 to 1.

    Raises:
        ValueError: The counts do not lie within one another, or alpha or the sensitivity is out of
            range.
    """
    sample = SampledStratum(population, sampled, bad)
    risk = exact_risk(alpha)
    catch_rate = exact_sensitivity(sensitivity)
    fewest_ways = ceil(risk * count_all_ways(sample, catch_rate))

    def negative_ways(bad_held: int) -> int:
        ways = list_ways(sample, catch_rate, bad_held=bad_held, most_found=bad)
        return -sum(ways)

    # The more bad records it holds, the fewer ways find so few. Bisection wants them to rise.
    possible = range(population + 1)
    return bisect_right(possible, -fewest_ways, key=negative_ways) - 1


def smallest_sample(
    population: int, most_bad: int, *, bad: int = 0, alpha: float = 0.05
) -> int | None:
    """Compute the fewest records to review to show that a batch has no more bad ones than that.

    It is the smallest n with ``upper_bound(bad, n, population) <= most_bad``, which falls as n
    grows; the reviewer is assumed to find every bad record. None where even a review of the whole
    batch would show more.

    Source: the inversion of ``upper_bound``; the discovery sample of auditing where ``bad`` is 0.

    Args:
        population: The records of the batch.
        most_bad: The number of bad records that the review is to show the batch does not exceed.
        bad: The bad records that the review may find.
        alpha: The risk that the batch holds more all the same, between 0 and 1.

    Raises:
        ValueError: There are more bad records than records, or alpha is out of range.
    """
    if upper_bound(bad, population, population, alpha=alpha) > most_bad:
        return None

    def negative_bound(sampled: int) -> int:
        return -upper_bound(bad, sampled, population, alpha=alpha)

    # At least the bad records themselves have to be sampled.
    possible = range(bad, population)
    return bad + bisect_left(possible, -most_bad, key=negative_bound)


def exact_risk(alpha: float) -> Fraction:
    """Read a risk as the decimal that it is written as: 0.05 is exactly 1/20.

    Raises:
        ValueError: It is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"a risk lies between 0 and 1, and {alpha} does not")
    return Fraction(str(alpha))


def exact_sensitivity(sensitivity: float) -> Fraction:
    """Read a sensitivity as the decimal that it is written as.

    Raises:
        ValueError: It is not in 0..1.
    """
    if not 0 <= sensitivity <= 1:
        raise ValueError(f"a sensitivity lies between 0 and 1, and {sensitivity} does not")
    return Fraction(str(sensitivity))


def count_all_ways(stratum: SampledStratum, sensitivity: Fraction) -> int:
    """Count the equally likely ways to draw a sample and to review its records.

    The review of a record goes as many ways as the denominator of the sensitivity; a bad record
    is found in as many of them as the numerator.
    """
    samples = comb(stratum.size, stratum.sampled)
    return samples * _power(sensitivity.denominator, stratum.sampled)


def list_ways(
    stratum: SampledStratum, sensitivity: Fraction, *, bad_held: int, most_found: int
) -> tuple[int, ...]:
    """List the ways to find exactly 0, 1, …, ``most_found`` of the ``bad_held`` records."""
    counts = range(most_found + 1)
    return tuple(_count_ways(stratum, sensitivity, bad_held, found_count) for found_count in counts)


def _count_ways(
    stratum: SampledStratum, sensitivity: Fraction, bad_held: int, found_count: int
) -> int:
    """Sum the ways over the number of bad records that the sample may hold."""
    catching = sensitivity.numerator
    reviews = sensitivity.denominator
    missing = reviews - catching
    good_held = stratum.size - bad_held
    # A reviewer who misses nothing finds every bad record of the sample.
    most_sampled = min(stratum.sampled, bad_held if missing else found_count)
    ways = 0
    for bad_sampled in range(found_count, most_sampled + 1):
        good_sampled = stratum.sampled - bad_sampled
        missed_count = bad_sampled - found_count
        samples = comb(bad_held, bad_sampled) * comb(good_held, good_sampled)
        choices_of_found = comb(bad_sampled, found_count)
        found_ways = _power(catching, found_count)
        missed_ways = _power(missing, missed_count)
        good_ways = _power(reviews, good_sampled)
        ways += samples * choices_of_found * found_ways * missed_ways * good_ways
    return ways


def _power(base: int, exponent: int) -> int:
    """Raise to a power that is not negative, which type checkers cannot know to be an integer."""
    power: int = base**exponent
    return power
