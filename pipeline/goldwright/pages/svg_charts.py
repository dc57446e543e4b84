"""Pictures as SVG: dots with whiskers, bars, a reliability diagram. Colours come from the style of
the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from goldwright.evaluation.strata import MeanWithInterval

WIDTH: Final = 640
NARROW: Final = 400
# The space left of the scale for names, and right of it for values.
MARGINS: Final[Mapping[float, tuple[float, float]]] = {WIDTH: (150, 96), NARROW: (76, 88)}
ROW: Final = 26
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_HEAD: Final = 8
_FOOT: Final = 26
_BARS: Final = 180
# The square of a reliability diagram.
_LEFT: Final = 50.0
_TOP: Final = 24.0
_SIDE: Final = 380.0


@dataclass(frozen=True, slots=True)
class DotRow:
    """A line of a picture: a name, and a mean with its interval."""

    name: str
    mean: MeanWithInterval


@dataclass(frozen=True, slots=True)
class Curve:
    """What a reliability diagram shows, all in 0..1.

    ``fitted`` are score and share correct, rising; ``band`` are score, low and high end of what a
    calibrated score would give; ``points`` are score, queries with it, and those of them that are
    right.
    """

    fitted: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]]
    points: Sequence[tuple[float, int, int]]


def whiskers(
    rows: Sequence[DotRow],
    *,
    label: str,
    floors: Mapping[str, float] | None = None,
    width: float = WIDTH,
) -> Markup:
    """Draw means as dots on a scale of 0 to 1, with their intervals, and a mark at the floor of a
    gate.
    """
    height = _HEAD + ROW * len(rows) + _FOOT
    return _svg(width, height, label, _whiskers(rows, floors or {}, width, height))


def _whiskers(
    rows: Sequence[DotRow], floors: Mapping[str, float], width: float, height: float
) -> Iterator[Markup]:
    left, right = MARGINS[width][0], width - MARGINS[width][1]
    yield from _scale(left, right, height)
    for place, row in enumerate(rows):
        y = _HEAD + ROW * place + ROW / 2
        yield _text(left - 10, y, row.name, "name")
        if row.mean.interval is not None:
            low, high = (left + end * (right - left) for end in row.mean.interval)
            yield _line(low, y, high, y, "whisker")
        if row.name in floors:
            x = left + floors[row.name] * (right - left)
            yield _line(x, y - 9, x, y + 9, "floor")
        x = left + row.mean.value * (right - left)
        yield Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="4.5"/>').format(x, y)
        yield _text(width - 2, y, f"{row.mean.value:.2f}  n {row.mean.n}", "count")


def bars(counts: Sequence[tuple[str, int]], *, label: str) -> Markup:
    """Draw counts as bars, each with its number; the last one is set apart, for what was not found."""
    most = max((count for _, count in counts), default=0) or 1
    return _svg(WIDTH, _BARS + 46, label, _bars(counts, most))


def _bars(counts: Sequence[tuple[str, int]], most: int) -> Iterator[Markup]:
    step = WIDTH / max(len(counts), 1)
    for place, (name, count) in enumerate(counts):
        high = count / most * (_BARS - 24)
        x, y = place * step + step * 0.14, _BARS - high
        kind = "bar none" if place == len(counts) - 1 else "bar"
        yield Markup(
            '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2"/>'
        ).format(kind, x, y, step * 0.72, high)
        middle = place * step + step / 2
        yield _text(middle, y - 9, str(count), "value")
        yield _text(middle, _BARS + 16, name, "tick")
    yield _line(0, _BARS, WIDTH, _BARS, "axis")


def reliability(curve: Curve, *, label: str) -> Markup:
    """Draw the share of correct answers over the score, with the band in which a calibrated score
    would lie.

    Ticks above are scores of queries that are right, ticks below those of others.
    """
    return _svg(460, 480, label, _reliability(curve))


def _reliability(curve: Curve) -> Iterator[Markup]:
    if curve.band:
        edge = [_at(x, high) for x, _, high in curve.band] + [
            _at(x, low) for x, low, _ in reversed(curve.band)
        ]
        yield Markup('<polygon class="band" points="{}"/>').format(_points(edge))
    yield Markup('<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>').format(
        _LEFT, _TOP, _SIDE, _SIDE
    )
    yield _line(*_at(0, 0), *_at(1, 1), "diagonal")
    for tick in TICKS:
        x, y = _at(tick, 0)
        yield _text(x, y + 26, f"{tick:g}", "tick")
        x, y = _at(0, tick)
        yield _text(x - 8, y, f"{tick:g}", "name")
    yield from _rug(curve)
    if curve.fitted:
        yield Markup('<polyline class="curve" points="{}"/>').format(
            _points(_at(*one) for one in curve.fitted)
        )
    for one in curve.fitted:
        yield Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="3"/>').format(*_at(*one))
    yield _text(_LEFT + _SIDE / 2, _TOP + _SIDE + 48, "sufficiency score", "tick")


def _rug(curve: Curve) -> Iterator[Markup]:
    for score, count, right in curve.points:
        if right:
            x, y = _at(score, 1)
            yield _line(x, y, x, y - 9, "rug")
        if right < count:
            x, y = _at(score, 0)
            yield _line(x, y, x, y + 9, "rug")


def _at(x: float, y: float) -> tuple[float, float]:
    """Where a point of the unit square lies in the diagram."""
    return _LEFT + x * _SIDE, _TOP + (1 - y) * _SIDE


def _scale(left: float, right: float, height: float) -> Iterator[Markup]:
    for tick in TICKS:
        x = left + tick * (right - left)
        yield _line(x, 2, x, height - _FOOT, "grid")
        yield _text(x, height - 10, f"{tick:g}", "tick")


def _svg(width: float, height: float, label: str, marks: Iterable[Markup]) -> Markup:
    head = Markup('<svg viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">').format(
        width, height, label
    )
    return head + Markup("").join(marks) + Markup("</svg>")


def _line(x: float, y: float, other_x: float, other_y: float, kind: str) -> Markup:
    return Markup('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>').format(
        kind, x, y, other_x, other_y
    )


def _text(x: float, y: float, text: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, y, text)


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
