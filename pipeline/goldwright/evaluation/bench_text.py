"""A comparison of retrievers as a page of text, and as Markdown for a pull request."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.evaluation.bench import Bench, BenchedSystem
from goldwright.evaluation.markdown import markdown_cell, markdown_table
from goldwright.evaluation.system_comparison import SystemComparison, SystemPair
from goldwright.text import make_visible, shorten

# Measures in the table beside the one that decides.
MORE_MEASURES: Final = 3
LONGEST_NAME: Final = 32
# Pairs that are written out; with more systems the matrix says who wins, and JSON has every pair.
MOST_PAIRS: Final = 28
_PERCENTILES: Final = (0.5, 0.95, 0.99)


def bench_lines(result: Bench) -> Iterator[str]:
    """Write the table of systems, who cannot be told apart, the pairs and the wins."""
    yield _heading(result)
    yield make_visible(result.report.dataset)
    yield ""
    yield from _aligned(_table(result))
    if result.comparison is not None:
        yield ""
        yield from findings(result.comparison)
        yield ""
        yield from _aligned(_pair_rows(result.comparison))
        yield ""
        yield "queries on which the row is better than the column"
        yield from _aligned(win_matrix(result.comparison))
    for name, error in result.failures.items():
        yield f"FAILED  {make_visible(name)}: {make_visible(str(error))}"
    for note in result.notes:
        yield f"note: {make_visible(note)}"


def bench_markdown(result: Bench) -> str:
    """Write the table and the findings as Markdown, the pairs and wins folded away."""
    lines = [f"### {_heading(result)}", "", markdown_cell(result.report.dataset), ""]
    lines += markdown_table(_table(result))
    if result.comparison is not None:
        lines += ["", *findings(result.comparison), ""]
        lines += ["<details><summary>Every pair, and who wins where</summary>", ""]
        lines += markdown_table(_pair_rows(result.comparison))
        lines += ["", "Queries on which the row is better than the column:", ""]
        lines += markdown_table(win_matrix(result.comparison))
        lines += ["", "</details>"]
    for name, error in result.failures.items():
        lines += ["", f"**Failed:** {markdown_cell(name)}: {markdown_cell(str(error))}"]
    lines += [f"\n> {markdown_cell(note)}" for note in result.notes]
    return "\n".join(lines) + "\n"


def findings(comparison: SystemComparison) -> Iterator[str]:
    """Say first who is best, as far as these queries show it."""
    best = comparison.best
    measure = comparison.measure
    if len(best) == 1:
        yield f"Best by {measure}: {_name(best[0])}, shown against every other."
    elif len(best) == len(comparison.means):
        yield f"These queries tell none of the {len(best)} systems apart by {measure}."
    else:
        names = ", ".join(map(_name, best[1:]))
        yield f"Best by {measure}: {_name(best[0])}, which cannot be told from {names}."
    yield (
        "Systems with a letter in common are not shown to differ (max-T over all "
        f"{len(comparison.pairs)} pairs, 5 %)."
    )


def win_matrix(comparison: SystemComparison) -> list[list[str]]:
    """Count the wins of each system over each other one, by query."""
    systems = list(comparison.means)
    numbers = [str(number) for number in range(1, len(systems) + 1)]
    rows = [["", *numbers]]
    for number, system in zip(numbers, systems, strict=True):
        wins = [
            "-" if other == system else str(comparison.wins(system, other)) for other in systems
        ]
        rows.append([f"{number} {_name(system)}", *wins])
    return rows


def _heading(result: Bench) -> str:
    report = result.report
    commit = f" at {report.commit[:12]}" if report.commit else ""
    count = len(result.systems)
    return f"{count} systems on {len(report.queries)} queries{commit}"


def _table(result: Bench) -> list[list[str]]:
    """A row for each system, the best first."""
    measures = result.measures[: MORE_MEASURES + 1]
    has_costs = any(system.cost_usd is not None for system in result.systems.values())
    percentiles = [f"p{share * 100:g}" for share in _PERCENTILES]
    header = ["", measures[0], "95 %", "group", *measures[1:], *percentiles, "asked"]
    rows = [[*header, "cost"] if has_costs else header]
    comparison = result.comparison
    names = list(comparison.means) if comparison is not None else list(result.systems)
    for name in names:
        row = _row(name, result.systems[name], comparison, measures)
        if has_costs:
            row.append(cost_text(result.systems[name].cost_usd))
        rows.append(row)
    return rows


def _row(
    name: str,
    system: BenchedSystem,
    comparison: SystemComparison | None,
    measures: Sequence[str],
) -> list[str]:
    interval = letters = "-"
    if comparison is not None:
        letters = comparison.letters(name)
        bounds = comparison.means[name].interval
        interval = "-" if bounds is None else f"{bounds[0]:.2f}-{bounds[1]:.2f}"
    means = [f"{system.report.mean(measure):.3f}" for measure in measures]
    latencies = [seconds_text(system.timing.percentile(share)) for share in _PERCENTILES]
    asked = str(system.timing.asked)
    return [_name(name), means[0], interval, letters, *means[1:], *latencies, asked]


def _pair_rows(comparison: SystemComparison) -> list[list[str]]:
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
    return [
        _name(pair.better),
        _name(pair.worse),
        f"{difference.mean:.3f}",
        interval,
        f"{difference.p_value:.4f}",
        f"{pair.adjusted_p:.4f}",
        f"{difference.wins}/{difference.ties}/{difference.losses}",
        "shown" if pair.is_shown else "",
    ]


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align columns: names to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _name(name: str) -> str:
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
    return "-" if usd is None else f"${usd:.4f}"
