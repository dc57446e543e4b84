"""Comparison of the means of two independent samples that fall into strata."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, fsum, isfinite, prod, sqrt
from random import Random
from statistics import NormalDist
from typing import Final, TypeAlias

from goldwright.stats.student_t import student_quantile

_FEWEST_DEALS: Final = 50
_ROUNDING: Final = 1e-12

Sample: TypeAlias = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class PermutationComparison:
    """How far the mean of one sample lies from that of another, and what that proves.

    Attributes:
        difference: The weighted mean of one sample less that of the other.
        p_value: The two-sided p-value that both are drawn alike, above 0 and at most 1.
        smallest_detectable: The true difference, either way, that the test would find with the
            power asked for; above 0, in the unit of the values. None where no values of a stratum
            differ, or where there are too few to tell.
        left_out: The strata that only one of the samples has values of, in order; they count
            nowhere.
    """

    difference: float
    p_value: float
    smallest_detectable: float | None
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SharedDraws:
    """A stratum that both samples have values of: those of the one first, and all centred on their
    mean.
    """

    centred: tuple[float, ...]
    one_count: int
    weight: float
    rounding: float

    @property
    def scale(self) -> float:
        """The difference that a sum of 1 over the values of the one sample makes, since all sum to
        0.
        """
        return self.weight * (1 / self.one_count + 1 / (len(self.centred) - self.one_count))


def compare_means(
    one: Sample,
    other: Sample,
    *,
    seed: int,
    draws: int = 9999,
    power: float = 0.8,
    alpha: float = 0.05,
    least: float = 0.0,
) -> PermutationComparison:
    """Compare the means of two samples of (stratum, value) by a permutation test within strata.

    difference = sum over strata of w_s (mean of one in s - mean of other in s), with w_s the share
    of stratum s in the one sample, over the strata that both have values of. For the p-value the
    values of each stratum are dealt anew to both samples, ``draws`` times: p = (1 + number of
    differences at least as far from 0) / (draws + 1).

    smallest_detectable = max(t (1 - 1 / 4f) se, least) + z_power se sqrt(1 + t^2 / 2f): the true
    difference of which that share of samples shows a difference both significant and no less than
    ``least``. t is the quantile of Student's t for 1 - alpha/2 and f degrees of freedom, one less
    than sd has; se = sd sqrt(1 / n_one + 1 / n_other). sd is the standard deviation of the values
    about the means of their strata, both samples together (a difference that is there widens it a
    little, so the figure errs upward), made unbiased by 1 + 1 / 4(f + 1); n_one counts the values
    of the one sample, and n_other = 1 / sum of w_s^2 / n_other,s is the effective size of the
    other. It is None where sd is 0, and where the values can be dealt in fewer than 50 / alpha
    ways: the test then rejects by leaps, and the approximation promises too much.

    The order of the values in the samples makes no difference.

    Source: B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", Statistical
    Applications in Genetics and Molecular Biology 9 (2010), article 39; that the permutation test
    has the power of Student's in large samples: W. Hoeffding, "The large-sample power of tests
    based on permutations of observations", Annals of Mathematical Statistics 23 (1952), 169-192;
    for the power of that, the normal approximation of the noncentral t in M. Abramowitz and I. A.
    Stegun, "Handbook of Mathematical Functions" (1964), 26.7.10.

    Args:
        one: The sample whose strata give the weights.
        other: The sample it is compared with.
        seed: Settles the draws.
        draws: How often the values are dealt, 1 or more.
        power: The share of samples in which smallest_detectable is found, between 0 and 1.
        alpha: The p-value below which a difference is significant, between 0 and 1.
        least: What a difference must reach to count, besides being significant; 0 or more.

    Raises:
        ValueError: The samples share no stratum, a value is not finite, there are no draws, or the
            power or alpha is not between 0 and 1, or least is negative.
    """
    _refuse(draws, power, alpha, least)
    ones, others = _by_stratum(one), _by_stratum(other)
    shared = _shared(ones, others)
    if not shared:
        raise ValueError(
            "the two samples have no stratum in common, so their means cannot be compared"
        )
    difference = _observed(shared)
    reach = _reach(shared, power, alpha, least)
    left_out = tuple(sorted(ones.keys() ^ others.keys()))
    return PermutationComparison(
        difference, _p_value(shared, difference, Random(seed), draws), reach, left_out
    )  # noqa: S311  # reproducible draws, no secrets


def _refuse(draws: int, power: float, alpha: float, least: float) -> None:
    if draws < 1:
        raise ValueError(f"a permutation test takes a draw or more, not {draws}")
    for name, value in (("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise ValueError(f"{name} lies between 0 and 1, and {value} does not")
    if not least >= 0:
        raise ValueError(f"the least difference is 0 or more, and {least} is not")


def _by_stratum(sample: Sample) -> dict[str, list[float]]:
    strata: defaultdict[str, list[float]] = defaultdict(list)
    for stratum, value in sorted(sample):
        if not isfinite(value):
            raise ValueError(f"the value {value} in stratum {stratum!r} is not a finite number")
        strata[stratum].append(value)
    return dict(strata)


def _shared(ones: dict[str, list[float]], others: dict[str, list[float]]) -> list[_SharedDraws]:
    names = sorted(ones.keys() & others.keys())
    total = sum(len(ones[name]) for name in names)
    return [_stratum(ones[name], others[name], len(ones[name]) / total) for name in names]


def _stratum(ones: list[float], others: list[float], weight: float) -> _SharedDraws:
    values = [*ones, *others]
    mean = fsum(values) / len(values)
    rounding = _ROUNDING * max(map(abs, values))
    return _SharedDraws(tuple(value - mean for value in values), len(ones), weight, rounding)


def _observed(strata: Sequence[_SharedDraws]) -> float:
    return fsum(stratum.scale * fsum(stratum.centred[: stratum.one_count]) for stratum in strata)


def _p_value(strata: Sequence[_SharedDraws], observed: float, random: Random, draws: int) -> float:
    """Count a draw that differs from the observed difference by rounding alone as equal to it."""
    if not _varies(strata):
        return 1.0
    rounding = _ROUNDING * max(abs(value) for stratum in strata for value in stratum.centred)
    as_far = sum(abs(_drawn(strata, random)) >= abs(observed) - rounding for _ in range(draws))
    return (1 + as_far) / (draws + 1)


def _drawn(strata: Sequence[_SharedDraws], random: Random) -> float:
    return fsum(
        stratum.scale * fsum(random.sample(stratum.centred, stratum.one_count))
        for stratum in strata
    )


def _varies(strata: Sequence[_SharedDraws]) -> bool:
    """Tell whether the values of any stratum differ by more than rounding."""
    return any(max(stratum.centred) - min(stratum.centred) > stratum.rounding for stratum in strata)


def _reach(
    strata: Sequence[_SharedDraws], power: float, alpha: float, least: float
) -> float | None:
    deals = prod(comb(len(stratum.centred), stratum.one_count) for stratum in strata)
    if not _varies(strata) or deals < _FEWEST_DEALS / alpha:
        return None
    freedom = sum(len(stratum.centred) - 1 for stratum in strata)
    squares = fsum(value * value for stratum in strata for value in stratum.centred)
    spread = sqrt(squares / freedom) * (1 + 1 / (4 * freedom))
    error = spread * sqrt(fsum(stratum.weight * stratum.scale for stratum in strata))
    critical = student_quantile(1 - alpha / 2, freedom - 1)
    significant = critical * (1 - 1 / (4 * (freedom - 1))) * error
    chance = NormalDist().inv_cdf(power) * error * sqrt(1 + critical**2 / (2 * (freedom - 1)))
    return max(significant, least) + chance
