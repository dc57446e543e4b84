"""Exact bounds on a rate of which a count was seen."""

from collections.abc import Callable
from math import exp, fsum, lgamma, log, log1p
from typing import Final

_HALVINGS: Final = 100


def clopper_pearson(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Give the exact two-sided interval of a binomial rate; with no trials it is the whole of 0 to 1.

    Each end is the rate at which a result this extreme has half the remaining probability. The interval
    covers the true rate at least as often as it says, however few the trials.

    Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26 (1934), 404-413.

    Raises:
        ValueError: The counts are no counts of successes among trials, or the confidence is not between 0 and 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no count of successes among trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, and {confidence} does not")
    tail = (1 - confidence) / 2
    return _lower(successes, trials, tail), 1 - _lower(trials - successes, trials, tail)


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
    """Sum the probabilities of that many successes and more; the rate lies strictly between 0 and 1."""
    yes, no = log(rate), log1p(-rate)
    return fsum(
        exp(_log_ways(count, trials) + count * yes + (trials - count) * no) for count in range(successes, trials + 1)
    )


def _log_ways(count: int, trials: int) -> float:
    return lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
