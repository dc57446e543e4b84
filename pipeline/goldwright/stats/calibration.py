"""Whether scores keep what they say: the bias of their mean, and the calibration error with what
chance makes of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import fsum, sqrt
from statistics import NormalDist, fmean
from typing import Final

from goldwright.stats.isotonic import Points, check_points, drawn_outcomes, draws_for
from goldwright.stats.poisson_binomial import successes

MOST_BINS: Final = 10
FEWEST_IN_A_BIN: Final = 5
# Sums that differ by less than this are one sum, for floats add up differently in another order.
_EQUAL: Final = 1e-12


@dataclass(frozen=True, slots=True)
class ScoreBias:
    """The rate of right answers less the mean of their scores, and whether that could be chance.

    Attributes:
        n: The answers, 1 or more.
        rate: Those of them that are right, in 0..1.
        mean_score: In 0..1.
        bias: ``rate - mean_score``: below 0 the scores promise too much, above 0 too little.
        z: The bias in standard errors of calibrated scores; None where all scores are 0 or 1.
        p_value: Two-sided, of as many right answers as these if the scores were calibrated.
        spiegelhalter_z: How far the Brier score lies above (the scores too extreme, or turned
            round) or below (too timid) that of calibrated scores, in its standard errors; None
            where all scores are 0, 1/2 or 1.
        spiegelhalter_p: Its two-sided p-value; None where there is none.
    """

    n: int
    rate: float
    mean_score: float
    bias: float
    z: float | None
    p_value: float
    spiegelhalter_z: float | None
    spiegelhalter_p: float | None


@dataclass(frozen=True, slots=True)
class NullDistribution:
    """What a figure comes to for calibrated scores, which it is to be held against: its mean and
    its 95 % quantile.
    """

    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """How far the rates in bins of scores lie from the scores, and what chance alone makes of that.

    Attributes:
        bins: The number of bins, 1..10.
        squared: The debiased squared calibration error; near 0, and as often below as above, for
            calibrated scores.
        squared_null: The same of calibrated scores.
        plain: The ECE as it is usually given, in 0..1, which is above 0 even for calibrated scores.
        plain_null: The same of calibrated scores.
        p_value: One-sided, of so large a ``squared`` if the scores were calibrated; 0 where
            ``refuted`` is not.
        refuted: The answers of score 1 that are wrong and of score 0 that are right, which
            calibration rules out.
    """

    bins: int
    squared: float
    squared_null: NullDistribution
    plain: float
    plain_null: NullDistribution
    p_value: float
    refuted: int


def mean_bias(points: Points) -> ScoreBias | None:
    """Hold the rate of right answers against the mean score, the first thing to know of a
    calibration.

    With n scores s and y = 1 for right, else 0: z = sum of (y - s) / sqrt(sum of s (1 - s)), the
    score test of a shift. The p-value is not taken from z but from the exact distribution of the
    number of right answers (two-sided mid-p), which few answers or scores near 1 bend.
    Spiegelhalter's z = sum of (y - s) (1 - 2 s) / sqrt(sum of (1 - 2 s)^2 s (1 - s)) tests the
    Brier score, and is blind to a shift of scores about 1/2.

    Source: D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45
    (1958), 562-565; D. J. Spiegelhalter, "Probabilistic prediction in patient management and
    clinical trials", Statistics in Medicine 5 (1986), 421-433.

    Returns:
        None where there are no points.

    Raises:
        ValueError: A score is not in 0..1.
    """
    check_points(points)
    if not points:
        return None
    n, right = len(points), sum(one for _, one in points)
    scores = [score for score, _ in points]
    excess = fsum(one - score for score, one in points)
    variance = fsum(score * (1 - score) for score in scores)
    turned = fsum((one - score) * (1 - 2 * score) for score, one in points)
    turned_variance = fsum((1 - 2 * score) ** 2 * score * (1 - score) for score in scores)
    brier_z = turned / sqrt(turned_variance) if turned_variance else None
    return ScoreBias(
        n=n,
        rate=right / n,
        mean_score=fsum(scores) / n,
        bias=excess / n,
        z=excess / sqrt(variance) if variance else None,
        p_value=successes(scores).p_value(right),
        spiegelhalter_z=brier_z,
        spiegelhalter_p=None if brier_z is None else 2 * NormalDist().cdf(-abs(brier_z)),
    )


def power_to_see_bias(scores: Sequence[float], size: float, *, level: float) -> float:
    """Give the chance that the test of ``mean_bias`` shows a true bias of this size at this level,
    in 0..1.

    The lesser of that for scores that promise too much, every true chance being (1 - a) s, and too
    little, every one being s + a (1 - s), with a such that the mean is off by ``size``. A direction
    in which the scores leave no room for so much (below 0.85 there is no bias of +0.15 for scores
    of 0.9) does not count. 0 without scores.

    Args:
        scores: In 0..1.
        size: The bias, above 0 and at most 1/2.
        level: The p-value up to which a bias counts as shown, between 0 and 1.
    """
    if not scores:
        return 0.0
    mean, null = fmean(scores), successes(scores)
    chances = []
    if mean >= size:
        chances.append([score * (1 - size / mean) for score in scores])
    if 1 - mean >= size:
        chances.append([score + (1 - score) * size / (1 - mean) for score in scores])
    powers = []
    for alternative in map(successes, chances):
        counts = range(alternative.first, alternative.first + len(alternative.chances))
        shown = (
            chance
            for count, chance in zip(counts, alternative.chances, strict=True)
            if null.p_value(count) <= level
        )
        powers.append(min(1.0, fsum(shown)))
    return min(powers)


def calibration_error(
    points: Points, *, seed: int, draws: int | None = None
) -> CalibrationError | None:
    """Measure the calibration error in bins of about equally many answers, with what calibrated
    scores would show.

    With n_b answers in bin b, y_b their rate of right ones and s_b their mean score: ``squared`` =
    sum over b of n_b / n ((y_b - s_b)^2 - y_b (1 - y_b) / (n_b - 1)), ``plain`` = sum over b of n_b
    / n |y_b - s_b|. There are at most 10 bins, of 5 answers or more each where there are as many;
    answers of equal score share a bin. For the nulls, outcomes are drawn as if the scores were
    calibrated, each right with the chance its score states; p = (1 + those with at least as large a
    ``squared``) / (1 + draws).

    Source: A. Kumar, P. Liang and T. Ma, "Verified uncertainty calibration", NeurIPS 2019, the
    debiased estimator; J. Bröcker, "Estimating reliability and resolution of probability forecasts
    through decomposition of the empirical score", Climate Dynamics 39 (2012), 655-667; the draws:
    J. Bröcker and L. A. Smith, "Increasing the reliability of reliability diagrams", Weather and
    Forecasting 22 (2007), 651-661.

    Args:
        points: Scores in 0..1 and whether each answer is right, in any order.
        seed: Settles the draws.
        draws: How often outcomes are drawn; None takes ``draws_for``.

    Returns:
        None where there are fewer than two points.

    Raises:
        ValueError: A score is not in 0..1, or there are no draws.
    """
    check_points(points)
    if len(points) < 2:
        return None
    draws = draws_for(len(points)) if draws is None else draws
    if draws < 1:
        raise ValueError(f"a calibration error is held against a draw or more, not {draws}")
    ordered = sorted(points)
    scores = [score for score, _ in ordered]
    bins = _ScoreBins.of(scores)
    squared, plain = bins.errors([right for _, right in ordered])
    nulls = [bins.errors(drawn) for drawn in drawn_outcomes(scores, seed=seed, draws=draws)]
    refuted = sum(right != bool(score) for score, right in points if score in (0.0, 1.0))
    as_large = sum(null >= squared - _EQUAL for null, _ in nulls)
    return CalibrationError(
        bins=len(bins.ends),
        squared=squared,
        squared_null=_null([null for null, _ in nulls]),
        plain=plain,
        plain_null=_null([null for _, null in nulls]),
        p_value=0.0 if refuted else (1 + as_large) / (1 + draws),
        refuted=refuted,
    )


@dataclass(frozen=True, slots=True)
class _ScoreBins:
    """Runs of sorted scores: where each begins and ends, and the sum of its scores."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sums: tuple[float, ...]

    @classmethod
    def of(cls, scores: Sequence[float]) -> "_ScoreBins":
        n = len(scores)
        wanted = min(MOST_BINS, max(1, n // FEWEST_IN_A_BIN))
        ends = _ends([len(list(same)) for _, same in groupby(scores)], wanted, n // wanted)
        starts = [0, *ends[:-1]]
        return cls(
            tuple(starts),
            tuple(ends),
            tuple(fsum(scores[a:b]) for a, b in zip(starts, ends, strict=True)),
        )

    def errors(self, rights: Sequence[bool]) -> tuple[float, float]:
        """Give the debiased squared and the plain error of such outcomes."""
        so_far = list(accumulate(rights, initial=0))
        squared = plain = 0.0
        for start, end, total in zip(self.starts, self.ends, self.sums, strict=True):
            size, right = end - start, so_far[end] - so_far[start]
            gap, rate = (right - total) / size, right / size
            squared += size * (gap * gap - rate * (1 - rate) / (size - 1))
            plain += size * abs(gap)
        return squared / len(rights), plain / len(rights)


def _ends(runs: Sequence[int], wanted: int, fewest: int) -> list[int]:
    """Close a bin once it has its share of the answers that are left; too small a rest joins the
    last.
    """
    n, ends, start, end = sum(runs), list[int](), 0, 0
    for run in runs:
        end += run
        if end - start >= max(fewest, (n - start) / max(1, wanted - len(ends))):
            ends.append(end)
            start = end
    if start < n:
        ends[-1:] = [n]
    return ends


def _null(values: list[float]) -> NullDistribution:
    ordered = sorted(values)
    return NullDistribution(
        fsum(ordered) / len(ordered), ordered[min(len(ordered) - 1, len(ordered) * 19 // 20)]
    )
