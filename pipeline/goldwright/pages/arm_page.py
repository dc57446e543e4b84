"""A comparison of retrieval arms as one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable, saturation_notes
from goldwright.evaluation.arms.arm_text import arm_rows, could_show_text
from goldwright.evaluation.system_text import findings, pair_rows
from goldwright.pages.rendering import render_page
from goldwright.pages.svg_charts import ChartWidth, DotRow, draw_means

# How our own pages begin; a page replaces no other file.
MARK: Final = "<!doctype html><!-- goldwright compare -->"
_WIDTH: Final = ChartWidth(total=860, names=160, counts=96)


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """One table of arms, ready to be written.

    Attributes:
        title: Model and treatment of docstrings.
        chart: The means by the measure that decides; None where nothing was compared.
        rows: A header, and a row for each arm.
        findings: Who is best, as far as shown.
        pairs: A header, and a row for each pair.
        warnings: Measures without room, and arms that lack something.
    """

    title: str
    chart: Markup | None
    rows: Sequence[Sequence[str]]
    findings: Sequence[str]
    pairs: Sequence[Sequence[str]]
    warnings: Sequence[str]


def arm_page(comparison: ArmComparison) -> bytes:
    """Render the page; the same comparison gives the same bytes."""
    first_bench = comparison.tables[0].bench
    tables = list(map(_draw, comparison.tables))
    values = {
        "report": first_bench.report,
        "level": comparison.level,
        "tables": tables,
        "notes": first_bench.notes,
        "unchanged": comparison.unchanged,
    }
    return render_page("arms.html", MARK, values)


def _draw(table: ArmTable) -> DrawnTable:
    compared = table.bench.comparison
    chart = None
    sentences: list[str] = []
    pairs: Sequence[Sequence[str]] = []
    if compared is not None:
        rows = [DotRow(name, mean) for name, mean in compared.means.items()]
        label = f"{compared.measure} of each arm with its 95 % interval"
        chart = draw_means(rows, label=label, width=_WIDTH)
        sentences = [*findings(compared), could_show_text(compared)]
        pairs = pair_rows(compared)
    warnings = list(saturation_notes(table))
    for name, error in table.bench.failures.items():
        warnings.append(f"{name} lacks: {error}")
    return DrawnTable(
        title=table.title,
        chart=chart,
        rows=arm_rows(table),
        findings=sentences,
        pairs=pairs,
        warnings=warnings,
    )
