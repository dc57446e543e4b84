"""Scores of answers with what became of them, and outcomes drawn as if the scores were calibrated.

A score is calibrated where it equals the probability that its answer is right.
"""

from collections.abc import Iterator, Sequence
from math import isfinite
from random import Random
from typing import Final, TypeAlias

MOST_DRAWS: Final = 999
FEWEST_DRAWS: Final = 99
# Outcomes drawn in all, points times draws; they take a few seconds.
_AFFORDABLE_OUTCOMES: Final = 2_000_000

# A score in 0..1, and whether its answer is right.
Points: TypeAlias = Sequence[tuple[float, bool]]


def check_points(points: Points) -> None:
    """Refuse scores outside 0..1.

    Raises:
        ValueError: A score is not in 0..1; the text names the first such point, counted from 1.
    """
    for position, (score, _) in enumerate(points, start=1):
        if not (isfinite(score) and 0 <= score <= 1):
            raise ValueError(f"point {position}: wanted a score from 0 to 1; found {score}")


def split_points(points: Points) -> tuple[Sequence[float], Sequence[bool]]:
    """Return the scores and the outcomes of points, each in their order."""
    if not points:
        return (), ()
    scores, outcomes = zip(*points, strict=True)
    return scores, outcomes


def default_draws(n: int) -> int:
    """Choose how often n outcomes are drawn: 999 times, and from 2,000 points on less often.

    The number is one less than a multiple of 20, so that a twentieth of the draws and the data
    together is a whole number. It is at least 99.
    """
    affordable = _AFFORDABLE_OUTCOMES // max(n, 1)
    rounded = affordable // 20 * 20 - 1
    return min(MOST_DRAWS, max(FEWEST_DRAWS, rounded))


def draw_outcomes(scores: Sequence[float], *, seed: int, draws: int) -> Iterator[list[bool]]:
    """Draw right and wrong answers, each right with the probability that its score states."""
    uniform = Random(seed).random  # noqa: S311  # reproducible draws, no secret
    for _ in range(draws):
        yield [uniform() < score for score in scores]
