"""Charts as SVG: means with their intervals, and counts as bars."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from goldwright.evaluation.strata import MeanWithInterval
from goldwright.pages.svg_elements import bar, dot, horizontal, svg, text, vertical

TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
DOT_RADIUS: Final = 4.5

_ROW_HEIGHT: Final = 26
# The space above the first row, and below the last one for the ticks of the scale.
_HEAD: Final = 8
_FOOT: Final = 26
_FLOOR_MARK: Final = 9

_BAR_AREA: Final = 180
# Above the highest bar there is room for its count, below the axis for the names.
_COUNT_HEIGHT: Final = 24
_NAME_HEIGHT: Final = 46
# The share of its column that a bar takes, centred.
_BAR_SHARE: Final = 0.72
_GAP_SHARE: Final = 0.14


@dataclass(frozen=True, slots=True)
class ChartWidth:
    """The width of a chart of means.

    Attributes:
        total: The whole width.
        names: The space left of the scale, for the longest name.
        counts: The space right of the scale, for the value and the number of queries.
    """

    total: float
    names: float
    counts: float


WIDE: Final = ChartWidth(total=640, names=150, counts=96)
# Three charts stand side by side, and their names are strata, which are short.
NARROW: Final = ChartWidth(total=400, names=76, counts=88)


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row of a chart of means: a name, and a mean with its interval."""

    name: str
    mean: MeanWithInterval


@dataclass(frozen=True, slots=True)
class _Scale:
    """A horizontal scale of 0 to 1 between two x coordinates."""

    start: float
    end: float

    def x(self, value: float) -> float:
        return self.start + value * (self.end - self.start)


def draw_means(
    rows: Sequence[DotRow],
    *,
    label: str,
    floors: Mapping[str, float] | None = None,
    width: ChartWidth = WIDE,
) -> Markup:
    """Draw means as dots on a scale of 0 to 1, with their intervals.

    Args:
        rows: The means, from top to bottom.
        label: What the chart shows, for those who cannot see it.
        floors: The floors of gates by the name of a row; each is marked.
        width: The width of the chart.
    """
    height = _HEAD + _ROW_HEIGHT * len(rows) + _FOOT
    elements = _mean_elements(rows, floors or {}, width, height)
    return svg(width.total, height, label, elements)


def draw_bars(counts: Sequence[tuple[str, int]], *, label: str) -> Markup:
    """Draw counts as bars, each with its number; the last bar is set apart by its colour.

    Args:
        counts: At least one name with its count, from left to right.
        label: What the chart shows, for those who cannot see it.
    """
    height = _BAR_AREA + _NAME_HEIGHT
    return svg(WIDE.total, height, label, _bar_elements(counts))


def _mean_elements(
    rows: Sequence[DotRow], floors: Mapping[str, float], width: ChartWidth, height: float
) -> Iterator[Markup]:
    scale_end = width.total - width.counts
    scale = _Scale(start=width.names, end=scale_end)
    name_x = scale.start - 10
    count_x = width.total - 2
    yield from _scale_elements(scale, height)
    for place, row in enumerate(rows):
        row_top = _HEAD + _ROW_HEIGHT * place
        y = row_top + _ROW_HEIGHT / 2
        yield text(name_x, y, row.name, "name")
        yield from _interval_elements(row, scale, y)
        if row.name in floors:
            x = scale.x(floors[row.name])
            yield vertical(x, y - _FLOOR_MARK, y + _FLOOR_MARK, "floor")
        x = scale.x(row.mean.value)
        yield dot(x, y, DOT_RADIUS)
        count = f"{row.mean.value:.2f}  n {row.mean.n}"
        yield text(count_x, y, count, "count")


def _interval_elements(row: DotRow, scale: _Scale, y: float) -> Iterator[Markup]:
    if row.mean.interval is not None:
        low, high = row.mean.interval
        low_x = scale.x(low)
        high_x = scale.x(high)
        yield horizontal(y, low_x, high_x, "whisker")


def _scale_elements(scale: _Scale, height: float) -> Iterator[Markup]:
    for tick in TICKS:
        x = scale.x(tick)
        label = f"{tick:g}"
        yield vertical(x, 2, height - _FOOT, "grid")
        yield text(x, height - 10, label, "tick")


def _bar_elements(counts: Sequence[tuple[str, int]]) -> Iterator[Markup]:
    largest = max(count for _, count in counts)
    step = WIDE.total / len(counts)
    bar_width = step * _BAR_SHARE
    last_place = len(counts) - 1
    for place, (name, count) in enumerate(counts):
        # At least 1, so that a chart without any query draws empty bars.
        share = count / max(largest, 1)
        height = share * (_BAR_AREA - _COUNT_HEIGHT)
        top = _BAR_AREA - height
        column_x = place * step
        bar_x = column_x + step * _GAP_SHARE
        kind = "bar none" if place == last_place else "bar"
        yield bar(bar_x, top, width=bar_width, height=height, kind=kind)
        middle = column_x + step / 2
        yield text(middle, top - 9, str(count), "value")
        yield text(middle, _BAR_AREA + 16, name, "tick")
    yield horizontal(_BAR_AREA, 0, WIDE.total, "axis")
