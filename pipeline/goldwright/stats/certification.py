"""What is shown of the answers above a threshold, and which threshold keeps a rate of right answers
for sure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from math import ceil, exp, floor, fsum, lgamma, log, log1p
from operator import attrgetter, itemgetter
from typing import Final

from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.isotonic import Points, check_points

RISK: Final = 0.05
_LATEST_BEGINNING: Final = 200
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class RoutedAnswers:
    """The answers whose score is at least a threshold.

    Attributes:
        threshold: In 0..1.
        n: Those answers.
        right: Those of them that are right.
        coverage: ``n`` among all answers, in 0..1; None where there are no answers at all.
        share: ``right / n``; None where there are none.
        interval: The exact 95 % interval of the rate of right answers; 0 to 1 where there are none.
        shortfall_p: The chance of so few right ones or fewer if each were right with the chance
            ``threshold``: above .05 it is not shown that they are right less often than the
            threshold says.
    """

    threshold: float
    n: int
    right: int
    coverage: float | None
    share: float | None
    interval: tuple[float, float]
    shortfall_p: float


@dataclass(frozen=True, slots=True)
class Certification:
    """The lowest threshold whose answers are right at least at a target rate, as far as that can be
    shown.

    Attributes:
        target: The rate, between 0 and 1.
        risk: The level of each test, .05, or .025 where there are two searches.
        needed: The fewest answers that can show the rate at that level, were they all right.
        begins: For each search the answers that its first threshold has at least, ``needed`` or
            more.
        threshold: The lowest that a search kept; None where none is certified.
        n: The answers at and above it, and 0 without one.
        right: Those of them that are right.
        lower_bound: The rate that theirs exceeds with one-sided confidence 1 - ``risk``, ``target``
            or more; None without a threshold.
    """

    target: float
    risk: float
    needed: int
    begins: tuple[int, ...]
    threshold: float | None
    n: int
    right: int
    lower_bound: float | None


def routed(points: Points, threshold: float) -> RoutedAnswers:
    """Sum up the answers whose score is at least the threshold, with the exact interval of Clopper
    and Pearson.

    Raises:
        ValueError: A score or the threshold is not in 0..1.
    """
    check_points(points)
    if not 0 <= threshold <= 1:
        raise ValueError(f"a threshold lies in 0..1, and {threshold} does not")
    rights = [right for score, right in points if score >= threshold]
    n, right = len(rights), sum(rights)
    return RoutedAnswers(
        threshold=threshold,
        n=n,
        right=right,
        coverage=n / len(points) if points else None,
        share=right / n if n else None,
        interval=clopper_pearson(right, n),
        shortfall_p=_at_most(right, n, threshold),
    )


def certify(points: Points, target: float) -> Certification:
    """Find the lowest threshold above which answers are shown to be right at least at the target
    rate.

    Every score that occurs is a threshold. They are tested from high to low, and the last before
    the first failure is kept. A threshold passes when the lower bound BetaInv(risk; k, n - k + 1)
    of its k right of n answers is at least the target, which is when P(k or more of n | target) <=
    risk. Since the first failure ends it, all together err with a chance of at most ``risk``: to
    certify a threshold that falls short, the first such one in the order must pass.

    That holds of any order, and any beginning, that the outcomes had no part in. Fewer answers than
    ``needed``, the least n with target^n <= risk, could never pass, and to begin with them would
    end every search at once; to begin right there lets the first wrong answer end it; to begin late
    overlooks a small group of safe answers at the top. So the number N of all answers settles the
    beginning: of the counts at which one more wrong answer is forgiven (14, 22, 30, 37, .. for 0.8)
    the greatest up to 1.5 N^(2/3) and 200, and ``needed`` at least. Where that is twice ``needed``
    (from N = 108 on for 0.8) there are two searches with half of the risk each, one from there and
    one from ``needed`` on, and the lower threshold of the two is kept.

    What is certified is the mean chance of being right of answers with such scores, which may
    differ from one another (W. Hoeffding 1956: the binomial tail bounds theirs); not that every
    answer has it.

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
    risk, begins = _plan(len(points), target)
    thresholds = list(_from_high_to_low(points, target))
    kept = [one for first in begins for one in [_last_kept(thresholds, first, risk)] if one]
    needed = fewest_to_certify(target, risk=risk)
    if not kept:
        return Certification(target, risk, needed, begins, None, 0, 0, None)
    best = max(kept, key=attrgetter("n"))
    bound = clopper_pearson(best.right, best.n, confidence=1 - 2 * risk)[0]
    return Certification(
        target, risk, needed, begins, best.score, best.n, best.right, max(target, bound)
    )


def fewest_to_certify(target: float, *, risk: float = RISK) -> int:
    """Give the fewest answers that can show a rate between 0 and 1, were they all right: target^n
    <= risk.
    """
    return max(1, ceil(log(risk) / log(target) - _ROUNDING))


@dataclass(frozen=True, slots=True)
class _Threshold:
    """A score, the answers that have it or more, those of them right, and P(so many right or more |
    target).
    """

    score: float
    n: int
    right: int
    chance: float


def _plan(total: int, target: float) -> tuple[float, tuple[int, ...]]:
    """Settle the risk of each search, and how many answers each begins with."""
    early, late = fewest_to_certify(target, risk=RISK / 2), _late_beginning(total, target, RISK / 2)
    if late >= 2 * early:
        return RISK / 2, (early, late)
    return RISK, (_late_beginning(total, target, RISK),)


def _late_beginning(total: int, target: float, risk: float) -> int:
    """Find the greatest count, up to 1.5 N^(2/3) and 200, of which one less would forgive one wrong
    answer less.
    """
    begins, wrong = fewest_to_certify(target, risk=risk), 0
    for n in range(begins + 1, min(_LATEST_BEGINNING, floor(1.5 * total ** (2 / 3))) + 1):
        if _at_most(wrong + 1, n, 1 - target) <= risk:
            begins, wrong = n, wrong + 1
    return begins


def _last_kept(thresholds: Sequence[_Threshold], begins: int, risk: float) -> _Threshold | None:
    enough = (one for one in thresholds if one.n >= begins)
    passed = list(takewhile(lambda one: one.chance <= risk + _ROUNDING, enough))
    return passed[-1] if passed else None


def _from_high_to_low(points: Points, target: float) -> Iterator[_Threshold]:
    """Give each score that occurs as a threshold.

    The probability is carried along: after one more answer, that of k or more grows by target P(k -
    1) of before, and that of k + 1 or more, when it is right, is that of k or more less (1 -
    target) P(k).
    """
    n, right, chance = 0, 0, 1.0
    for score, same in groupby(sorted(points, reverse=True), key=itemgetter(0)):
        for _, is_right in same:
            if is_right:
                chance -= (1 - target) * _exactly(right, n, target)
            elif right:
                chance += target * _exactly(right - 1, n, target)
            n, right = n + 1, right + is_right
        yield _Threshold(score, n, right, chance)


def _exactly(count: int, trials: int, rate: float) -> float:
    ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
    return exp(ways + count * log(rate) + (trials - count) * log1p(-rate))


def _at_most(count: int, trials: int, rate: float) -> float:
    if rate in (0.0, 1.0):
        return float(rate == 0 or count == trials)
    return min(1.0, fsum(_exactly(one, trials, rate) for one in range(count + 1)))
