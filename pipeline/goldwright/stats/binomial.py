"""Exact bounds on a rate of which a count was seen."""

from collections.abc import Callable
from math import exp, fsum, lgamma, log, log1p
from typing import Final

_HALVINGS: Final = 100
_NEGLIGIBLE: Final = 1e-20


def clopper_pearson(
    successes: int, trials: int, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Give the exact two-sided interval of a binomial rate; with no trials it is the whole of 0 to
    1.

    Each end is the rate at which a result this extreme has half the remaining probability. The
    interval covers the true rate at least as often as it says, however few the trials.

    Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated
    in the case of the binomial", Biometrika 26 (1934), 404-413.

    Raises:
        ValueError: The counts are no counts of successes among trials, or the confidence is not
            between 0 and 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no count of successes among trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, and {confidence} does not")
    tail = (1 - confidence) / 2
    return _lower(successes, trials, tail), 1 - _lower(trials - successes, trials, tail)


def mid_p(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Give the two-sided mid-P interval of a binomial rate, which covers it as often as it says on
    the average.

    The exact interval covers more often than it says (0.967 on the average at 60 trials where it
    says 0.95), since it counts the whole probability of what was seen; this one counts half. Where
    none or all succeeded it is the exact one.

    Source: H. O. Lancaster, "Significance tests in discrete distributions", JASA 56 (1961),
    223-234.

    Raises:
        ValueError: The counts are no counts of successes among trials, or the confidence is not
            between 0 and 1.
    """
    if successes in {0, trials}:
        return clopper_pearson(successes, trials, confidence=confidence)
    if not 0 < successes < trials or not 0 < confidence < 1:
        raise ValueError(
            f"{successes} of {trials} at {confidence} is no count of successes and no confidence"
        )
    tail = (1 - confidence) / 2
    return _mid_lower(successes, trials, tail), 1 - _mid_lower(trials - successes, trials, tail)


def _mid_lower(successes: int, trials: int, tail: float) -> float:
    def half(rate: float) -> float:
        return (
            binomial_tail(successes, trials, rate) + binomial_tail(successes + 1, trials, rate)
        ) / 2

    return _root(lambda rate: half(rate) - tail)


def _lower(successes: int, trials: int, tail: float) -> float:
    """Find the rate at which that many successes or more are as likely as the tail."""
    if successes == 0:
        return 0.0
    return _root(lambda rate: binomial_tail(successes, trials, rate) - tail)


def _root(rising: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def binomial_tail(successes: int, trials: int, rate: float) -> float:
    """Sum the probabilities of that many successes and more; the rate lies strictly between 0 and
    1.

    Terms are summed outwards from the largest, until they are too small to count.
    """
    if successes > trials:
        return 0.0
    yes, no = log(rate), log1p(-rate)
    peak = max(successes, min(int((trials + 1) * rate), trials))
    largest = exp(_log_ways(peak, trials) + peak * yes + (trials - peak) * no)
    odds = rate / (1 - rate)
    terms, term = [largest], largest
    for count in range(peak, trials):
        term *= (trials - count) / (count + 1) * odds
        if term < _NEGLIGIBLE * largest:
            break
        terms.append(term)
    term = largest
    for count in range(peak, successes, -1):
        term *= count / (trials - count + 1) / odds
        if term < _NEGLIGIBLE * largest:
            break
        terms.append(term)
    return fsum(terms)


def _log_ways(count: int, trials: int) -> float:
    return lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
