"""The lowest threshold above which answers are shown to be right at a target rate."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor, log
from operator import attrgetter, itemgetter
from typing import Final

from goldwright.stats.binomial import binomial_cdf, binomial_probability, clopper_pearson
from goldwright.stats.scored_points import Points, check_points

RISK: Final = 0.05
# A search that begins later than this would overlook a small group of safe answers at the top.
_LATEST_START: Final = 200
# Probabilities are carried along in floats; what misses a level by less than this meets it.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Certification:
    """The lowest threshold whose answers are shown to be right at least at a target rate.

    Attributes:
        target: The rate, between 0 and 1.
        risk: The level of each test: .05, or .025 where there are two searches.
        needed: The smallest number of answers that can show the rate at that level, all of them
            being right.
        begins: For each search, the smallest number of answers that a tested threshold has;
            ``needed`` or more.
        threshold: The lowest threshold that passed; None where none is certified.
        n: The number of answers at or above it; 0 without a threshold.
        right: How many of them are right.
        lower_bound: The one-sided lower bound of their rate with confidence 1 - ``risk``, at least
            ``target``; None without a threshold.
    """

    target: float
    risk: float
    needed: int
    begins: tuple[int, ...]
    threshold: float | None
    n: int
    right: int
    lower_bound: float | None


def certify(points: Points, target: float) -> Certification:
    """Find the lowest threshold above which answers are shown to be right at the target rate.

    Every score that occurs is a threshold. Thresholds are tested from high to low, and the last
    one before the first failure is kept. A threshold passes when the lower bound BetaInv(risk; k,
    n - k + 1) of its k right of n answers is at least the target, that is when P(k or more of n |
    target) <= risk. As the first failure ends the search, the whole of it errs with a probability
    of at most ``risk``: to certify a threshold that falls short, the first such threshold in the
    order must pass.

    This holds for any order and any start that do not depend on the outcomes. Fewer answers than
    ``needed``, the least n with target^n <= risk, can never pass, so a search that starts with
    fewer ends at once. One that starts at ``needed`` is ended by the first wrong answer, and one
    that starts late overlooks a small group of safe answers at the top. Therefore the number N of
    all answers determines the start: among the counts at which one more wrong answer is tolerated
    (14, 22, 30, 37, .. for 0.8) the greatest up to 1.5 N^(2/3) and 200, but ``needed`` at least.
    Where that is twice ``needed`` (from N = 108 on for 0.8) there are two searches with half of
    the risk each, one that starts late and one that starts at ``needed``, and the lower of their
    thresholds is kept.

    What is certified is the mean probability of being right among answers with such scores. They
    may differ from one another (W. Hoeffding 1956: the binomial tail bounds theirs), so it is not
    certified for each single answer.

    Source: A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan and L. Lei, "Learn then test:
    calibrating predictive algorithms to achieve risk control", arXiv 2110.01052 (2021), fixed
    sequence testing; W. Hoeffding, "On the distribution of the number of successes in independent
    trials", Annals of Mathematical Statistics 27 (1956), 713-721.

    Raises:
        ValueError: A score is not in 0..1, or the target is not between 0 and 1.
    """
    check_points(points)
    if not 0 < target < 1:
        raise ValueError(f"a target rate lies between 0 and 1, and {target} does not")
    risk, starts = _plan_searches(len(points), target)
    needed = fewest_to_certify(target, risk=risk)
    lowest = _lowest_certified(points, target, risk=risk, starts=starts)
    if lowest is None:
        return Certification(target, risk, needed, starts, None, 0, 0, None)
    return Certification(
        target=target,
        risk=risk,
        needed=needed,
        begins=starts,
        threshold=lowest.score,
        n=lowest.n,
        right=lowest.right,
        lower_bound=_lower_bound(lowest, target, risk),
    )


def fewest_to_certify(target: float, *, risk: float = RISK) -> int:
    """Compute the fewest answers that can show a rate, all of them right: target^n <= risk."""
    n = log(risk) / log(target)
    return max(1, ceil(n - _ROUNDING))


@dataclass(frozen=True, slots=True)
class _CandidateThreshold:
    """A score as threshold.

    Attributes:
        score: The threshold itself.
        n: The answers with this score or more.
        right: How many of them are right.
        p_value: P(this many right answers or more | target).
    """

    score: float
    n: int
    right: int
    p_value: float


def _plan_searches(total: int, target: float) -> tuple[float, tuple[int, ...]]:
    """Choose the risk of each search, and the number of answers that each starts with."""
    # Two searches at half the risk each err together with the whole risk at most.
    half_risk = RISK / 2
    early_start = fewest_to_certify(target, risk=half_risk)
    late_start = _late_start(total, target, half_risk)
    if late_start >= 2 * early_start:
        return half_risk, (early_start, late_start)
    return RISK, (_late_start(total, target, RISK),)


def _late_start(total: int, target: float, risk: float) -> int:
    """Find the greatest count, up to 1.5 N^(2/3) and 200, that tolerates a further wrong answer."""
    start = fewest_to_certify(target, risk=risk)
    tolerated = 0
    two_thirds_power = total ** (2 / 3)
    latest = min(_LATEST_START, floor(1.5 * two_thirds_power))
    for n in range(start + 1, latest + 1):
        if binomial_cdf(tolerated + 1, n, 1 - target) <= risk:
            start = n
            tolerated += 1
    return start


def _lowest_certified(
    points: Points, target: float, *, risk: float, starts: Iterable[int]
) -> _CandidateThreshold | None:
    """Run every search, and keep the threshold with the most answers."""
    candidates = list(_candidates_from_high_to_low(points, target))
    results: list[_CandidateThreshold] = []
    for start in starts:
        result = _last_passed(candidates, start, risk)
        if result is not None:
            results.append(result)
    return max(results, key=attrgetter("n"), default=None)


def _candidates_from_high_to_low(points: Points, target: float) -> Iterator[_CandidateThreshold]:
    """Yield each score that occurs as a threshold, with a p-value that is carried along."""
    n = right = 0
    p_value = 1.0
    from_high_to_low = sorted(points, reverse=True)
    for score, ties in groupby(from_high_to_low, key=itemgetter(0)):
        for _, is_right in ties:
            p_value += _p_value_change(right, n, target, is_right=is_right)
            n += 1
            right += is_right
        yield _CandidateThreshold(score, n, right, p_value)


def _p_value_change(right: int, n: int, target: float, *, is_right: bool) -> float:
    """Compute what one more answer adds to P(this many right answers or more | target).

    If it is wrong, P(k or more) grows by target P(k - 1). If it is right, k grows too, and P(k + 1
    or more) is P(k or more) minus (1 - target) P(k). Both probabilities are of the n answers so
    far.
    """
    if is_right:
        return -(1 - target) * binomial_probability(right, n, target)
    if right == 0:
        # P(0 or more) is 1 and stays 1.
        return 0.0
    return target * binomial_probability(right - 1, n, target)


def _last_passed(
    candidates: Sequence[_CandidateThreshold], start: int, risk: float
) -> _CandidateThreshold | None:
    """Find the last threshold before the first failure, beginning with ``start`` answers."""
    lowest = None
    for candidate in candidates:
        if candidate.n < start:
            continue
        if candidate.p_value > risk + _ROUNDING:
            break
        lowest = candidate
    return lowest


def _lower_bound(certified: _CandidateThreshold, target: float, risk: float) -> float:
    # A two-sided interval of confidence 1 - 2 risk has the one-sided bound as its lower end.
    confidence = 1 - 2 * risk
    lower, _ = clopper_pearson(certified.right, certified.n, confidence=confidence)
    # Below the target by rounding alone, where the threshold just passed.
    return max(target, lower)
