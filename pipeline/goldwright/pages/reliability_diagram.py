"""A reliability diagram as SVG: the share of right answers at each sufficiency score."""

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from goldwright.pages.svg_charts import TICKS
from goldwright.pages.svg_elements import (
    Point,
    dot,
    frame,
    line,
    polygon,
    polyline,
    svg,
    text,
    vertical,
)
from goldwright.stats.isotonic import CurvePoint

_WIDTH: Final = 460
_HEIGHT: Final = 480
# The square that scores and shares span; around it there is room for ticks and the axis title.
_LEFT: Final = 50.0
_TOP: Final = 24.0
_SIDE: Final = 380.0
_DOT_RADIUS: Final = 3
_RUG_LENGTH: Final = 9


def draw_reliability(curve: Sequence[CurvePoint], *, label: str) -> Markup:
    """Draw the share of right answers over the score, with the band of calibrated scores.

    Ticks above the square are scores of right answers, ticks below it scores of wrong ones.

    Args:
        curve: The points of the reliability curve, by rising score.
        label: What the diagram shows, for those who cannot see it.
    """
    return svg(_WIDTH, _HEIGHT, label, _elements(curve))


def _elements(curve: Sequence[CurvePoint]) -> Iterator[Markup]:
    # What is drawn later lies on top, so the band comes first and the curve last.
    if curve:
        yield polygon(_band_outline(curve))
    yield frame(_LEFT, _TOP, _SIDE)
    lower_left = _at(0, 0)
    upper_right = _at(1, 1)
    yield line(lower_left, upper_right, "diagonal")
    yield from _tick_labels()
    yield from _rug(curve)
    fitted = [_at(point.score, point.fitted) for point in curve]
    if fitted:
        yield polyline(fitted)
    for x, y in fitted:
        yield dot(x, y, _DOT_RADIUS)
    middle = _at(0.5, 0)
    yield text(middle.x, middle.y + 48, "sufficiency score", "tick")


def _band_outline(curve: Sequence[CurvePoint]) -> list[Point]:
    """The upper edge of the band from left to right, then the lower edge back."""
    upper = [_at(point.score, point.high) for point in curve]
    lower = [_at(point.score, point.low) for point in reversed(curve)]
    return [*upper, *lower]


def _tick_labels() -> Iterator[Markup]:
    for tick in TICKS:
        label = f"{tick:g}"
        x, bottom = _at(tick, 0)
        yield text(x, bottom + 26, label, "tick")
        axis_x, y = _at(0, tick)
        yield text(axis_x - 8, y, label, "name")


def _rug(curve: Sequence[CurvePoint]) -> Iterator[Markup]:
    for point in curve:
        if point.right > 0:
            x, top = _at(point.score, 1)
            yield vertical(x, top, top - _RUG_LENGTH, "rug")
        if point.right < point.n:
            x, bottom = _at(point.score, 0)
            yield vertical(x, bottom, bottom + _RUG_LENGTH, "rug")


def _at(score: float, share: float) -> Point:
    """Where a score and a share, both in 0..1, lie in the diagram."""
    x = _LEFT + score * _SIDE
    y = _TOP + (1 - share) * _SIDE
    return Point(x, y)
