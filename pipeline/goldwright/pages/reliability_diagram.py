"""A reliability diagram as SVG: the share of right answers at each sufficiency score."""

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from goldwright.pages.svg_charts import TICKS
from goldwright.pages.svg_elements import Point, dot, frame, line, polygon, polyline, svg, text
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
    yield frame(Point(_LEFT, _TOP), _SIDE)
    yield line(_at(0, 0), _at(1, 1), "diagonal")
    yield from _tick_labels()
    yield from _rug(curve)
    fitted = [_at(point.score, point.fitted) for point in curve]
    if fitted:
        yield polyline(fitted)
    for centre in fitted:
        yield dot(centre, _DOT_RADIUS)
    axis_title = Point(_LEFT + _SIDE / 2, _TOP + _SIDE + 48)
    yield text(axis_title, "sufficiency score", "tick")


def _band_outline(curve: Sequence[CurvePoint]) -> list[Point]:
    """The upper edge of the band from left to right, then the lower edge back."""
    upper = [_at(point.score, point.high) for point in curve]
    lower = [_at(point.score, point.low) for point in curve]
    return [*upper, *reversed(lower)]


def _tick_labels() -> Iterator[Markup]:
    for tick in TICKS:
        x, y = _at(tick, 0)
        yield text(Point(x, y + 26), f"{tick:g}", "tick")
        x, y = _at(0, tick)
        yield text(Point(x - 8, y), f"{tick:g}", "name")


def _rug(curve: Sequence[CurvePoint]) -> Iterator[Markup]:
    for point in curve:
        if point.right > 0:
            edge = _at(point.score, 1)
            yield line(edge, Point(edge.x, edge.y - _RUG_LENGTH), "rug")
        if point.right < point.n:
            edge = _at(point.score, 0)
            yield line(edge, Point(edge.x, edge.y + _RUG_LENGTH), "rug")


def _at(score: float, share: float) -> Point:
    """Where a score and a share, both in 0..1, lie in the diagram."""
    return Point(_LEFT + score * _SIDE, _TOP + (1 - share) * _SIDE)
