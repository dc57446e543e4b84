"""The exact upper bound on the bad records of a batch whose strata were sampled separately."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from operator import ge, mul
from typing import Final, TypeAlias

from goldwright.stats.hypergeometric import (
    SampledStratum,
    count_all_ways,
    exact_risk,
    exact_sensitivity,
    list_ways,
)

_WIDEST_FRONT: Final = 128

# The ways to find at most 0, 1, … bad records: probabilities over a common denominator.
_CumulativeWays: TypeAlias = tuple[int, ...]


def stratified_upper_bound(
    strata: Iterable[SampledStratum],
    *,
    alpha: float = 0.05,
    sensitivity: float = 1.0,
    widest_front: int = _WIDEST_FRONT,
) -> int:
    """Compute the most bad records that a batch may hold if each of its strata was sampled.

    It is the largest sum of M_c with P(found <= bad | M_1, M_2, ..) >= alpha. Found and bad are
    totals over the strata; the counts found in the strata are independent, each with the
    distribution of ``upper_bound``. Which allocation of M bad records to strata is the most likely
    to stay hidden is not known, so all are searched. Strata without a sample count as bad
    throughout.

    The search adds one stratum after the other. For each sum of M_c so far it keeps the vectors of
    P(found <= 0), .., P(found <= bad) that no other vector dominates (a Pareto front): an entry of
    a later vector is a sum of these with weights that are not negative, so dominated vectors stay
    dominated. Vectors whose last entry is below alpha are dropped, because it only falls. The
    result is exact as long as no sum has more than ``widest_front`` such vectors; beyond that,
    neighbours are replaced by their entrywise maximum, which can only raise the bound. One record
    sampled from each of 17 cells of 60 records, 3 of them bad, needs 24 vectors.

    Source: J. P. Wendell and J. Schmee, "Exact inference for proportions from a stratified finite
    population", Journal of the American Statistical Association 91 (1996), 825-830, with the total
    found as the statistic.

    Args:
        strata: The parts of the batch, in any order.
        alpha: The risk that the batch holds more than the bound, between 0 and 1.
        sensitivity: The probability that a bad record that is reviewed is found to be bad, 0 to 1.
        widest_front: The most vectors to keep for a sum, 1 or more; fewer are faster, with more
            the bound stays exact for larger batches.

    Raises:
        ValueError: Alpha or the sensitivity is out of range, or no vector may be kept.
    """
    if widest_front < 1:
        raise ValueError(f"a front keeps a vector or more, not {widest_front}")
    risk = exact_risk(alpha)
    catch_rate = exact_sensitivity(sensitivity)
    sampled, unsampled_size = _split_off_unsampled(strata)
    bad = sum(stratum.bad for stratum in sampled)
    fronts: dict[int, list[_CumulativeWays]] = {0: [(1,) * (bad + 1)]}
    all_ways = 1
    for stratum in sorted(sampled, key=_search_order):
        all_ways *= count_all_ways(stratum, catch_rate)
        fewest_ways = ceil(risk * all_ways)
        ways_by_bad_held = _ways_by_bad_held(stratum, bad, catch_rate)
        reached = _add_stratum(fronts, ways_by_bad_held, fewest_ways=fewest_ways)
        fronts = _narrowed_fronts(reached, widest_front)
    return max(fronts) + unsampled_size


def _split_off_unsampled(strata: Iterable[SampledStratum]) -> tuple[list[SampledStratum], int]:
    """Return the strata with a sample, and the number of records in all others."""
    sampled: list[SampledStratum] = []
    unsampled_size = 0
    for stratum in strata:
        if stratum.sampled:
            sampled.append(stratum)
        else:
            unsampled_size += stratum.size
    return sampled, unsampled_size


def _search_order(stratum: SampledStratum) -> tuple[Fraction, int]:
    """Put strata with the largest sampled share first: they refute most and keep fronts short."""
    sampled_share = Fraction(stratum.sampled, stratum.size)
    return -sampled_share, stratum.size


def _ways_by_bad_held(
    stratum: SampledStratum, bad: int, sensitivity: Fraction
) -> list[tuple[int, ...]]:
    """List, for each number of bad records held, the ways to find exactly 0, 1, … of them."""
    return [
        list_ways(stratum, sensitivity, bad_held=bad_held, most_found=bad)
        for bad_held in range(stratum.size + 1)
    ]


def _add_stratum(
    fronts: Mapping[int, Sequence[_CumulativeWays]],
    ways_by_bad_held: Sequence[Sequence[int]],
    *,
    fewest_ways: int,
) -> dict[int, set[_CumulativeWays]]:
    """Combine every vector so far with every number of bad records that the stratum may hold.

    Vectors that the sample refutes are left out.
    """
    reached: defaultdict[int, set[_CumulativeWays]] = defaultdict(set)
    for bad_before, front in fronts.items():
        for bad_held, ways in enumerate(ways_by_bad_held):
            vectors = _joined_vectors(ways, front, fewest_ways)
            reached[bad_before + bad_held].update(vectors)
    return reached


def _joined_vectors(
    ways: Sequence[int], front: Iterable[_CumulativeWays], fewest_ways: int
) -> Iterator[_CumulativeWays]:
    for cumulative in front:
        joined = _convolve(ways, cumulative)
        # The last entry only falls further, so what the sample refutes now stays refuted.
        if joined[-1] >= fewest_ways:
            yield joined


def _convolve(ways: Sequence[int], cumulative: _CumulativeWays) -> _CumulativeWays:
    """Compute the ways to find at most 0, 1, … bad records in the stratum and those before it."""
    joined: list[int] = []
    for most in range(len(cumulative)):
        # From ``most`` down to 0, while the ways go up from 0: together they find ``most``.
        falling = cumulative[most::-1]
        joined.append(sum(map(mul, ways, falling)))
    return tuple(joined)


def _narrowed_fronts(
    reached: Mapping[int, Iterable[_CumulativeWays]], widest: int
) -> dict[int, list[_CumulativeWays]]:
    fronts: dict[int, list[_CumulativeWays]] = {}
    for bad_held, vectors in reached.items():
        front = _pareto_front(vectors)
        if front:
            fronts[bad_held] = _narrowed(front, widest)
    return fronts


def _pareto_front(vectors: Iterable[_CumulativeWays]) -> list[_CumulativeWays]:
    """Keep the vectors that no other vector equals or exceeds in every entry."""
    front: list[_CumulativeWays] = []
    # In falling order a vector can only be dominated by one that came before it.
    for vector in sorted(vectors, reverse=True):
        if not _is_dominated(vector, front):
            front.append(vector)
    return front


def _is_dominated(vector: _CumulativeWays, front: Iterable[_CumulativeWays]) -> bool:
    return any(all(map(ge, better, vector)) for better in front)


def _narrowed(front: list[_CumulativeWays], widest: int) -> list[_CumulativeWays]:
    """Replace neighbours by their entrywise maximum where a front is too wide."""
    if len(front) <= widest:
        return front
    # Grouping neighbours by their second entry raises the bound no more than by another entry, and
    # makes searches shorter.
    by_second_entry = sorted(front, key=_second_entry_first)
    group_size = ceil(len(front) / widest)
    merged: set[_CumulativeWays] = set()
    for first in range(0, len(by_second_entry), group_size):
        group = by_second_entry[first : first + group_size]
        columns = zip(*group, strict=True)
        merged.add(tuple(map(max, columns)))
    return _pareto_front(merged)


def _second_entry_first(vector: _CumulativeWays) -> tuple[int, _CumulativeWays]:
    return vector[1], vector
