"""The cells of one source as a page: what is deployed, why, and how good the labels are."""

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from goldwright.cells.decision import CellDecision, CellResult
from goldwright.cells.labels import JudgeQuality
from goldwright.cells.measures import MEASURES, NDCG
from goldwright.cells.records import CellSettings, ObservedPrediction
from goldwright.evaluation.strata import MeanWithInterval
from goldwright.pages.rendering import render_page
from goldwright.pages.svg_charts import ChartWidth, DotRow, draw_means
from goldwright.text import counted, make_visible, shorten

# How our own pages begin; a page replaces no other file.
MARK: Final = "<!doctype html><!-- goldwright cells -->"
# Names of cells hold a model and a chunker.
_WIDTH: Final = ChartWidth(total=860, names=250, counts=96)
_LONGEST_NAME: Final = 36


def cells_page(
    name: str,
    settings: CellSettings,
    decision: CellDecision,
    observed: Sequence[ObservedPrediction],
) -> bytes:
    """Render the page; the same results give the same bytes."""
    chart = _draw(decision)
    origins = list(decision.queries_by_origin)
    lines_on_judge = list(judge_lines(decision.judge))
    values = {
        "name": name,
        "settings": settings,
        "decision": decision,
        "measures": MEASURES,
        "chart": chart,
        "origins": origins,
        "observed": observed,
        "judge_lines": lines_on_judge,
    }
    return render_page("cells.html", MARK, values)


def judge_lines(judge: JudgeQuality) -> Iterator[str]:
    """Say what was measured of the judge."""
    yield (
        f"{judge.controls_passed} of {judge.controls} foreign documents of equal length were not "
        "called relevant"
    )
    yield f"{judge.duplicates_same} of {judge.duplicates} pairs got the same grade twice"
    line = f"{judge.second_judge} gave the same grade to {judge.compared_same} of {judge.compared}"
    if judge.kappa is not None and judge.kappa_interval is not None:
        low, high = judge.kappa_interval
        interval = f"[{low:.2f}, {high:.2f}]"
        line += f"; weighted kappa {judge.kappa:.2f} {interval}"
    yield line
    disputed = counted(judge.for_people, "disputed pair")
    yield f"{disputed}, of which people decided {judge.decided}"


def _draw(decision: CellDecision) -> Markup:
    rows = [DotRow(_short(cell.cell), _mean(cell, decision.queries)) for cell in decision.cells]
    label = f"{NDCG} of each cell with its 95 % interval"
    return draw_means(rows, label=label, width=_WIDTH)


def _mean(cell: CellResult, count: int) -> MeanWithInterval:
    return MeanWithInterval(cell.means[NDCG], count, cell.intervals[NDCG])


def _short(name: str) -> str:
    return shorten(make_visible(name), _LONGEST_NAME)
