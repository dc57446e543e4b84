"""Comparison of the means of two independent samples that fall into strata."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, fsum, isfinite, sqrt
from random import Random
from typing import Final, TypeAlias

_HALVINGS: Final = 100
_FURTHEST: Final = 40.0
_ROUNDING: Final = 1e-12

Sample: TypeAlias = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far the mean of one sample lies from that of another, and what that proves.

    Attributes:
        difference: The weighted mean of one sample less that of the other.
        p_value: The two-sided p-value that both are drawn alike, above 0 and at most 1.
        smallest_detectable: The true difference, either way, that the test would find with the power asked for.
        left_out: The strata that only one of the samples has values of, in order; they count nowhere.
    """

    difference: float
    p_value: float
    smallest_detectable: float
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Shared:
    """A stratum that both samples have values of: those of the one first, and all centred on their mean."""

    centred: tuple[float, ...]
    one_count: int
    weight: float

    @property
    def scale(self) -> float:
        """The difference that a sum of 1 over the values of the one sample makes, since all sum to 0."""
        return self.weight * (1 / self.one_count + 1 / (len(self.centred) - self.one_count))


def compare_means(
    one: Sample, other: Sample, *, seed: int, draws: int = 9999, power: float = 0.8, alpha: float = 0.05
) -> Comparison:
    """Compare the means of two samples of (stratum, value) by a permutation test within strata.

    difference = sum over strata of w_s (mean of one in s - mean of other in s), with w_s the share of stratum s
    in the one sample, over the strata that both have values of. For the p-value the values of each stratum are dealt
    anew to both samples, ``draws`` times: p = (1 + number of differences at least as far from 0) / (draws + 1).

    smallest_detectable = (z_(1 - alpha/2) + z_power) sd sqrt(1 / n_one + 1 / n_other), the normal
    approximation. sd is the standard deviation of the values about the means of their strata, both samples
    together (a difference that is there widens it a little, so the figure errs upward); n_one counts the
    values of the one sample, and n_other = 1 / sum of w_s^2 / n_other,s the effective size of the other.

    The order of the values in the samples makes no difference.

    Source: B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", Statistical
    Applications in Genetics and Molecular Biology 9 (2010), article 39; for the power J. Cohen, "Statistical
    Power Analysis for the Behavioral Sciences" (1988), chapter 2.

    Raises:
        ValueError: The samples share no stratum, a value is not finite, there are no draws, or the power or alpha
            is not between 0 and 1.
    """
    _refuse(draws, power, alpha)
    ones, others = _by_stratum(one), _by_stratum(other)
    shared = _shared(ones, others)
    if not shared:
        raise ValueError("the two samples have no stratum in common, so their means can not be compared")
    difference = _observed(shared)
    reach = (_quantile(1 - alpha / 2) + _quantile(power)) * _standard_error(shared)
    left_out = tuple(sorted(ones.keys() ^ others.keys()))
    return Comparison(difference, _p_value(shared, difference, Random(seed), draws), reach, left_out)  # noqa: S311  # reproducible draws, no secrets


def _refuse(draws: int, power: float, alpha: float) -> None:
    if draws < 1:
        raise ValueError(f"a permutation test takes a draw or more, not {draws}")
    for name, value in (("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise ValueError(f"{name} lies between 0 and 1, and {value} does not")


def _by_stratum(sample: Sample) -> dict[str, list[float]]:
    strata: defaultdict[str, list[float]] = defaultdict(list)
    for stratum, value in sorted(sample):
        if not isfinite(value):
            raise ValueError(f"the value {value} in stratum {stratum!r} is not a finite number")
        strata[stratum].append(value)
    return dict(strata)


def _shared(ones: dict[str, list[float]], others: dict[str, list[float]]) -> list[_Shared]:
    names = sorted(ones.keys() & others.keys())
    total = sum(len(ones[name]) for name in names)
    return [_Shared(_centred([*ones[name], *others[name]]), len(ones[name]), len(ones[name]) / total) for name in names]


def _centred(values: list[float]) -> tuple[float, ...]:
    mean = fsum(values) / len(values)
    return tuple(value - mean for value in values)


def _observed(strata: Sequence[_Shared]) -> float:
    return fsum(stratum.scale * fsum(stratum.centred[: stratum.one_count]) for stratum in strata)


def _p_value(strata: Sequence[_Shared], observed: float, random: Random, draws: int) -> float:
    """Count a draw that differs from the observed difference by rounding alone as equal to it."""
    rounding = _ROUNDING * max(abs(value) for stratum in strata for value in stratum.centred)
    as_far = sum(abs(_drawn(strata, random)) >= abs(observed) - rounding for _ in range(draws))
    return (1 + as_far) / (draws + 1)


def _drawn(strata: Sequence[_Shared], random: Random) -> float:
    return fsum(stratum.scale * fsum(random.sample(stratum.centred, stratum.one_count)) for stratum in strata)


def _standard_error(strata: Sequence[_Shared]) -> float:
    squares = fsum(value * value for stratum in strata for value in stratum.centred)
    freedom = sum(len(stratum.centred) - 1 for stratum in strata)
    return sqrt(squares / freedom * fsum(stratum.weight * stratum.scale for stratum in strata))


def _quantile(probability: float) -> float:
    """Find the point below which a standard normal value falls with that probability."""
    low, high = -_FURTHEST, _FURTHEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if erfc(-middle / sqrt(2)) / 2 < probability else (low, middle)
    return (low + high) / 2
