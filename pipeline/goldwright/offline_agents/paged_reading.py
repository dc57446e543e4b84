"""Reading the lines of an entity through a desk, page by page when they are many."""

from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.behaviour_text import SourcePage
from goldwright.snapshot.entities import Span


def read_span(toolset: Toolset, path: str, span: Span) -> SourcePage:
    """Have every line of a span shown, and put the pages together."""
    lines: list[str] = []
    following = span.first
    while following <= span.last:
        reading = toolset.read(path, following, span.last)
        lines.extend(reading.lines)
        if reading.last < following:
            break
        following = reading.last + 1
    return SourcePage(lines, span.first)
