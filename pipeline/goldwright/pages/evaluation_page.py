"""An evaluation as one page: what was reached, where it is weak, and what was retrieved instead."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Final

from markupsafe import Markup

from goldwright.evaluation.calibration.sufficiency import Sufficiency
from goldwright.evaluation.gates import ALL, GateResult
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import MeanWithInterval, Stratum, dimensions
from goldwright.evaluation.worst_queries import (
    SnippetPair,
    choose_main_measure,
    worst_queries,
)
from goldwright.pages.reliability_diagram import draw_reliability
from goldwright.pages.rendering import render_page
from goldwright.pages.svg_charts import NARROW, DotRow, draw_bars, draw_means
from goldwright.records import DIFFICULTIES, TASK_TYPES, TaskType

# How our own pages begin; a page replaces no other file.
MARK: Final = "<!doctype html><!-- goldwright evaluation -->"
# Measures that are drawn by stratum; three charts fit side by side.
MOST_CHARTED: Final = 3
# The bars of the histogram: each of the first ten ranks, which most measures look at, then ranges.
# No measure has a cutoff beyond 1,000.
SINGLE_RANKS: Final = range(1, 11)
RANK_RANGES: Final = {
    "11–20": range(11, 21),
    "21–50": range(21, 51),
    "51+": range(51, 1001),
}
# The style has colours c0 to c4, a fifth of the scale of 0 to 1 each.
SHADES: Final = 5


@dataclass(frozen=True, slots=True)
class StratumCell:
    """A cell of the plan.

    Attributes:
        mean: Its mean; None without queries.
        shade: How strongly it is coloured, 0..4.
    """

    mean: MeanWithInterval | None
    shade: int


@dataclass(frozen=True, slots=True)
class CellRow:
    """The cells of one task type, by rising difficulty."""

    task_type: TaskType
    cells: Sequence[StratumCell]


@dataclass(frozen=True, slots=True)
class NamedChart:
    """A chart with its heading."""

    name: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class DimensionSection:
    """The charts of one dimension, a measure each."""

    title: str
    charts: Sequence[NamedChart]


def evaluation_page(
    report: EvaluationReport,
    strata: Sequence[Stratum],
    gates: Sequence[GateResult],
    sufficiency: Sufficiency | None,
    snippets: Mapping[str, SnippetPair] | None = None,
) -> bytes:
    """Render the page; the same evaluation gives the same bytes.

    Args:
        report: The report.
        strata: Its strata, all queries first.
        gates: The outcomes of its gates.
        sufficiency: What its sufficiency scores are worth, where it has any.
        snippets: Code for the worst queries, by query id, where there is a codebase to show.
    """
    main_measure = choose_main_measure(report)
    overall_chart = _draw_overall(strata[0], gates)
    sections = list(_sections(report, strata))
    cell_rows = list(_cell_rows(strata, main_measure))
    reliability_diagram = None
    if sufficiency is not None:
        reliability_diagram = _draw_reliability(sufficiency)
    values = {
        "report": report,
        "gates": gates,
        "overall_chart": overall_chart,
        "sections": sections,
        "main_measure": main_measure,
        "cell_rows": cell_rows,
        "difficulties": DIFFICULTIES,
        "rank_histogram": _draw_first_ranks(report.queries),
        "sufficiency": sufficiency,
        "reliability_diagram": reliability_diagram,
        "worst_queries": worst_queries(report),
        "snippets": snippets or {},
    }
    return render_page("evaluation.html", MARK, values)


def _draw_overall(overall: Stratum, gates: Sequence[GateResult]) -> Markup:
    floors = {}
    for result in gates:
        gate = result.gate
        if gate.stratum == ALL and not gate.each:
            floors[gate.measure] = gate.floor
    rows = list(starmap(DotRow, overall.means.items()))
    label = "Every measure over all queries, with 95 % intervals"
    return draw_means(rows, label=label, floors=floors)


def _sections(report: EvaluationReport, strata: Sequence[Stratum]) -> Iterator[DimensionSection]:
    measures = quality_measures(report.measures)[:MOST_CHARTED]
    for dimension in dimensions(strata):
        # Cells have a table of their own.
        if dimension != "cell":
            members = [stratum for stratum in strata if stratum.dimension == dimension]
            charts = [_chart_by_stratum(members, measure) for measure in measures]
            name = dimension.replace("_", " ")
            yield DimensionSection(f"By {name}", charts)


def _chart_by_stratum(strata: Sequence[Stratum], measure: str) -> NamedChart:
    """Draw a measure in all strata of one dimension."""
    rows = [DotRow(stratum.name, stratum.means[measure]) for stratum in strata]
    label = f"{measure} by {strata[0].dimension}"
    svg = draw_means(rows, label=label, width=NARROW)
    return NamedChart(measure, svg)


def _cell_rows(strata: Sequence[Stratum], measure: str) -> Iterator[CellRow]:
    """Yield a row for each task type of the plan that has queries, in the order of the plan."""
    means = {}
    for stratum in strata:
        if stratum.dimension == "cell":
            means[stratum.name] = stratum.means[measure]
    for task_type in TASK_TYPES:
        names = [f"{task_type}/{difficulty}" for difficulty in DIFFICULTIES]
        if not means.keys().isdisjoint(names):
            cells = map(_shade_cell, map(means.get, names))
            yield CellRow(task_type, list(cells))


def _shade_cell(mean: MeanWithInterval | None) -> StratumCell:
    if mean is None:
        return StratumCell(None, shade=0)
    # A mean of 1 belongs to the last shade, not to one beyond it.
    shade = int(mean.value * SHADES)
    return StratumCell(mean, min(shade, SHADES - 1))


def _draw_first_ranks(queries: Sequence[QueryScore]) -> Markup:
    counts = list(_count_first_ranks(queries))
    label = "At which place the first expected entity was found, and for how many queries"
    return draw_bars(counts, label=label)


def _count_first_ranks(queries: Sequence[QueryScore]) -> Iterator[tuple[str, int]]:
    """Yield a name and a number of queries for each bar."""
    queries_by_rank = Counter(query.first_rank for query in queries)
    for rank in SINGLE_RANKS:
        yield str(rank), queries_by_rank[rank]
    for name, ranks in RANK_RANGES.items():
        counts = map(queries_by_rank.__getitem__, ranks)
        yield name, sum(counts)
    yield "none", queries_by_rank[None]


def _draw_reliability(sufficiency: Sufficiency) -> Markup:
    label = "Share of right answers by sufficiency score"
    return draw_reliability(sufficiency.calibration.curve, label=label)
