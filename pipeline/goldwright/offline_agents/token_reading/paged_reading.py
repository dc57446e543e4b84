"""Reading the lines of a definition through a toolset, page by page where they are many."""

from goldwright.agents.toolset import Toolset
from goldwright.snapshot.entities import Span


def read_span(toolset: Toolset, path: str, span: Span) -> tuple[str, ...]:
    """Have every line of a span shown, and put the pages together."""
    lines: list[str] = []
    following = span.first
    while following <= span.last:
        page = toolset.read(path, following, span.last)
        lines.extend(page.lines)
        # A page that shows nothing new would be asked for without end.
        if page.last < following:
            break
        following = page.last + 1
    return tuple(lines)
