"""Isotonic regression of right and wrong on a score, and the bands within which a calibrated score
keeps it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import fsum, isfinite
from operator import itemgetter
from random import Random
from typing import Final, TypeAlias

BAND: Final = 0.9
DRAWS: Final = 999
_FEWEST_DRAWS: Final = 99
_POINTS_DRAWN: Final = 2_000_000

# A score in 0..1, and whether what it was given for is right.
Points: TypeAlias = Sequence[tuple[float, bool]]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One score of a reliability curve.

    Attributes:
        score: In 0..1; no two points of a curve have the same.
        n: The answers that have it, 1 or more.
        right: Those of them that are right.
        fitted: The rate of right answers at this score by isotonic regression, in 0..1; never falls
            along a curve.
        low: The lower end of the band in which 90 % of calibrated scores have their ``fitted``
            here.
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
    """The Brier score, and what it is made of: ``score = miscalibration - discrimination +
    uncertainty``.

    All are in 0..1. ``miscalibration`` is what the best rising map of the scores would take away, 0
    where there is nothing to mend; ``discrimination`` is what the scores, so mapped, tell beyond
    the overall rate; ``uncertainty`` is the Brier score of the overall rate itself.
    """

    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def check_points(points: Points) -> None:
    """Refuse scores that are none.

    Raises:
        ValueError: A score is not in 0..1; the text names the first such point, counted from 1.
    """
    for place, (score, _) in enumerate(points, start=1):
        if not (isfinite(score) and 0 <= score <= 1):
            raise ValueError(f"point {place}: wanted a score from 0 to 1; found {score}")


def draws_for(n: int) -> int:
    """Give the number of resamples that keeps those of n points within seconds: 999, from 2,000
    points on fewer.

    It is one less than a multiple of 20, so that a twentieth of the draws and the data together is
    a whole number, and at least 99.
    """
    affordable = _POINTS_DRAWN // max(n, 1) // 20 * 20 - 1
    return min(DRAWS, max(_FEWEST_DRAWS, affordable))


def drawn_outcomes(scores: Sequence[float], *, seed: int, draws: int) -> Iterator[list[bool]]:
    """Draw what would be right if the scores were calibrated: each with the chance that its score
    states.
    """
    chance = Random(seed).random  # noqa: S311  # reproducible draws, no secrets
    for _ in range(draws):
        yield [chance() < score for score in scores]


def reliability_curve(
    points: Points, *, seed: int, draws: int | None = None
) -> tuple[CurvePoint, ...]:
    """Fit the rate of right answers at each score, rising with it, with pointwise 90 % consistency
    bands.

    The fit is the isotonic (least squares, never falling) regression of right (1) and wrong (0) on
    the score, by pooling adjacent violators; answers of equal score are one from the start. For the
    band, outcomes are drawn as if the scores were calibrated, each right with the chance its score
    states, and fitted anew; the band at a score cuts off a twentieth of the fits on either side. It
    holds for one score at a time, not for the whole curve at once.

    Source: T. Dimitriadis, T. Gneiting and A. I. Jordan, "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (2021), e2016191118 (CORP; their bands also redraw the
    scores, ours keep them); M. Ayer et al., "An empirical distribution function for sampling with
    incomplete information", Annals of Mathematical Statistics 26 (1955), 641-647.

    Args:
        points: Scores in 0..1 and whether each answer is right, in any order.
        seed: Settles the draws.
        draws: How often outcomes are drawn; None takes ``draws_for``.

    Returns:
        A point for each score, in rising order; none without points.

    Raises:
        ValueError: A score is not in 0..1, or there are no draws.
    """
    check_points(points)
    draws = draws_for(len(points)) if draws is None else draws
    if draws < 1:
        raise ValueError(f"a band takes a draw or more, not {draws}")
    ordered = sorted(points)
    sizes = [len(list(same)) for _, same in groupby(ordered, key=itemgetter(0))]
    ends = list(accumulate(sizes))
    starts = [end - size for end, size in zip(ends, sizes, strict=True)]
    rights = _sums([right for _, right in ordered], starts, ends)
    fits = [
        _fitted(sizes, _sums(drawn, starts, ends))
        for drawn in drawn_outcomes([score for score, _ in ordered], seed=seed, draws=draws)
    ]
    return tuple(
        CurvePoint(ordered[start][0], size, right, fitted, low, high)
        for start, size, right, fitted, (low, high) in zip(
            starts, sizes, rights, _fitted(sizes, rights), _bands(fits), strict=True
        )
    )


def brier_parts(curve: Sequence[CurvePoint]) -> BrierParts | None:
    """Take apart the Brier score of the answers on a reliability curve; None where there are none.

    With s the score, y 1 or 0, f the fitted rate and r the overall rate: score = mean (s - y)^2,
    miscalibration = score - mean (f - y)^2, discrimination = mean (f - r)^2, uncertainty = r (1 -
    r).

    Source: T. Dimitriadis, T. Gneiting and A. I. Jordan, PNAS 118 (2021), e2016191118; that
    discrimination, there r's Brier score less f's, is mean (f - r)^2 holds as f is the mean of y
    over each of its levels.
    """
    n = sum(one.n for one in curve)
    if not n:
        return None
    rate = sum(one.right for one in curve) / n
    score = fsum(_squares(one, one.score) for one in curve) / n
    mapped = fsum(_squares(one, one.fitted) for one in curve) / n
    return BrierParts(
        score=score,
        miscalibration=max(0.0, score - mapped),
        discrimination=fsum(one.n * (one.fitted - rate) ** 2 for one in curve) / n,
        uncertainty=rate * (1 - rate),
    )


def _squares(one: CurvePoint, told: float) -> float:
    return one.right * (1 - told) ** 2 + (one.n - one.right) * told**2


def _sums(rights: Sequence[bool], starts: Sequence[int], ends: Sequence[int]) -> Sequence[int]:
    """Count the right ones among the answers of each score."""
    if len(starts) == len(rights):
        return rights
    so_far = list(accumulate(rights, initial=0))
    return [so_far[end] - so_far[start] for start, end in zip(starts, ends, strict=True)]


def _fitted(sizes: Iterable[int], rights: Iterable[int]) -> list[float]:
    """Pool neighbours while the rate of the later is no higher, and give the rate of its pool to
    each.
    """
    pooled: list[tuple[int, int, int]] = []
    for size, right in zip(sizes, rights, strict=True):
        count, total, among = 1, right, size
        while pooled and pooled[-1][1] * among >= total * pooled[-1][2]:
            earlier = pooled.pop()
            count, total, among = count + earlier[0], total + earlier[1], among + earlier[2]
        pooled.append((count, total, among))
    values: list[float] = []
    for count, total, among in pooled:
        values += [total / among] * count
    return values


def _bands(fits: Sequence[Sequence[float]]) -> Iterator[tuple[float, float]]:
    """Cut a twentieth of the fits off either end, at each score."""
    cut = round((len(fits) + 1) * (1 - BAND) / 2)
    place = max(cut - 1, 0)
    for column in zip(*fits, strict=True):
        ordered = sorted(column)
        yield ordered[place], ordered[-1 - place]
