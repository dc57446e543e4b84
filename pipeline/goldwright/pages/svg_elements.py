"""The elements of a chart as SVG; their colours and fonts come from the style of the page.

Coordinates are in units of the view box, which a page at full width shows as pixels; y grows
downwards.
"""

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup


class Point(NamedTuple):
    """A place in a chart."""

    x: float
    y: float


def svg(width: float, height: float, label: str, elements: Iterable[Markup]) -> Markup:
    """A chart; the label is read out instead of it."""
    template = Markup('<svg viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">')
    head = template.format(width, height, label)
    body = Markup("").join(elements)
    return head + body + Markup("</svg>")


def line(start: Point, end: Point, kind: str) -> Markup:
    """A straight line; its kind is a class of the style."""
    element = Markup('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>')
    return element.format(kind, *start, *end)


def horizontal(y: float, left: float, right: float, kind: str) -> Markup:
    """A horizontal line."""
    return line(Point(left, y), Point(right, y), kind)


def vertical(x: float, start: float, end: float, kind: str) -> Markup:
    """A vertical line."""
    return line(Point(x, start), Point(x, end), kind)


def text(x: float, y: float, content: str, kind: str) -> Markup:
    """A text; its kind is a class of the style, which also says how it is anchored at x."""
    element = Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>')
    return element.format(kind, x, y, content)


def dot(x: float, y: float, radius: float) -> Markup:
    """A filled circle."""
    element = Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="{:g}"/>')
    return element.format(x, y, radius)


def bar(left: float, top: float, *, width: float, height: float, kind: str) -> Markup:
    """A rectangle with rounded corners; its kind is a class of the style."""
    element = Markup(
        '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2"/>'
    )
    return element.format(kind, left, top, width, height)


def frame(left: float, top: float, side: float) -> Markup:
    """The outline of a square."""
    element = Markup('<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>')
    return element.format(left, top, side, side)


def polygon(points: Iterable[Point]) -> Markup:
    """A filled area."""
    return Markup('<polygon class="band" points="{}"/>').format(_coordinates(points))


def polyline(points: Iterable[Point]) -> Markup:
    """A line through several points."""
    return Markup('<polyline class="curve" points="{}"/>').format(_coordinates(points))


def _coordinates(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
