"""A comparison of retrievers as one page: who is best, by how much, and on which queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from goldwright.evaluation.bench import Bench
from goldwright.evaluation.system_text import cost_text, findings, seconds_text, win_matrix
from goldwright.pages.rendering import render_page
from goldwright.pages.svg_charts import ChartWidth, DotRow, draw_means
from goldwright.text import make_visible, shorten

# How our own pages begin; a page replaces no other file.
MARK: Final = "<!doctype html><!-- goldwright bench -->"
# Names of systems are longer than those of measures.
_WIDTH: Final = ChartWidth(total=860, names=240, counts=96)
_LONGEST_NAME: Final = 34
_PERCENTILES: Final = (0.5, 0.95, 0.99)
# Ranks up to which a query counts as found at once, near and far: a shade of the style each.
_RANK_SHADES: Final = ((1, 4), (3, 3), (10, 2), (1000, 1))


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system in the table of systems.

    Attributes:
        name: Its name.
        letters: The groups that it belongs to.
        means: Each measure.
        latencies: p50, p95 and p99.
        asked_queries: How many queries it was asked now.
        cost: What its replies cost.
    """

    name: str
    letters: str
    means: Sequence[float]
    latencies: Sequence[str]
    asked_queries: int
    cost: str


@dataclass(frozen=True, slots=True)
class RankCell:
    """The first rank at which a system found something expected, and its shade."""

    rank: int | None
    shade: int


@dataclass(frozen=True, slots=True)
class QueryRow:
    """A query, and what each system came to on it.

    Attributes:
        query_id: Its id.
        text: Its text.
        ranks: For each system, the best first.
        spread: The difference of the best and the worst value of the measure that decides.
    """

    query_id: str
    text: str
    ranks: Sequence[RankCell]
    spread: float


def bench_page(result: Bench) -> bytes:
    """Render the page; the same comparison gives the same bytes."""
    comparison = result.comparison
    names = list(result.systems)
    sentences: list[str] = []
    matrix: Sequence[Sequence[str]] = []
    if comparison is not None:
        names = list(comparison.means)
        sentences = list(findings(comparison))
        matrix = win_matrix(comparison)
    systems = [_system_row(result, name) for name in names]
    failures = {name: str(error) for name, error in result.failures.items()}
    has_costs = any(system.cost_usd is not None for system in result.systems.values())
    values: dict[str, object] = {
        "report": result.report,
        "measures": result.measures,
        "comparison": comparison,
        "findings": sentences,
        "chart": _draw_means(result),
        "systems": systems,
        "names": names,
        "matrix": matrix,
        "queries": _query_rows(result, names),
        "failures": failures,
        "notes": result.notes,
        "has_costs": has_costs,
    }
    return render_page("bench.html", MARK, values)


def _draw_means(result: Bench) -> Markup | None:
    if result.comparison is None:
        return None
    rows = [DotRow(_short(name), mean) for name, mean in result.comparison.means.items()]
    label = f"{result.comparison.measure} of each system with its 95 % interval"
    return draw_means(rows, label=label, width=_WIDTH)


def _system_row(result: Bench, name: str) -> SystemRow:
    system = result.systems[name]
    letters = result.comparison.letters(name) if result.comparison is not None else ""
    means = [system.report.mean(measure) for measure in result.measures]
    latencies = [seconds_text(system.timing.percentile(share)) for share in _PERCENTILES]
    return SystemRow(
        name=name,
        letters=letters,
        means=means,
        latencies=latencies,
        asked_queries=system.timing.asked,
        cost=cost_text(system.cost_usd),
    )


def _query_rows(result: Bench, names: Sequence[str]) -> list[QueryRow]:
    """Give the queries that tell the systems apart first, and those that all miss last."""
    measure = result.measures[0]
    scores = [result.systems[name].report.by_id for name in names]
    rows = []
    for query in result.report.queries:
        of_systems = [by_id[query.query_id] for by_id in scores]
        values = [score.values[measure] for score in of_systems]
        ranks = [_rank_cell(score.first_rank) for score in of_systems]
        spread = max(values) - min(values)
        rows.append(QueryRow(query.query_id, query.query_text, ranks, spread))
    return sorted(rows, key=lambda row: -row.spread)


def _rank_cell(rank: int | None) -> RankCell:
    if rank is None:
        return RankCell(None, 0)
    shade = next(shade for last, shade in _RANK_SHADES if rank <= last)
    return RankCell(rank, shade)


def _short(name: str) -> str:
    return shorten(make_visible(name), _LONGEST_NAME)
