"""Reliability curves: isotonic regression of right and wrong on a score, with consistency bands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from operator import attrgetter, sub
from typing import Final

from goldwright.stats.scored_points import (
    Points,
    check_points,
    default_draws,
    draw_outcomes,
    split_points,
)

BAND: Final = 0.9


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One score of a reliability curve.

    Attributes:
        score: In 0..1; different for each point of a curve.
        n: The number of answers with this score, 1 or more.
        right: How many of them are right.
        fitted: The rate of right answers at this score by isotonic regression, in 0..1; never falls
            along a curve.
        low: The lower end of the band that holds 90 % of the ``fitted`` rates of calibrated scores.
        high: The upper end.
    """

    score: float
    n: int
    right: int
    fitted: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BrierParts:
    """The CORP decomposition: ``score = miscalibration - discrimination + uncertainty``.

    Attributes:
        score: The Brier score, in 0..1 as are its parts.
        miscalibration: What the best rising map of the scores would take off; 0 where no map
            improves them.
        discrimination: How much the scores, so mapped, improve on the overall rate.
        uncertainty: The Brier score of the overall rate itself.
    """

    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def reliability_curve(
    points: Points, *, seed: int, draws: int | None = None
) -> tuple[CurvePoint, ...]:
    """Fit the rate of right answers at each score, with pointwise 90 % consistency bands.

    The fit is the isotonic (least squares, never falling) regression of right (1) and wrong (0) on
    the score, by pooling adjacent violators; answers of equal score are pooled from the start. For
    the band, outcomes are drawn as if the scores were calibrated and fitted in the same way; the
    band at a score cuts off a twentieth of the fits on either side. It holds for one score at a
    time, not for the whole curve at once.

    Source: T. Dimitriadis, T. Gneiting and A. I. Jordan, "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (2021), e2016191118 (CORP; their bands also redraw the
    scores, these keep them); M. Ayer et al., "An empirical distribution function for sampling with
    incomplete information", Annals of Mathematical Statistics 26 (1955), 641-647.

    Args:
        points: Scores in 0..1 and whether each answer is right, in any order.
        seed: Determines the draws.
        draws: How often outcomes are drawn; None takes ``default_draws``.

    Returns:
        A point for each score, in rising order; none without points.

    Raises:
        ValueError: A score is not in 0..1, or there are no draws.
    """
    check_points(points)
    if draws is None:
        draws = default_draws(len(points))
    if draws < 1:
        raise ValueError(f"a band takes a draw or more, not {draws}")
    scores, outcomes = split_points(sorted(points))
    ties = _TiedScores.of(scores)
    right_counts = ties.count_right(outcomes)
    drawn_fits: list[list[float]] = []
    for drawn_outcomes in draw_outcomes(scores, seed=seed, draws=draws):
        drawn_right_counts = ties.count_right(drawn_outcomes)
        drawn_fits.append(_pool_adjacent_violators(ties.sizes, drawn_right_counts))
    fitted_rates = _pool_adjacent_violators(ties.sizes, right_counts)
    bands = _bands(drawn_fits)
    curve: list[CurvePoint] = []
    columns = zip(ties.scores, ties.sizes, right_counts, fitted_rates, bands, strict=True)
    for score, size, right, fitted, (low, high) in columns:
        point = CurvePoint(score, size, right, fitted, low, high)
        curve.append(point)
    return tuple(curve)


