"""An evaluation as one page: what was reached, where it is weak, and what was found instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from goldwright.evaluation.gates import ALL, GateResult
from goldwright.evaluation.report import EvaluationReport, QueryScore
from goldwright.evaluation.strata import MeanWithInterval, Stratum, dimensions
from goldwright.evaluation.sufficiency import Sufficiency
from goldwright.pages.svg_charts import NARROW, Curve, DotRow, bars, reliability, whiskers
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.text import make_visible

MARK: Final = "<!doctype html><!-- goldwright evaluation -->"
WORST: Final = 15
MOST_PICTURED: Final = 3
PLACES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
FURTHER: Final = ((11, 20), (21, 50), (51, 1000))


@dataclass(frozen=True, slots=True)
class StratumCell:
    """A cell of the plan: its mean, and how strongly it is coloured (0..4)."""

    mean: MeanWithInterval | None
    shade: int


def evaluation_page(
    report: EvaluationReport,
    strata: Sequence[Stratum],
    gates: Sequence[GateResult],
    told: Sufficiency | None,
) -> bytes:
    """Draw the page; the same evaluation gives the same bytes."""
    chief = next(
        (one for one in ("MRR", "nDCG@10", "R@10") if one in report.measures), report.measures[0]
    )
    pictured = [one for one in report.measures if not one.startswith("Judged")][:MOST_PICTURED]
    page = (
        _environment()
        .get_template("evaluation.html")
        .render(
            mark=Markup(MARK),  # noqa: S704  # a constant
            report=report,
            gates=gates,
            overall=_overall(strata[0], gates),
            strata=[
                (f"By {dimension.replace('_', ' ')}", _by_measure(strata, dimension, pictured))
                for dimension in dimensions(strata)
                if dimension != "cell"
            ],
            chief=chief,
            cells=_cells(strata, chief),
            difficulties=DIFFICULTIES,
            histogram=_histogram(report.queries),
            sufficiency=told,
            diagram=_diagram(told) if told else None,
            worst=sorted(
                report.queries,
                key=lambda one: (one.values[chief], sum(one.values.values()), one.query_id),
            )[:WORST],
        )
    )
    return page.encode("utf-8", "backslashreplace")


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("goldwright.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(visible=make_visible)
    return environment


def _diagram(told: Sufficiency) -> Markup:
    curve = told.calibration.curve
    picture = Curve(
        fitted=[(one.score, one.fitted) for one in curve],
        band=[(one.score, one.low, one.high) for one in curve],
        points=[(one.score, one.n, one.right) for one in curve],
    )
    return reliability(picture, label="Share of right answers by sufficiency score")


def _overall(whole: Stratum, gates: Sequence[GateResult]) -> Markup:
    floors = {
        one.gate.measure: one.gate.floor
        for one in gates
        if one.gate.stratum == ALL and not one.gate.each
    }
    rows = [DotRow(name, mean) for name, mean in whole.means.items()]
    return whiskers(
        rows, label="Every measure over all queries, with 95 % intervals", floors=floors
    )


def _by_measure(
    strata: Sequence[Stratum], dimension: str, names: Sequence[str]
) -> Sequence[tuple[str, Markup]]:
    groups = [one for one in strata if one.dimension == dimension]
    return [
        (
            name,
            whiskers(
                [DotRow(one.name, one.means[name]) for one in groups],
                label=f"{name} by {dimension}",
                width=NARROW,
            ),
        )
        for name in names
    ]


def _cells(strata: Sequence[Stratum], name: str) -> Sequence[tuple[str, Sequence[StratumCell]]]:
    found = {one.name: one.means[name] for one in strata if one.dimension == "cell"}
    return [
        (task, [_cell(found.get(f"{task}/{hard}")) for hard in DIFFICULTIES])
        for task in TASK_TYPES
        if any(f"{task}/{hard}" in found for hard in DIFFICULTIES)
    ]


def _cell(mean: MeanWithInterval | None) -> StratumCell:
    return StratumCell(mean, min(int(mean.value * 5), 4) if mean else 0)


def _histogram(queries: Sequence[QueryScore]) -> Markup:
    firsts = [one.first_place for one in queries]
    counts = [(str(place), sum(one == place for one in firsts)) for place in PLACES]
    for low, high in FURTHER:
        name = f"{low}–{high}" if high < FURTHER[-1][1] else f"{low}+"
        counts.append((name, sum(one is not None and low <= one <= high for one in firsts)))
    counts.append(("none", sum(one is None for one in firsts)))
    return bars(
        counts, label="At which place the first expected entity was found, and for how many queries"
    )
