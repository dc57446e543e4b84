"""How far definitions reach."""

from goldwright.records import FileRange
from goldwright.snapshot import Entity


def contains_lines(entity: Entity, lines: FileRange) -> bool:
    """Whether lines of a definition's own file lie wholly in one of its spans."""
    return any(span.first <= lines.start and lines.end <= span.last for span in entity.spans)


def line_count(entity: Entity) -> int:
    """Count the lines of a definition."""
    return sum(span.last - span.first + 1 for span in entity.spans)