def brier_parts(curve: Sequence[CurvePoint]) -> BrierParts | None:
    """Decompose the Brier score of the answers on a reliability curve; None for an empty curve.

    With s the score, y 1 or 0, f the fitted rate and r the overall rate: score = mean (s - y)^2,
    miscalibration = score - mean (f - y)^2, discrimination = mean (f - r)^2, uncertainty = r (1 -
    r).

    Source: T. Dimitriadis, T. Gneiting and A. I. Jordan, PNAS 118 (2021), e2016191118. There the
    discrimination is r's Brier score minus f's; this equals mean (f - r)^2, as f is the mean of y
    over each of its levels.
    """
    n = sum(map(attrgetter("n"), curve))
    if not n:
        return None
    right = sum(map(attrgetter("right"), curve))
    overall_rate = right / n
    score_errors: list[float] = []
    fitted_errors: list[float] = []
    improvements: list[float] = []
    for point in curve:
        gain = point.fitted - overall_rate
        score_errors.append(_squared_error(point, point.score))
        fitted_errors.append(_squared_error(point, point.fitted))
        improvements.append(point.n * gain**2)
    brier_score = fsum(score_errors) / n
    fitted_brier_score = fsum(fitted_errors) / n
    # Below 0 by rounding alone: no rising map, the scores among them, beats the fit.
    miscalibration = max(0.0, brier_score - fitted_brier_score)
    return BrierParts(
        score=brier_score,
        miscalibration=miscalibration,
        discrimination=fsum(improvements) / n,
        uncertainty=overall_rate * (1 - overall_rate),
    )


@dataclass(frozen=True, slots=True)
class _TiedScores:
    """Sorted scores grouped by their value.

    Attributes:
        scores: The different scores, rising.
        sizes: How many answers have each.
        starts: The index of the first of these answers.
        ends: The index behind the last one.
    """

    scores: Sequence[float]
    sizes: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, sorted_scores: Sequence[float]) -> "_TiedScores":
        # Counted in the order of first occurrence, which is the rising order of the scores.
        counts = Counter(sorted_scores)
        scores = list(counts)
        sizes = list(counts.values())
        ends = list(accumulate(sizes))
        starts = list(map(sub, ends, sizes))
        return cls(scores, sizes, starts, ends)

    def count_right(self, outcomes: Sequence[bool]) -> Sequence[int]:
        """Count the right answers of each score."""
        if len(self.scores) == len(outcomes):
            # Without ties an outcome is its own count.
            return outcomes
        right_before = list(accumulate(outcomes, initial=0))
        bounds = zip(self.starts, self.ends, strict=True)
        return [right_before[end] - right_before[start] for start, end in bounds]


def _squared_error(point: CurvePoint, forecast: float) -> float:
    """Sum (forecast - y)^2 over the answers of a point."""
    wrong = point.n - point.right
    error_if_right = (1 - forecast) ** 2
    error_if_wrong = forecast**2
    return point.right * error_if_right + wrong * error_if_wrong


def _pool_adjacent_violators(sizes: Iterable[int], right_counts: Iterable[int]) -> list[float]:
    """Pool neighbours while the later rate is no higher; give each score the rate of its pool."""
    # Scores, right answers and all answers of each pool: tuples, because this runs for every draw.
    pools: list[tuple[int, int, int]] = []
    for score_size, score_right in zip(sizes, right_counts, strict=True):
        scores, right, size = 1, score_right, score_size
        # Rates are compared by cross-multiplication, in integers, so that rounding cannot part
        # equal ones.
        while pools and pools[-1][1] * size >= right * pools[-1][2]:
            earlier_scores, earlier_right, earlier_size = pools.pop()
            scores += earlier_scores
            right += earlier_right
            size += earlier_size
        pools.append((scores, right, size))
    rates: list[float] = []
    for scores, right, size in pools:
        rates += [right / size] * scores
    return rates


def _bands(fits: Sequence[Sequence[float]]) -> Iterator[tuple[float, float]]:
    """Cut a twentieth of the fits off either end, at each score."""
    # The data count as one more fit, as in a Monte Carlo test.
    count = len(fits) + 1
    cut = round(count * (1 - BAND) / 2)
    index = max(cut - 1, 0)
    for rates in zip(*fits, strict=True):
        sorted_rates = sorted(rates)
        low = sorted_rates[index]
        high = sorted_rates[-1 - index]
        yield low, high
