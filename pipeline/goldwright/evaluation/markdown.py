"""An evaluation as Markdown, for a comment on a pull request or the summary of a build."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.evaluation.gates import GateResult
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import Stratum
from goldwright.text import counted, make_visible

# Worst queries that are listed, folded away.
MOST_WORST: Final = 10
# "@ann" and "#12" at the beginning of a word, but not "nDCG@10".
_NOTICED: Final = re.compile(r"(?<!\w)[@#](?=\w)")
# What Markdown would take for more than text, in the order in which it is escaped.
_ACTIVE: Final = "\\`*_[]<>|~"


def evaluation_markdown(
    report: EvaluationReport, strata: Sequence[Stratum], gates: Sequence[GateResult]
) -> str:
    """Write the gates, every measure with its interval, and the worst queries folded away.

    Args:
        report: The report.
        strata: Its strata, all queries first.
        gates: The outcomes of its gates.
    """
    dataset = markdown_cell(report.dataset)
    heading = _heading(report, gates)
    lines = [f"### {heading}", "", dataset, ""]
    if gates:
        gate_table = markdown_table(list(_gate_rows(gates)))
        lines += [*gate_table, ""]
    lines += markdown_table(list(_measure_rows(strata[0])))
    lines += ["", "<details><summary>The worst queries</summary>", ""]
    lines += markdown_table(list(_worst_rows(report)))
    lines += ["", "</details>"]
    notes = map(markdown_cell, report.notes)
    lines += [f"\n> {note}" for note in notes]
    return "\n".join(lines) + "\n"


def markdown_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table: the first row is its header, and all columns but the first are figures."""
    header, *body = rows
    figure_count = len(header) - 1
    rule = ["---", *["---:"] * figure_count]
    return [_markdown_row(row) for row in (header, rule, *body)]


def _markdown_row(cells: Sequence[str]) -> str:
    text = " | ".join(map(markdown_cell, cells))
    return f"| {text} |"


def markdown_cell(text: str) -> str:
    """Make a text safe for a cell of a table: names and messages come from elsewhere."""
    visible = make_visible(" ".join(text.split()))
    for character in _ACTIVE:
        visible = visible.replace(character, f"\\{character}")
    # A mention would notify people, and a number would link to an issue.
    return _NOTICED.sub("\\g<0>\u2060", visible)


def _heading(report: EvaluationReport, gates: Sequence[GateResult]) -> str:
    retriever = markdown_cell(report.retriever)
    size = counted(len(report.queries), "query")
    heading = f"{retriever} on {size}"
    total = len(gates)
    failed = sum(not result.passed for result in gates)
    if failed:
        return f"{heading}: {failed} of {total} gates fail"
    if gates:
        passing = "the gate passes" if total == 1 else f"all {total} gates pass"
        return f"{heading}: {passing}"
    return heading


def _gate_rows(gates: Sequence[GateResult]) -> Iterator[list[str]]:
    yield ["gate", "reached", ""]
    for result in gates:
        outcome = "passes" if result.passed else "FAILS"
        yield [result.gate.rule, result.reached or "no query", outcome]


def _measure_rows(overall: Stratum) -> Iterator[list[str]]:
    yield ["", "mean", "95 %", "queries"]
    for measure, mean in overall.means.items():
        interval = "-"
        if mean.interval is not None:
            low, high = mean.interval
            interval = f"{low:.3f}-{high:.3f}"
        value = f"{mean.value:.3f}"
        yield [measure, value, interval, str(mean.n)]


def _worst_rows(report: EvaluationReport) -> Iterator[list[str]]:
    measure = quality_measures(report.measures)[0]

    def value(query: QueryScore) -> tuple[float, str]:
        return query.values[measure], query.query_id

    yield ["query", measure, "first place"]
    for query in sorted(report.queries, key=value)[:MOST_WORST]:
        title = f"{query.query_id}: {query.query_text}"
        first_rank = query.first_rank
        place = "none" if first_rank is None else str(first_rank)
        figure = f"{query.values[measure]:.2f}"
        yield [title, figure, place]
