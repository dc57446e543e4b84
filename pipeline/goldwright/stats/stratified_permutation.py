"""Two means compared within strata by a permutation test, and what such a test could detect."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum, isfinite, sqrt
from operator import mul
from random import Random
from statistics import NormalDist
from typing import Final, TypeAlias

from goldwright.stats.student_t import student_quantile

# With fewer permutations than this divided by alpha, the p-values near alpha lie too far apart for
# the approximation of the power.
_FEWEST_PERMUTATIONS: Final = 50
# Values and differences this close together, relative to the largest value, are equal.
_RELATIVE_ROUNDING: Final = 1e-12

# Stratum and value of each unit.
Sample: TypeAlias = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class PermutationComparison:
    """How far the mean of a sample lies from that of a reference, and how significant that is.

    Attributes:
        difference: The weighted mean of the sample minus that of the reference.
        p_value: The two-sided p-value of the hypothesis that both have the same distribution,
            above 0 and at most 1.
        smallest_detectable: The true difference, in either direction, that the test would detect
            with the requested power; above 0, in the unit of the values. None where the values of
            no stratum differ, or where there are too few to know.
        left_out: The strata that only one side has values of, in order; they are ignored.
    """

    difference: float
    p_value: float
    smallest_detectable: float | None
    left_out: tuple[str, ...]


def compare_means(
    sample: Sample,
    reference: Sample,
    *,
    seed: int,
    draws: int = 9999,
    power: float = 0.8,
    alpha: float = 0.05,
    least: float = 0.0,
) -> PermutationComparison:
    """Compare the means of two samples by a permutation test within strata.

    difference = sum over strata of w_s (mean of the sample in s - mean of the reference in s), with
    w_s the share of stratum s in the sample, over the strata that both have values of. For the
    p-value the values of each stratum are permuted between sample and reference, ``draws`` times: p
    = (1 + number of differences at least as far from 0) / (draws + 1). The order of the values in
    the samples makes no difference.

    Source: B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", Statistical
    Applications in Genetics and Molecular Biology 9 (2010), article 39; of smallest_detectable, W.
    Hoeffding (1952) and M. Abramowitz and I. A. Stegun (1964), in full at ``_smallest_detectable``.

    Args:
        sample: Its strata give the weights.
        reference: What it is compared with.
        seed: Determines the permutations.
        draws: The number of permutations, 1 or more.
        power: The share of samples in which smallest_detectable is detected, between 0 and 1.
        alpha: The p-value below which a difference is significant, between 0 and 1.
        least: How far a difference must be from 0 to count, besides being significant; 0 or more.

    Raises:
        ValueError: The samples share no stratum, a value is not finite, there are no draws, or the
            power or alpha is not between 0 and 1, or least is negative.
    """
    _check_arguments(draws, power, alpha, least)
    sample_values = _values_by_stratum(sample)
    reference_values = _values_by_stratum(reference)
    strata = _shared_strata(sample_values, reference_values)
    if not strata:
        raise ValueError(
            "the two samples have no stratum in common, so their means cannot be compared"
        )
    difference = _observed_difference(strata)
    left_out = sample_values.keys() ^ reference_values.keys()
    p_value = _p_value(strata, difference, seed, draws)
    return PermutationComparison(
        difference=difference,
        p_value=p_value,
        smallest_detectable=_smallest_detectable(strata, power, alpha, least),
        left_out=tuple(sorted(left_out)),
    )


@dataclass(frozen=True, slots=True)
class _SharedStratum:
    """A stratum that both samples have values of.

    Attributes:
        deviations: The values minus their common mean, those of the sample first.
        sample_size: How many of them are the sample's.
        weight: The share of this stratum in the sample.
        scale: The weighted difference of means per unit of the sum of the sample's deviations.
        rounding: The largest distance of two values that are still equal.
    """

    deviations: tuple[float, ...]
    sample_size: int
    weight: float
    scale: float
    rounding: float

    @property
    def size(self) -> int:
        """How many values both samples have."""
        return len(self.deviations)

    @property
    def largest_deviation(self) -> float:
        """How far the farthest value lies from the mean, in either direction."""
        return max(map(abs, self.deviations))

    @property
    def varies(self) -> bool:
        """Whether the values differ by more than rounding."""
        width = max(self.deviations) - min(self.deviations)
        return width > self.rounding


def _check_arguments(draws: int, power: float, alpha: float, least: float) -> None:
    if draws < 1:
        raise ValueError(f"a permutation test takes a draw or more, not {draws}")
    if not 0 < power < 1:
        raise ValueError(f"power lies between 0 and 1, and {power} does not")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, and {alpha} does not")
    # Negated, so that NaN is refused as well.
    if not least >= 0:
        raise ValueError(f"the least difference is 0 or more, and {least} is not")


def _values_by_stratum(sample: Sample) -> dict[str, list[float]]:
    strata: defaultdict[str, list[float]] = defaultdict(list)
    for stratum, value in sorted(sample):
        if not isfinite(value):
            raise ValueError(f"the value {value} in stratum {stratum!r} is not a finite number")
        strata[stratum].append(value)
    return dict(strata)


def _shared_strata(
    sample_values: Mapping[str, list[float]], reference_values: Mapping[str, list[float]]
) -> list[_SharedStratum]:
    shared = sample_values.keys() & reference_values.keys()
    names = sorted(shared)
    total = sum(len(sample_values[name]) for name in names)
    strata: list[_SharedStratum] = []
    for name in names:
        values = sample_values[name]
        weight = len(values) / total
        stratum = _centred_stratum(values, reference_values[name], weight)
        strata.append(stratum)
    return strata


def _centred_stratum(
    sample_values: Sequence[float], reference_values: Sequence[float], weight: float
) -> _SharedStratum:
    values = [*sample_values, *reference_values]
    mean = fsum(values) / len(values)
    largest = max(map(abs, values))
    # All deviations sum to 0, so the reference's sum is the negative of the sample's.
    scale = weight * (1 / len(sample_values) + 1 / len(reference_values))
    return _SharedStratum(
        deviations=tuple(value - mean for value in values),
        sample_size=len(sample_values),
        weight=weight,
        scale=scale,
        rounding=_RELATIVE_ROUNDING * largest,
    )


def _observed_difference(strata: Iterable[_SharedStratum]) -> float:
    terms: list[float] = []
    for stratum in strata:
        sample_deviations = stratum.deviations[: stratum.sample_size]
        terms.append(stratum.scale * fsum(sample_deviations))
    return fsum(terms)


def _p_value(strata: Sequence[_SharedStratum], observed: float, seed: int, draws: int) -> float:
    if not _any_varies(strata):
        return 1.0
    largest = max(stratum.largest_deviation for stratum in strata)
    # Differences that rounding alone holds below the observed one count as equal to it.
    threshold = abs(observed) - _RELATIVE_ROUNDING * largest
    random = Random(seed)  # noqa: S311  # reproducible draws, no secret
    as_far = 0
    for _ in range(draws):
        difference = _permuted_difference(strata, random)
        as_far += abs(difference) >= threshold
    return (1 + as_far) / (draws + 1)


def _permuted_difference(strata: Iterable[_SharedStratum], random: Random) -> float:
    return fsum(
        stratum.scale * fsum(random.sample(stratum.deviations, stratum.sample_size))
        for stratum in strata
    )


def _any_varies(strata: Iterable[_SharedStratum]) -> bool:
    return any(stratum.varies for stratum in strata)


def _smallest_detectable(
    strata: Sequence[_SharedStratum], power: float, alpha: float, least: float
) -> float | None:
    """Compute the true difference that the permutation test detects with the requested power.

    It is max(t (1 - 1 / 4f) se, least) + z_power se sqrt(1 + t^2 / 2f): a share ``power`` of
    samples shows a difference that is significant and no less than ``least``. t is the quantile of
    Student's t for 1 - alpha/2 and f degrees of freedom, one less than sd has. It is None where sd
    is 0, and where there are fewer than 50 / alpha permutations: the p-values then lie too far
    apart, and the approximation promises too much.

    Source: that the permutation test has the power of Student's in large samples: W. Hoeffding,
    "The large-sample power of tests based on permutations of observations", Annals of Mathematical
    Statistics 23 (1952), 169-192; for that power, the normal approximation of the noncentral t in
    M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.10.
    """
    if not _any_varies(strata):
        return None
    if _count_permutations(strata) < _FEWEST_PERMUTATIONS / alpha:
        return None
    sd_freedom = _degrees_of_freedom(strata)
    standard_error = _standard_error(strata, sd_freedom)
    f = sd_freedom - 1
    t = student_quantile(1 - alpha / 2, f)
    location = 1 - 1 / (4 * f)
    significant = t * location * standard_error
    z = NormalDist().inv_cdf(power)
    scale = sqrt(1 + t**2 / (2 * f))
    reserve = z * standard_error * scale
    return max(significant, least) + reserve


def _count_permutations(strata: Iterable[_SharedStratum]) -> int:
    permutations = 1
    for stratum in strata:
        permutations *= comb(stratum.size, stratum.sample_size)
    return permutations


def _degrees_of_freedom(strata: Iterable[_SharedStratum]) -> int:
    freedom = 0
    for stratum in strata:
        # One value of each stratum follows from its mean and the others.
        freedom += stratum.size - 1
    return freedom


def _standard_error(strata: Sequence[_SharedStratum], freedom: int) -> float:
    """Estimate the standard error of the difference, se = sd sqrt(1 / n + 1 / n_ref).

    sd is the standard deviation of all values about the means of their strata, made unbiased by 1 +
    1 / 4 (degrees of freedom); an existing difference widens it a little, so the figure errs
    upwards. n counts the values of the sample, and n_ref = 1 / sum of w_s^2 / n_ref,s is the
    effective size of the reference.
    """
    squares: list[float] = []
    variance_factors: list[float] = []
    for stratum in strata:
        deviations = stratum.deviations
        squares.extend(map(mul, deviations, deviations))
        variance_factors.append(stratum.weight * stratum.scale)
    bias_correction = 1 + 1 / (4 * freedom)
    variance = fsum(squares) / freedom
    deviation = sqrt(variance) * bias_correction
    return deviation * sqrt(fsum(variance_factors))
