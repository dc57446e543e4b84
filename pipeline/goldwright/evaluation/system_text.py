"""A comparison of several systems in words and tables of text."""

from collections.abc import Iterator
from typing import Final

from goldwright.evaluation.system_comparison import SystemComparison, SystemPair
from goldwright.text import make_visible, shorten

LONGEST_NAME: Final = 32
# Pairs that are written out; with more systems the matrix says who wins, and JSON has every pair.
MOST_PAIRS: Final = 28


def findings(comparison: SystemComparison) -> Iterator[str]:
    """Say first who is best, as far as these queries show it."""
    best = comparison.best
    first_name = system_name(best[0])
    measure = comparison.measure
    if len(best) == 1:
        yield f"Best by {measure}: {first_name}, shown against every other."
    elif len(best) == len(comparison.means):
        yield f"These queries tell none of the {len(best)} systems apart by {measure}."
    else:
        further_names = map(system_name, best[1:])
        names = ", ".join(further_names)
        yield f"Best by {measure}: {first_name}, which cannot be told from {names}."
    count = len(comparison.pairs)
    pairs = "the only pair" if count == 1 else f"all {count} pairs"
    yield (
        f"Systems with a letter in common are not shown to differ (by {measure} alone; sign flips, "
        f"max-T over {pairs}, 5 %)."
    )
    at_odds = sum(pair.difference.is_at_odds for pair in comparison.pairs)
    if at_odds:
        where = "here" if count == 1 else f"in {at_odds} of {count} pairs"
        yield (
            f"note: p and interval come from different methods, and disagree {where}, as they may "
            "where queries are few or unlike; what is shown goes by p over all."
        )


def win_matrix(comparison: SystemComparison) -> list[list[str]]:
    """Count the wins of each system over each other one, by query."""
    systems = list(comparison.means)
    places = range(1, len(systems) + 1)
    numbers = list(map(str, places))
    rows = [["", *numbers]]
    for number, system in zip(numbers, systems, strict=True):
        wins = []
        for opponent in systems:
            is_itself = opponent == system
            cell = "-" if is_itself else str(comparison.wins(system, opponent))
            wins.append(cell)
        heading = f"{number} {system_name(system)}"
        rows.append([heading, *wins])
    return rows


def pair_rows(comparison: SystemComparison) -> list[list[str]]:
    """Write the pairs that differ most surely, below a header."""
    rows = [["better", "than", "by", "95 %", "p", "over all", "won/tied/lost", ""]]
    pairs = sorted(comparison.pairs, key=lambda pair: pair.adjusted_p)
    rows.extend(map(_pair_row, pairs[:MOST_PAIRS]))
    return rows


def _pair_row(pair: SystemPair) -> list[str]:
    difference = pair.difference
    interval = "-"
    if difference.interval is not None:
        low, high = difference.interval
        interval = f"{low:+.3f}..{high:+.3f}"
    names = (system_name(pair.better), system_name(pair.worse))
    mean = f"{difference.mean:.3f}"
    p_value = f"{difference.p_value:.4f}"
    adjusted_p = f"{pair.adjusted_p:.4f}"
    tally = f"{difference.wins}/{difference.ties}/{difference.losses}"
    mark = "shown" if pair.is_shown else ""
    return [*names, mean, interval, p_value, adjusted_p, tally, mark]


def system_name(name: str) -> str:
    """Write the name of a system so that it fits into a table."""
    return shorten(make_visible(name), LONGEST_NAME)


def seconds_text(seconds: float | None) -> str:
    """Write a latency in milliseconds or seconds."""
    if seconds is None:
        return "-"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s"


def cost_text(usd: float | None) -> str:
    """Write a cost in dollars."""
    if usd is None:
        return "-"
    return f"${usd:.4f}"
