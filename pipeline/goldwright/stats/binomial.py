"""Confidence intervals for a binomial rate, and the distribution that they rest on."""

from collections.abc import Callable, Iterator
from math import exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import Final

# A guard: bisecting 0..1 ends by itself after about 55 steps, when it has reached two neighbouring
# floats, but later near 0, where floats lie closer together.
_MOST_BISECTIONS: Final = 100
# Far below the precision of a double (about 1e-16), so that the terms left out never show.
_NEGLIGIBLE_SHARE: Final = 1e-20


def clopper_pearson(
    successes: int, trials: int, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Compute the exact two-sided confidence interval of a binomial rate.

    Each limit is the rate at which a result this extreme has half of the remaining probability.
    The interval covers the true rate with at least the stated confidence, however few the trials.
    Without trials it is 0 to 1.

    Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated
    in the case of the binomial", Biometrika 26 (1934), 404-413.

    Raises:
        ValueError: There are more successes than trials or a count is negative, or the confidence
            is not between 0 and 1.
    """
    _check_arguments(successes, trials, confidence)
    tail = (1 - confidence) / 2
    failures = trials - successes
    lower = _exact_lower_limit(successes, trials, tail)
    # The failures' lower limit, mirrored: the upper limit needs no formula of its own.
    upper = 1 - _exact_lower_limit(failures, trials, tail)
    return lower, upper


def mid_p(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Compute the two-sided mid-P confidence interval of a binomial rate.

    The exact interval is conservative, because it counts the whole probability of the observed
    result: at 60 trials it covers 0.967 on average where 0.95 is asked for. This interval counts
    half of that probability and so covers the stated confidence on average. Without failures or
    without successes it equals the exact interval.

    Source: H. O. Lancaster, "Significance tests in discrete distributions", JASA 56 (1961),
    223-234.

    Raises:
        ValueError: There are more successes than trials or a count is negative, or the confidence
            is not between 0 and 1.
    """
    if successes in {0, trials}:
        return clopper_pearson(successes, trials, confidence=confidence)
    _check_arguments(successes, trials, confidence)
    tail = (1 - confidence) / 2
    failures = trials - successes
    lower = _mid_p_lower_limit(successes, trials, tail)
    upper = 1 - _mid_p_lower_limit(failures, trials, tail)
    return lower, upper


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Compute the two-sided score interval of a binomial rate.

    It is the set of rates that a z-test would not reject. It covers the stated confidence on
    average, never leaves 0 to 1, and holds a limit of 0 or 1 only where no success or no failure
    was seen. Without trials it is 0 to 1.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    JASA 22 (1927), 209-212.

    Raises:
        ValueError: There are more successes than trials or a count is negative, or the confidence
            is not between 0 and 1.
    """
    _check_arguments(successes, trials, confidence)
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    failures = trials - successes
    centre = successes + z**2 / 2
    half_width = z * sqrt(successes * failures / trials + z**2 / 4)
    # The formula gives these limits only up to rounding.
    lower = (centre - half_width) / (trials + z**2) if successes else 0.0
    upper = (centre + half_width) / (trials + z**2) if failures else 1.0
    return lower, upper


def binomial_tail(successes: int, trials: int, rate: float) -> float:
    """Compute P(X >= successes) for a rate strictly between 0 and 1.

    The sum starts at its largest term and goes outwards until the terms become negligible.
    """
    if successes > trials:
        return 0.0
    mode = int((trials + 1) * rate)
    peak = max(successes, min(mode, trials))
    peak_probability = binomial_probability(peak, trials, rate)
    odds = rate / (1 - rate)
    above = _terms_above(peak, trials, odds, peak_probability)
    below = _terms_below(peak, successes, trials, odds, peak_probability)
    return fsum([peak_probability, *above, *below])


def binomial_cdf(successes: int, trials: int, rate: float) -> float:
    """Compute P(X <= successes) for a rate in 0..1."""
    if rate == 0:
        return 1.0
    if rate == 1:
        return float(successes == trials)
    counts = range(successes + 1)
    total = fsum(binomial_probability(count, trials, rate) for count in counts)
    # Rounding of the terms may carry their sum a little above 1.
    return min(1.0, total)


def binomial_probability(successes: int, trials: int, rate: float) -> float:
    """Compute P(X = successes) for a rate strictly between 0 and 1."""
    failures = trials - successes
    # The log of the factorials, which would overflow a float from 171! on.
    log_ways = lgamma(trials + 1) - lgamma(successes + 1) - lgamma(failures + 1)
    log_successes = successes * log(rate)
    log_failures = failures * log1p(-rate)
    return exp(log_ways + log_successes + log_failures)


def _check_arguments(successes: int, trials: int, confidence: float) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no count of successes among trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, and {confidence} does not")


def _exact_lower_limit(successes: int, trials: int, tail: float) -> float:
    """Find the rate at which this many successes or more have the probability ``tail``."""
    if successes == 0:
        return 0.0

    def tail_at(rate: float) -> float:
        return binomial_tail(successes, trials, rate)

    return _solve_increasing(tail_at, tail)


def _mid_p_lower_limit(successes: int, trials: int, tail: float) -> float:
    """Find the rate at which the tail has this probability, its first term counted half."""

    def tail_at(rate: float) -> float:
        including = binomial_tail(successes, trials, rate)
        excluding = binomial_tail(successes + 1, trials, rate)
        return (including + excluding) / 2

    return _solve_increasing(tail_at, tail)


def _solve_increasing(function: Callable[[float], float], target: float) -> float:
    """Find by bisection the rate in 0..1 at which an increasing function reaches the target."""
    low, high = 0.0, 1.0
    for _ in range(_MOST_BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if function(middle) > target:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _terms_above(peak: int, trials: int, odds: float, peak_probability: float) -> Iterator[float]:
    """Yield P(X = peak + 1), P(X = peak + 2), …, each from the one before."""
    term = peak_probability
    for count in range(peak, trials):
        ratio = (trials - count) / (count + 1)
        term *= ratio * odds
        if term < _NEGLIGIBLE_SHARE * peak_probability:
            break
        yield term


def _terms_below(
    peak: int, lowest: int, trials: int, odds: float, peak_probability: float
) -> Iterator[float]:
    """Yield P(X = peak - 1), P(X = peak - 2), … down to P(X = lowest)."""
    term = peak_probability
    for count in range(peak, lowest, -1):
        inverse_ratio = count / (trials - count + 1)
        term *= inverse_ratio / odds
        if term < _NEGLIGIBLE_SHARE * peak_probability:
            break
        yield term
