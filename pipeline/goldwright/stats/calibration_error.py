"""The binned calibration error of scores, compared with what chance alone would show."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from typing import Final

from goldwright.stats.scored_points import (
    Points,
    check_points,
    default_draws,
    draw_outcomes,
    split_points,
)

MOST_BINS: Final = 10
FEWEST_IN_A_BIN: Final = 5
# Errors this close together are equal: floats add up differently in another order.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class NullDistribution:
    """The values that a statistic takes for calibrated scores.

    Attributes:
        mean: Their mean.
        high: Their 95 % quantile.
    """

    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """How far the rates of right answers lie from the scores, bin by bin.

    Attributes:
        bins: The number of bins, 1..10.
        squared: The debiased squared calibration error. For calibrated scores it is near 0, and as
            often below 0 as above.
        squared_null: Its distribution for calibrated scores.
        plain: The expected calibration error (ECE) as usually reported, in 0..1; above 0 even for
            calibrated scores.
        plain_null: Its distribution for calibrated scores.
        p_value: One-sided p-value of ``squared``; 0 where ``refuted`` is above 0.
        refuted: The wrong answers of score 1 and the right ones of score 0, which calibrated
            scores rule out.
    """

    bins: int
    squared: float
    squared_null: NullDistribution
    plain: float
    plain_null: NullDistribution
    p_value: float
    refuted: int


def calibration_error(
    points: Points, *, seed: int, draws: int | None = None
) -> CalibrationError | None:
    """Measure the calibration error in bins that hold about equally many answers.

    With n_b answers in bin b, y_b their rate of right answers and s_b their mean score: ``squared``
    = sum over b of n_b / n ((y_b - s_b)^2 - y_b (1 - y_b) / (n_b - 1)), ``plain`` = sum over b of
    n_b / n |y_b - s_b|. There are at most 10 bins, of at least 5 answers each where there are
    enough; answers of equal score share a bin. For the null distributions, outcomes are drawn as
    if the scores were calibrated; p = (1 + draws with at least as large a ``squared``) / (1 +
    draws).

    Source: A. Kumar, P. Liang and T. Ma, "Verified uncertainty calibration", NeurIPS 2019, the
    debiased estimator; J. Bröcker, "Estimating reliability and resolution of probability forecasts
    through decomposition of the empirical score", Climate Dynamics 39 (2012), 655-667; the draws:
    J. Bröcker and L. A. Smith, "Increasing the reliability of reliability diagrams", Weather and
    Forecasting 22 (2007), 651-661.

    Args:
        points: Scores in 0..1 and whether each answer is right, in any order.
        seed: Determines the draws.
        draws: How often outcomes are drawn; None takes ``default_draws``.

    Returns:
        None where there are fewer than two points.

    Raises:
        ValueError: A score is not in 0..1, or there are no draws.
    """
    check_points(points)
    if len(points) < 2:
        return None
    if draws is None:
        draws = default_draws(len(points))
    if draws < 1:
        raise ValueError(f"a calibration error is held against a draw or more, not {draws}")
    scores, outcomes = split_points(sorted(points))
    bins = _ScoreBins.of(scores)
    squared, plain = bins.errors(outcomes)
    drawn_outcomes = draw_outcomes(scores, seed=seed, draws=draws)
    drawn_errors = map(bins.errors, drawn_outcomes)
    drawn_squared, drawn_plain = map(sorted, zip(*drawn_errors, strict=True))
    refuted = _count_refuted(points)
    p_value = 0.0 if refuted else _p_value(squared, drawn_squared)
    return CalibrationError(
        bins=len(bins.ends),
        squared=squared,
        squared_null=_null_distribution(drawn_squared),
        plain=plain,
        plain_null=_null_distribution(drawn_plain),
        p_value=p_value,
        refuted=refuted,
    )


@dataclass(frozen=True, slots=True)
class _ScoreBins:
    """Consecutive slices of the sorted scores.

    Attributes:
        starts: The index of the first score of each bin.
        ends: The index behind its last score.
        score_sums: The sum of its scores.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    score_sums: tuple[float, ...]

    @classmethod
    def of(cls, sorted_scores: Sequence[float]) -> "_ScoreBins":
        n = len(sorted_scores)
        bin_count = min(MOST_BINS, max(1, n // FEWEST_IN_A_BIN))
        # Counted in the order of first occurrence, which is the rising order of the scores.
        tie_sizes = Counter(sorted_scores).values()
        ends = _bin_ends(tie_sizes, bin_count, fewest=n // bin_count)
        starts = [0, *ends[:-1]]
        score_sums: list[float] = []
        for start, end in zip(starts, ends, strict=True):
            bin_scores = sorted_scores[start:end]
            score_sums.append(fsum(bin_scores))
        return cls(tuple(starts), tuple(ends), tuple(score_sums))

    def errors(self, outcomes: Sequence[bool]) -> tuple[float, float]:
        """Compute the debiased squared and the plain error of outcomes in the order of scores."""
        # Running totals, so that a bin costs one subtraction however many answers it holds.
        right_before = list(accumulate(outcomes, initial=0))
        squared = plain = 0.0
        for start, end, score_sum in zip(self.starts, self.ends, self.score_sums, strict=True):
            size = end - start
            right = right_before[end] - right_before[start]
            gap = (right - score_sum) / size
            rate = right / size
            variance = rate * (1 - rate)
            # What chance adds to the squared gap, estimated without bias by n_b - 1.
            sampling_noise = variance / (size - 1)
            squared += size * (gap * gap - sampling_noise)
            plain += size * abs(gap)
        n = len(outcomes)
        return squared / n, plain / n


def _bin_ends(tie_sizes: Iterable[int], bin_count: int, *, fewest: int) -> list[int]:
    """Choose where bins end, given how many answers share each score.

    A bin ends as soon as it holds its share of the answers not yet in a bin. Answers that remain
    behind the last bin join it.
    """
    sizes = list(tie_sizes)
    n = sum(sizes)
    ends: list[int] = []
    start = end = 0
    for size in sizes:
        end += size
        open_bins = max(1, bin_count - len(ends))
        share = (n - start) / open_bins
        # ``fewest`` keeps the bins after a large tie from becoming too small for their noise.
        if end - start >= max(fewest, share):
            ends.append(end)
            start = end
    if start < n:
        # Replaces the last end, or adds the only one where no bin was filled.
        ends[-1:] = [n]
    return ends


def _count_refuted(points: Points) -> int:
    """Count the answers that a score of exactly 0 or 1 promised otherwise."""
    refuted = 0
    for score, is_right in points:
        if score in {0.0, 1.0}:
            refuted += is_right != bool(score)
    return refuted


def _p_value(observed: float, sorted_draws: Sequence[float]) -> float:
    smaller = bisect_left(sorted_draws, observed - _ROUNDING)
    as_large = len(sorted_draws) - smaller
    return (1 + as_large) / (1 + len(sorted_draws))


def _null_distribution(sorted_draws: Sequence[float]) -> NullDistribution:
    n = len(sorted_draws)
    mean = fsum(sorted_draws) / n
    # Above 19 of 20 draws: the 95 % quantile.
    quantile_index = min(n - 1, n * 19 // 20)
    return NullDistribution(mean, sorted_draws[quantile_index])
