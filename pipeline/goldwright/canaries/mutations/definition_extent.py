"""How far definitions reach."""

from goldwright.records import FileRange
from goldwright.snapshot import Entity


def touches_lines(entity: Entity, lines: FileRange) -> bool:
    """Whether a definition has any of some lines."""
    return entity.path == lines.file and entity.touches(lines.start, lines.end)


def contains_lines(entity: Entity, lines: FileRange) -> bool:
    """Whether lines of a definition's own file lie wholly in one of its spans."""
    return any(span.first <= lines.start and lines.end <= span.last for span in entity.spans)


def line_count(entity: Entity) -> int:
    """Count the lines of a definition."""
    return sum(span.last - span.first + 1 for span in entity.spans)
