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


def horizontal(y: float, start_x: float, end_x: float, kind: str) -> Markup:
    """A horizontal line."""
    start = Point(start_x, y)
    end = Point(end_x, y)
    return line(start, end, kind)


def vertical(x: float, start_y: float, end_y: float, kind: str) -> Markup:
    """A vertical line."""
    start = Point(x, start_y)
    end = Point(x, end_y)
    return line(start, end, kind)


def text(x: float, y: float, content: str, kind: str) -> Markup:
    """A text; its kind is a class of the style, which also says how it is anchored at x."""
    element = Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>')
    return element.format(kind, x, y, content)


def dot(x: float, y: float, radius: float) -> Markup:
    """A filled circle."""
    element = Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="{:g}"/>')
    return element.format(x, y, radius)


def bar(x: float, y: float, *, width: float, height: float, kind: str) -> Markup:
    """A rectangle with rounded corners, by its upper left one; its kind is a class of the style."""
    element = Markup(
        '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2"/>'
    )
    return element.format(kind, x, y, width, height)


def frame(x: float, y: float, side: float) -> Markup:
    """The outline of a square, by its upper left corner."""
    element = Markup('<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>')
    return element.format(x, y, side, side)


def polygon(points: Iterable[Point]) -> Markup:
    """A filled area."""
    element = Markup('<polygon class="band" points="{}"/>')
    return element.format(_coordinates(points))


def polyline(points: Iterable[Point]) -> Markup:
    """A line through several points."""
    element = Markup('<polyline class="curve" points="{}"/>')
    return element.format(_coordinates(points))


def _coordinates(points: Iterable[Point]) -> str:
    pairs = [f"{x:.1f},{y:.1f}" for x, y in points]
    return " ".join(pairs)
