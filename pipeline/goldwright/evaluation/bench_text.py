"""A comparison of retrievers as a page of text, and as Markdown for a pull request."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.evaluation.bench import Bench, BenchedSystem
from goldwright.evaluation.markdown import markdown_cell, markdown_table
from goldwright.evaluation.reply_notes import doubt_of_difference
from goldwright.evaluation.system_comparison import SystemComparison
from goldwright.evaluation.system_text import (
    cost_text,
    findings,
    pair_rows,
    seconds_text,
    system_name,
    win_matrix,
)
from goldwright.evaluation.text_columns import aligned
from goldwright.text import make_visible

# Measures in the table beside the one that decides.
MORE_MEASURES: Final = 3
_PERCENTILES: Final = (0.5, 0.95, 0.99)


def bench_lines(result: Bench) -> Iterator[str]:
    """Write the table of systems, who cannot be told apart, the pairs and the wins."""
    yield _heading(result)
    yield make_visible(result.report.dataset)
    yield ""
    yield from aligned(_table(result))
    if result.comparison is not None:
        yield ""
        yield from findings(result.comparison)
        if len(result.comparison.best) == len(result.comparison.means):
            yield "By another measure they may be: --measure names it, and compare tests them all."
        doubt = doubt_of_difference(result.report.notes)
        if doubt:
            yield doubt
        yield ""
        yield from aligned(pair_rows(result.comparison))
        yield ""
        yield "queries on which the row is better than the column"
        yield from aligned(win_matrix(result.comparison))
    for name, error in result.failures.items():
        reason = make_visible(str(error))
        yield f"FAILED  {make_visible(name)}: {reason}"
    for note in result.notes:
        yield f"note: {make_visible(note)}"


def bench_markdown(result: Bench) -> str:
    """Write the table and the findings as Markdown, the pairs and wins folded away."""
    dataset = markdown_cell(result.report.dataset)
    heading = _heading(result)
    lines = [f"### {heading}", "", dataset, ""]
    lines += markdown_table(_table(result))
    if result.comparison is not None:
        lines += ["", *findings(result.comparison), ""]
        lines += ["<details><summary>Every pair, and who wins where</summary>", ""]
        lines += markdown_table(pair_rows(result.comparison))
        lines += ["", "Queries on which the row is better than the column:", ""]
        lines += markdown_table(win_matrix(result.comparison))
        lines += ["", "</details>"]
    for name, error in result.failures.items():
        system = markdown_cell(name)
        reason = markdown_cell(str(error))
        lines += ["", f"**Failed:** {system}: {reason}"]
    notes = map(markdown_cell, result.notes)
    lines += [f"\n> {note}" for note in notes]
    return "\n".join(lines) + "\n"


def _heading(result: Bench) -> str:
    report = result.report
    commit = f" at {report.commit[:12]}" if report.commit else ""
    return f"{result.size}{commit}"


def _table(result: Bench) -> list[list[str]]:
    """A row for each system, the best first."""
    measures = result.measures[: MORE_MEASURES + 1]
    costs = [system.cost_usd for system in result.systems.values()]
    has_costs = any(cost is not None for cost in costs)
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
        if bounds is not None:
            low, high = bounds
            interval = f"{low:.2f}-{high:.2f}"
    means = [f"{system.report.mean(measure):.3f}" for measure in measures]
    latencies = [seconds_text(system.timing.percentile(share)) for share in _PERCENTILES]
    asked_count = str(system.timing.asked)
    return [system_name(name), means[0], interval, letters, *means[1:], *latencies, asked_count]
