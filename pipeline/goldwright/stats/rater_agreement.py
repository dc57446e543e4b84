"""Chance-corrected agreement of two raters, with bootstrap intervals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, starmap
from math import floor
from operator import eq
from random import Random
from typing import Final, TypeAlias

# A larger share of resamples without a kappa is mentioned in the remark.
_UNMENTIONED_SHARE: Final = 0.05
_NO_PAIRS: Final = "No record was judged by both raters, so there is no agreement to measure."

Pair: TypeAlias = tuple[str, str]
Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far two raters agree on the records that both judged.

    Attributes:
        pairs: The number of records that both judged.
        agreeing: How many of them both put into the same category.
        kappa: Cohen's kappa, at most 1; None where it is undefined.
        kappa_interval: Its bootstrap interval.
        ac1: Gwet's AC1, at most 1; None without pairs.
        ac1_interval: Its bootstrap interval.
        remark: What to know before trusting the figures, in sentences; None if there is nothing.
    """

    pairs: int
    agreeing: int
    kappa: float | None
    kappa_interval: Interval | None
    ac1: float | None
    ac1_interval: Interval | None
    remark: str | None


def compare_raters(
    pairs: Sequence[Pair],
    categories: Sequence[str],
    *,
    seed: int,
    confidence: float = 0.95,
    draws: int = 2000,
) -> RaterAgreement:
    """Measure the agreement of two raters who put the same records into categories.

    Both coefficients, Cohen's kappa and Gwet's AC1, are (p_o - p_e) / (1 - p_e), with p_o the share
    of records on which the raters agree and p_e what chance alone would give; they differ in p_e.

    The intervals are percentile bootstrap intervals: records are resampled with replacement,
    ``draws`` times, and resamples without a kappa are left out of its interval. The order of the
    pairs makes no difference.

    Source: of the coefficients, J. Cohen (1960) and K. L. Gwet (2008), in full at ``_kappa`` and
    ``_ac1``; of the intervals, B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap"
    (1993), chapter 13.

    Args:
        pairs: For each record the category of the first rater and that of the second.
        categories: All categories the raters could choose from, used or not.
        seed: Determines the resamples.
        confidence: The share of the resamples that an interval holds, between 0 and 1.
        draws: The number of resamples.

    Raises:
        ValueError: There are fewer than two categories or one is listed twice, a pair has another
            category, there are no draws, or the confidence is not between 0 and 1.
    """
    _check_arguments(pairs, categories, confidence, draws)
    if not pairs:
        return RaterAgreement(0, 0, None, None, None, None, _NO_PAIRS)
    kappa = _kappa(pairs)
    kappas: list[float] = []
    ac1s: list[float] = []
    for resample in _resamples(pairs, seed, draws):
        ac1s.append(_ac1(resample, len(categories)))
        resampled_kappa = _kappa(resample)
        if resampled_kappa is not None:
            kappas.append(resampled_kappa)
    kappa_interval = None
    if kappa is not None and kappas:
        kappa_interval = _percentile_interval(kappas, confidence)
    ac1 = _ac1(pairs, len(categories))
    agreement = RaterAgreement(
        pairs=len(pairs),
        agreeing=_count_agreeing(pairs),
        kappa=kappa,
        kappa_interval=kappa_interval,
        ac1=ac1,
        ac1_interval=_percentile_interval(ac1s, confidence),
        remark=None,
    )
    undefined = draws - len(kappas)
    some_category, _ = pairs[0]
    remarks = _remarks(agreement, some_category, undefined=undefined, draws=draws)
    return replace(agreement, remark=" ".join(remarks) or None)


def _check_arguments(
    pairs: Iterable[Pair], categories: Sequence[str], confidence: float, draws: int
) -> None:
    if len(set(categories)) < max(2, len(categories)):
        raise ValueError(
            f"raters choose among two or more different categories, not {list(categories)}"
        )
    labels = set(chain.from_iterable(pairs))
    unlisted = sorted(labels.difference(categories))
    if unlisted:
        raise ValueError(f"{unlisted[0]!r} is none of the categories {list(categories)}")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, and {confidence} does not")
    if draws < 1:
        raise ValueError(f"a bootstrap takes a draw or more, not {draws}")


def _count_agreeing(pairs: Iterable[Pair]) -> int:
    return sum(starmap(eq, pairs))


def _kappa(pairs: Sequence[Pair]) -> float | None:
    """Compute Cohen's unweighted kappa.

    p_e = sum over k of p_1k p_2k, the products of the raters' shares of category k. Kappa is
    undefined where both used one and the same category throughout.

    Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20 (1960), 37-46.
    """
    n = len(pairs)
    first_labels, second_labels = zip(*pairs, strict=True)
    second_counts = Counter(second_labels)
    # p_e and p_o times n^2: counts keep everything in integers up to the one division.
    expected = 0
    for label, count in Counter(first_labels).items():
        expected += count * second_counts[label]
    observed = n * _count_agreeing(pairs)
    most = n**2
    if expected == most:
        return None
    return (observed - expected) / (most - expected)


def _ac1(pairs: Sequence[Pair], category_count: int) -> float:
    """Compute Gwet's AC1.

    p_e = sum over k of q_k (1 - q_k) / (K - 1), with q_k the mean of the raters' shares of category
    k and K the number of categories they could use.

    Source: K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of high
    agreement", British Journal of Mathematical and Statistical Psychology 61 (2008), 29-48.
    """
    n = len(pairs)
    label_counts = Counter(chain.from_iterable(pairs))
    # p_e and p_o times 4 n^2 (K - 1), again in integers.
    expected = 0
    for count in label_counts.values():
        expected += count * (2 * n - count)
    scale = 4 * n * (category_count - 1)
    observed = scale * _count_agreeing(pairs)
    return (observed - expected) / (scale * n - expected)


def _resamples(pairs: Iterable[Pair], seed: int, draws: int) -> Iterator[list[Pair]]:
    random = Random(seed)  # noqa: S311  # reproducible draws, no secret
    # Sorted, so that a seed draws the same records in whatever order they came.
    sorted_pairs = sorted(pairs)
    for _ in range(draws):
        yield random.choices(sorted_pairs, k=len(sorted_pairs))


def _percentile_interval(values: Iterable[float], confidence: float) -> Interval:
    """Cut the same number of values off either end, rounded down."""
    sorted_values = sorted(values)
    outside = len(sorted_values) * (1 - confidence)
    cut = floor(outside / 2)
    return sorted_values[cut], sorted_values[-1 - cut]


def _remarks(
    agreement: RaterAgreement, category: str, *, undefined: int, draws: int
) -> Iterator[str]:
    """Explain what is unusual about the figures.

    Args:
        agreement: The figures.
        category: Any category that was used; the only one, where there is only one.
        undefined: The number of resamples without a kappa.
        draws: The number of resamples.
    """
    if agreement.kappa is None:
        yield (
            f"Both raters put every record into {category!r}, where chance alone would agree: "
            "kappa is undefined."
        )
        yield f"The raw agreement is {agreement.agreeing} of {agreement.pairs}."
    elif undefined > _UNMENTIONED_SHARE * draws:
        yield (
            f"Kappa is undefined in {undefined} of {draws} resamples, "
            "and its interval leaves them out."
        )
    if _has_no_width(agreement.kappa_interval) or _has_no_width(agreement.ac1_interval):
        yield (
            f"An interval without width shows that {agreement.pairs} such records hold "
            "no variation, not that the value is sure."
        )


def _has_no_width(interval: Interval | None) -> bool:
    return interval is not None and interval[0] == interval[1]
