"""Reading the lines of an entity through a desk, page by page when they are many."""

from goldwright.agents.desk import Desk
from goldwright.agents.offline.behaviour_text import Page
from goldwright.snapshot.model import Span


def read_span(desk: Desk, path: str, span: Span) -> Page:
    """Have every line of a span shown, and put the pages together."""
    lines: list[str] = []
    following = span.first
    while following <= span.last:
        reading = desk.read(path, following, span.last)
        lines.extend(reading.lines)
        if reading.last < following:
            break
        following = reading.last + 1
    return Page(lines, span.first)
