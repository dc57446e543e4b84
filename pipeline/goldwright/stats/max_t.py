"""Several paired differences tested together, by the same sign flips of the same queries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import fsum, sqrt
from operator import add, mul, sub
from random import Random

from goldwright.stats.paired_comparison import DRAWS, MOST_EXACT

# Statistics this close together are equal: floats add up differently in another order.
_ROUNDING = 1e-9
_ROWS_IN_A_BYTE = 8


def max_t(columns: Mapping[str, Sequence[float]], *, seed: int) -> dict[str, float]:
    """Adjust the p-values of paired differences that were observed on the same queries.

    A query's sign is flipped in all columns at once, so that measures or systems that go together
    cost little more than one of them alone. The statistic of a column is |sum d| / sqrt(sum d^2),
    which rises with Student's t. Step by step from the largest statistic on, a p-value is the share
    of sign choices under which the largest statistic of those that are left is as large. Rejecting
    p-values up to alpha makes any false rejection with a probability of about alpha at most. Where
    at most 14 queries differ anywhere, all choices of signs are gone through; else 9,999 are drawn,
    and p = (1 + draws as large) / (1 + draws).

    Source: P. Westfall and S. Young, "Resampling-Based Multiple Testing" (1993), algorithm 4.1; for
    retrieval L. Boytsov, A. Belova and P. Westfall, "Deciding on an adjustment for multiplicity in
    IR experiments", SIGIR 2013.

    Args:
        columns: By name the differences of the queries, in one order of the queries.
        seed: Chooses the draws.

    Returns:
        The adjusted p-value of each column, above 0 and at most 1, in the order of the names.

    Raises:
        ValueError: The columns are of different lengths.
    """
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise ValueError("columns that are tested together hold the same queries")
    scaled = {name: _scaled(column) for name, column in columns.items()}
    observed = {name: abs(fsum(column)) for name, column in scaled.items()}
    # A column without any difference shows nothing, whatever the others do.
    tested = [name for name, column in scaled.items() if any(column)]
    tested.sort(key=observed.__getitem__, reverse=True)
    adjusted = dict.fromkeys(columns, 1.0)
    adjusted.update(_step_down(tested, scaled, observed, seed))
    return adjusted


def _scaled(column: Sequence[float]) -> Sequence[float]:
    """Divide by sqrt(sum d^2), which no sign flip changes."""
    scale = sqrt(fsum(map(mul, column, column)))
    if not scale:
        return column
    return [difference / scale for difference in column]


def _step_down(
    names: Sequence[str],
    columns: Mapping[str, Sequence[float]],
    observed: Mapping[str, float],
    seed: int,
) -> Iterator[tuple[str, float]]:
    """Yield the p-values of columns in the falling order of their statistics."""
    rows = [row for row in zip(*map(columns.__getitem__, names), strict=True) if any(row)]
    is_exact = len(rows) <= MOST_EXACT
    sums = _all_sums(rows) if is_exact else _drawn_sums(rows, seed)
    as_large = _count_as_large([observed[name] for name in names], sums)
    p_value = 0.0
    for name, count in zip(names, as_large, strict=True):
        # Of draws, the observed signs count as one.
        share = count / 2 ** len(rows) if is_exact else (1 + count) / (1 + DRAWS)
        # A column is shown only where all with a larger statistic are.
        p_value = max(p_value, share)
        yield name, p_value


def _count_as_large(observed: Sequence[float], all_sums: Iterable[Sequence[float]]) -> list[int]:
    """Count the choices under which the largest of a statistic and all behind it is as large."""
    counts = [0] * len(observed)
    places = range(len(observed) - 1, -1, -1)
    thresholds = [statistic - _ROUNDING for statistic in observed]
    for sums in all_sums:
        largest = 0.0
        for place in places:
            statistic = abs(sums[place])
            largest = max(largest, statistic)
            if largest >= thresholds[place]:
                counts[place] += 1
    return counts


def _all_sums(rows: Sequence[Sequence[float]]) -> Iterator[Sequence[float]]:
    columns = list(zip(*rows, strict=True))
    for signs in product((1, -1), repeat=len(rows)):
        yield [sum(map(mul, signs, column)) for column in columns]


def _drawn_sums(rows: Sequence[Sequence[float]], seed: int) -> Iterator[Sequence[float]]:
    """Draw the sums of all columns under the same signs, eight rows at a time.

    A random byte chooses the signs of eight rows, so one look-up a column replaces eight signs.
    """
    random = Random(seed)  # noqa: S311  # flips signs, no secret
    starts = range(0, len(rows), _ROWS_IN_A_BYTE)
    tables = [_sums_by_byte(rows[start : start + _ROWS_IN_A_BYTE]) for start in starts]
    for _ in range(DRAWS):
        chosen = map(list.__getitem__, tables, random.randbytes(len(tables)))
        yield list(map(sum, zip(*chosen, strict=True)))


def _sums_by_byte(block: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """Sum at most eight rows under the signs that each byte stands for, column by column."""
    sums = [(0.0,) * len(block[0])]
    for row in block:
        longer = []
        for total in sums:
            longer.append(tuple(map(add, total, row)))
            longer.append(tuple(map(sub, total, row)))
        sums = longer
    # With fewer than eight rows each sum is found equally often.
    return sums * (256 // len(sums))
