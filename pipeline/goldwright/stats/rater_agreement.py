"""Agreement of two raters beyond chance, with how sure one can be of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from random import Random
from typing import Final, TypeAlias

_LEFT_OUT_SILENTLY: Final = 0.05
_NOTHING_SHARED: Final = "No record was judged by both raters, so there is no agreement to measure."

Pair: TypeAlias = tuple[str, str]
Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far two raters agree over the records that both judged.

    Attributes:
        pairs: The records both judged.
        agreeing: Those that both put into the same category.
        kappa: Cohen's kappa, at most 1; None where it is undefined.
        kappa_interval: Its bootstrap interval.
        ac1: Gwet's AC1, at most 1; None without pairs.
        ac1_interval: Its bootstrap interval.
        remark: What to know before trusting the figures, in sentences; None when there is nothing.
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
    """Measure the agreement of two raters who each put the same records into one of several
    categories.

    Both coefficients are (p_o - p_e) / (1 - p_e), with p_o the share of records on which the raters
    agree. Cohen's kappa, unweighted: p_e = sum over k of p_1k p_2k, the products of the raters'
    shares of category k; it is undefined when both used one and the same category throughout.
    Gwet's AC1: p_e = sum over k of q_k (1 - q_k) / (K - 1), with q_k the mean of the raters' shares
    and K the number of categories they could use.

    The intervals are percentile bootstrap intervals: records are drawn with replacement, ``draws``
    times, and resamples without a kappa are left out of its interval. The order of the pairs makes
    no difference.

    Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20 (1960), 37-46; K. L. Gwet, "Computing inter-rater reliability and its variance in
    the presence of high agreement", British Journal of Mathematical and Statistical Psychology 61
    (2008), 29-48; B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter
    13.

    Args:
        pairs: The category that the one and that the other rater gave, for each record.
        categories: All categories the raters could choose from, used or not.
        seed: Determines the resamples.
        confidence: The share of the resamples an interval holds, between 0 and 1.
        draws: The number of resamples.

    Raises:
        ValueError: There are fewer than two categories or one is named twice, a pair is of another
            category, there are no draws, or the confidence is not between 0 and 1.
    """
    _refuse(pairs, categories, confidence, draws)
    if not pairs:
        return RaterAgreement(0, 0, None, None, None, None, _NOTHING_SHARED)
    kappa, choices = _kappa(pairs), len(categories)
    samples = _resamples(pairs, Random(seed), draws)  # noqa: S311  # reproducible draws, no secrets
    kappas = [value for sample in samples if (value := _kappa(sample)) is not None]
    kappa_interval = _interval(kappas, confidence) if kappa is not None and kappas else None
    ac1_interval = _interval([_ac1(sample, choices) for sample in samples], confidence)
    remarks = [
        *_one_category(pairs, kappa),
        *_left_out(draws - len(kappas), draws, kappa),
        *_no_width(len(pairs), kappa_interval, ac1_interval),
    ]
    return RaterAgreement(
        pairs=len(pairs),
        agreeing=_agreeing(pairs),
        kappa=kappa,
        kappa_interval=kappa_interval,
        ac1=_ac1(pairs, choices),
        ac1_interval=ac1_interval,
        remark=" ".join(remarks) or None,
    )


def _refuse(
    pairs: Sequence[Pair], categories: Sequence[str], confidence: float, draws: int
) -> None:
    if len(set(categories)) < max(2, len(categories)):
        raise ValueError(
            f"raters choose among two or more different categories, not {list(categories)}"
        )
    strange = sorted({label for pair in pairs for label in pair} - set(categories))
    if strange:
        raise ValueError(f"{strange[0]!r} is none of the categories {list(categories)}")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, and {confidence} does not")
    if draws < 1:
        raise ValueError(f"a bootstrap takes a draw or more, not {draws}")


def _agreeing(pairs: Sequence[Pair]) -> int:
    return sum(one == other for one, other in pairs)


def _kappa(pairs: Sequence[Pair]) -> float | None:
    every = len(pairs) ** 2
    others = Counter(other for _, other in pairs)
    by_chance = sum(
        count * others[label] for label, count in Counter(one for one, _ in pairs).items()
    )
    if by_chance == every:
        return None
    return (len(pairs) * _agreeing(pairs) - by_chance) / (every - by_chance)


def _ac1(pairs: Sequence[Pair], choices: int) -> float:
    labels = Counter(label for pair in pairs for label in pair)
    by_chance = sum(count * (2 * len(pairs) - count) for count in labels.values())
    scale = 4 * len(pairs) * (choices - 1)
    return (scale * _agreeing(pairs) - by_chance) / (scale * len(pairs) - by_chance)


def _resamples(pairs: Sequence[Pair], random: Random, draws: int) -> list[list[Pair]]:
    ordered = sorted(pairs)
    return [random.choices(ordered, k=len(ordered)) for _ in range(draws)]


def _interval(values: Sequence[float], confidence: float) -> Interval:
    """Cut the same number of values off either end, at most what the confidence leaves."""
    cut = floor(len(values) * (1 - confidence) / 2)
    ordered = sorted(values)
    return ordered[cut], ordered[-1 - cut]


def _one_category(pairs: Sequence[Pair], kappa: float | None) -> list[str]:
    if kappa is not None:
        return []
    return [
        f"Both raters put every record into {pairs[0][0]!r}, where chance alone would agree: kappa is undefined.",
        f"The raw agreement is {_agreeing(pairs)} of {len(pairs)}.",
    ]


def _left_out(undefined: int, draws: int, kappa: float | None) -> list[str]:
    if kappa is None or undefined <= _LEFT_OUT_SILENTLY * draws:
        return []
    return [
        f"Kappa is undefined in {undefined} of {draws} resamples, and its interval leaves them out."
    ]


def _no_width(count: int, *intervals: Interval | None) -> list[str]:
    if all(interval is None or interval[0] < interval[1] for interval in intervals):
        return []
    return [
        f"An interval without width shows that {count} such records hold no variation, not that the value is sure."
    ]
