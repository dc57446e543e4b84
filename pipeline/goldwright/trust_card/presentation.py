"""A trust card in words and columns: for the terminal, the review page and the dataset card."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.records import TrustFigure
from goldwright.trust_card.measure import FEWEST_OBSERVATIONS

_MOST_NAMED: Final = 3
_SIGNS: Final = {"at least": "≥", "at most": "≤", None: ""}


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
        title = row.title.ljust(title_width)
        value_and_count = f"{row.value:>7}  {row.n:>6}"
        cells = f"{value_and_count}  {row.interval:<17}"
        line = f"{title}  {cells}  {row.wanted:<8}"
        yield f"{line}  {row.verdict}".rstrip()


def markdown_table(figures: Mapping[str, TrustFigure]) -> Iterator[str]:
    """Write the table in Markdown."""
    yield _markdown_row(COLUMNS)
    yield "|---|--:|--:|---|---|---|"
    for row in figure_rows(figures):
        yield _markdown_row(row)


def card_summary_lines(figures: Mapping[str, TrustFigure]) -> Iterator[str]:
    """Say in at most two lines how many figures are reached, and which are worst."""
    verdicts = Counter(figure.verdict for figure in figures.values())
    # Figures without a goal have no verdict.
    judged = verdicts.total() - verdicts[None]
    text = f"{verdicts['ok']} of {judged} figures reach what is wanted"
    undecided = sum(map(_is_undecided, figures.values()))
    if undecided:
        text += f"; {undecided} undecided, for the interval holds what is wanted"
    decided_count = verdicts["ok"] + verdicts["short"]
    too_few = judged - decided_count - undecided
    if too_few:
        text += f"; too few observations for {too_few}"
    yield text
    missed = missed_figures(figures.values())
    if missed:
        worst = map(_worst_text, missed[:_MOST_NAMED])
        yield f"farthest from it: {'; '.join(worst)}"


def missed_figures(figures: Iterable[TrustFigure]) -> list[TrustFigure]:
    """The figures that surely miss what is wanted, those farthest from it first."""
    missed = [figure for figure in figures if figure.verdict == "short"]
    return sorted(missed, key=_distance, reverse=True)


def figure_row(figure: TrustFigure) -> FigureRow:
    """Write a figure as a row."""
    value = _number(figure.value, figure)
    verdict = "undecided" if _is_undecided(figure) else figure.verdict or ""
    return FigureRow(
        title=figure.title,
        value=value,
        n=str(figure.n),
        interval=_interval(figure),
        wanted=_wanted(figure),
        verdict=verdict,
    )


def _is_undecided(figure: TrustFigure) -> bool:
    """Find out whether a goal is missed, and perhaps by chance, with observations enough.

    Older cards call this ``too few``, too.
    """
    is_of_older_card = figure.verdict == "too few" and figure.n >= FEWEST_OBSERVATIONS
    return figure.verdict == "undecided" or is_of_older_card


def _distance(figure: TrustFigure) -> float:
    """How far the value lies from what is wanted."""
    if figure.value is None or figure.wanted is None:
        return 0.0
    return abs(figure.value - figure.wanted)


def _worst_text(figure: TrustFigure) -> str:
    row = figure_row(figure)
    return f"{row.title} {row.value} ({row.wanted})"


def _number(value: float | None, figure: TrustFigure) -> str:
    if value is None:
        return "–"
    match figure.unit:
        case "share":
            return f"{value:.1%}"
        case "points":
            return f"{100 * value:+.0f} pt"
        case "number" if abs(value) < 1:
            # A measure in 0..1; what is larger is a count.
            return f"{value:.3f}"
        case "number":
            return f"{value:.1f}"


def _interval(figure: TrustFigure) -> str:
    if figure.interval is None:
        return ""
    low, high = figure.interval
    low_text = _number(low, figure)
    high_text = _number(high, figure)
    return f"{low_text} … {high_text}"


def _wanted(figure: TrustFigure) -> str:
    if figure.wanted is None:
        return ""
    match figure.unit:
        case "share":
            limit = f"{figure.wanted:.0%}"
        case "points":
            limit = f"{100 * figure.wanted:.0f} pt"
        case "number":
            limit = f"{figure.wanted:g}"
    return f"{_SIGNS[figure.direction]} {limit}"


def _markdown_row(row: FigureRow) -> str:
    cells = " | ".join(row.cells)
    return f"| {cells} |"
