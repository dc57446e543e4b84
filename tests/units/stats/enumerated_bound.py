"""The bound on bad records by trying every allocation, as an oracle for small batches."""

from fractions import Fraction
from itertools import product

from goldwright.stats.hypergeometric import SampledStratum

LEVEL = Fraction(1, 20)


def enumerated_bound(strata: list[SampledStratum], sensitivity: Fraction = Fraction(1)) -> int:
    """The most bad records over all allocations that the sample does not refute."""
    bad = sum(stratum.bad for stratum in strata)
    allocations = product(*(range(stratum.size + 1) for stratum in strata))
    return max(
        sum(bad_held)
        for bad_held in allocations
        if _cumulative(bad, strata, bad_held, sensitivity) >= LEVEL
    )


def _cumulative(
    most: int, strata: list[SampledStratum], bad_held: tuple[int, ...], sensitivity: Fraction
) -> Fraction:
    """The probability of finding at most so many bad records in all strata together."""
    total = {0: Fraction(1)}
    for stratum, count in zip(strata, bad_held, strict=True):
        joined: dict[int, Fraction] = {}
        for found, chance in _distribution(stratum, count, sensitivity).items():
            for before, earlier in total.items():
                joined[before + found] = joined.get(before + found, Fraction(0)) + chance * earlier
        total = joined
    return sum((chance for found, chance in total.items() if found <= most), Fraction(0))


def _distribution(
    stratum: SampledStratum, bad_held: int, sensitivity: Fraction
) -> dict[int, Fraction]:
    """The number found, one record after the other: drawn or not, found or not."""
    states: dict[tuple[int, int], Fraction] = {(stratum.sampled, 0): Fraction(1)}
    for remaining in range(stratum.size, 0, -1):
        is_bad = remaining <= bad_held
        after: dict[tuple[int, int], Fraction] = {}
        for (to_draw, found), chance in states.items():
            drawn = Fraction(to_draw, remaining)
            caught = drawn * sensitivity if is_bad else Fraction(0)
            for state, share in (
                ((to_draw, found), 1 - drawn),
                ((to_draw - 1, found + 1), caught),
                ((to_draw - 1, found), drawn - caught),
            ):
                if share:
                    after[state] = after.get(state, Fraction(0)) + chance * share
        states = after
    return {found: chance for (_, found), chance in states.items()}
