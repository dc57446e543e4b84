"""What is known of the answers whose score reaches a threshold."""

from dataclasses import dataclass

from goldwright.stats.binomial import binomial_cdf, clopper_pearson
from goldwright.stats.scored_points import Points, check_points


@dataclass(frozen=True, slots=True)
class RoutedAnswers:
    """The answers whose score is at least a threshold.

    Attributes:
        threshold: In 0..1.
        n: The number of these answers.
        right: How many of them are right.
        coverage: ``n`` as a share of all answers, in 0..1; None where there are no answers at all.
        share: ``right / n``; None where ``n`` is 0.
        interval: The exact 95 % interval of the rate of right answers; 0 to 1 where ``n`` is 0.
        shortfall_p: The probability of this few right answers or fewer if each were right with
            probability ``threshold``. Above .05 the data do not show that they are right less
            often than the threshold promises.
    """

    threshold: float
    n: int
    right: int
    coverage: float | None
    share: float | None
    interval: tuple[float, float]
    shortfall_p: float


def routed(points: Points, threshold: float) -> RoutedAnswers:
    """Summarize the answers whose score is at least the threshold.

    The interval is that of ``clopper_pearson``, and ``shortfall_p`` the one-sided p-value of the
    binomial test.

    Raises:
        ValueError: A score or the threshold is not in 0..1.
    """
    check_points(points)
    if not 0 <= threshold <= 1:
        raise ValueError(f"a threshold lies in 0..1, and {threshold} does not")
    outcomes = [is_right for score, is_right in points if score >= threshold]
    n = len(outcomes)
    right = sum(outcomes)
    coverage = _share(n, len(points))
    interval = clopper_pearson(right, n)
    shortfall_p = binomial_cdf(right, n, threshold)
    return RoutedAnswers(
        threshold=threshold,
        n=n,
        right=right,
        coverage=coverage,
        share=_share(right, n),
        interval=interval,
        shortfall_p=shortfall_p,
    )


def _share(part: int, total: int) -> float | None:
    if not total:
        return None
    return part / total
