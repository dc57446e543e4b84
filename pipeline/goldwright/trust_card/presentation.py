"""A trust card in words and columns: for the terminal, the review page and the dataset card."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.records import TrustFigure

_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row of the table, every cell as text; cells may be empty."""

    title: str
    value: str
    n: str
    interval: str
    wanted: str
    verdict: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells in the order of the columns."""
        return (self.title, self.value, self.n, self.interval, self.wanted, self.verdict)


COLUMNS: Final = FigureRow("figure", "value", "n", "95 % interval", "wanted", "verdict")


def figure_rows(figures: Mapping[str, TrustFigure]) -> list[FigureRow]:
    """Write every figure as a row."""
    return [figure_row(figure) for figure in figures.values()]


def table_lines(figures: Mapping[str, TrustFigure]) -> Iterator[str]:
    """Write the table in aligned columns, a heading first."""
    rows = [COLUMNS, *figure_rows(figures)]
    title_width = max(len(row.title) for row in rows)
    for row in rows:
        columns = [
            row.title.ljust(title_width),
            row.value.rjust(7),
            row.n.rjust(6),
            row.interval.ljust(17),
            row.wanted.ljust(8),
            row.verdict,
        ]
        yield "  ".join(columns).rstrip()


def markdown_table(figures: Mapping[str, TrustFigure]) -> Iterator[str]:
    """Write the table in Markdown."""
    yield _markdown_row(COLUMNS)
    yield "|---|--:|--:|---|---|---|"
    for row in figure_rows(figures):
        yield _markdown_row(row)


def card_summary_lines(figures: Mapping[str, TrustFigure]) -> Iterator[str]:
    """Say in at most two lines how many figures are reached, and which are worst."""
    verdicts = [figure.verdict for figure in figures.values() if figure.verdict is not None]
    reached = verdicts.count("ok")
    text = f"{reached} of {len(verdicts)} figures reach what is wanted"
    open_count = verdicts.count("too few")
    if open_count:
        text += f"; too few observations for {open_count}"
    yield text
    missed = missed_figures(figures.values())
    if missed:
        worst = "; ".join(_worst(figure) for figure in missed[:_MOST_NAMED])
        yield f"farthest from it: {worst}"


def missed_figures(figures: Iterable[TrustFigure]) -> list[TrustFigure]:
    """The figures that surely miss what is wanted, those farthest from it first."""
    missed = [figure for figure in figures if figure.verdict == "short"]
    return sorted(missed, key=_by_shortfall)


def _worst(figure: TrustFigure) -> str:
    row = figure_row(figure)
    return f"{row.title} {row.value} ({row.wanted})"


def figure_row(figure: TrustFigure) -> FigureRow:
    """Write a figure as a row."""
    return FigureRow(
        title=figure.title,
        value=_number(figure.value, figure),
        n=str(figure.n),
        interval=_interval(figure),
        wanted=_wanted(figure),
        verdict=figure.verdict or "",
    )


def _number(value: float | None, figure: TrustFigure) -> str:
    if value is None:
        return "–"
    match figure.unit:
        case "share":
            return f"{value:.1%}"
        case "points":
            return f"{100 * value:+.0f} pt"
        case "number":
            # A small number is a measure in 0..1, a large one a count.
            return f"{value:.3f}" if abs(value) < 1 else f"{value:.1f}"


def _interval(figure: TrustFigure) -> str:
    if figure.interval is None:
        return ""
    low, high = (_number(limit, figure) for limit in figure.interval)
    return f"{low} … {high}"


def _wanted(figure: TrustFigure) -> str:
    if figure.wanted is None:
        return ""
    sign = "≥" if figure.direction == "at least" else "≤"
    match figure.unit:
        case "share":
            return f"{sign} {figure.wanted:.0%}"
        case "points":
            return f"{sign} {100 * figure.wanted:.0f} pt"
        case "number":
            return f"{sign} {figure.wanted:g}"


def _markdown_row(row: FigureRow) -> str:
    cells = " | ".join(row.cells)
    return f"| {cells} |"


def _by_shortfall(figure: TrustFigure) -> tuple[float, str]:
    if figure.value is None or figure.wanted is None:
        return 0.0, figure.title
    return -abs(figure.value - figure.wanted), figure.title
