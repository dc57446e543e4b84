"""How far definitions reach."""

from goldwright.records import FileRange
from goldwright.snapshot import Entity


def holds(entity: Entity, cited: FileRange) -> bool:
    """Tell whether lines of a definition's file lie wholly in one of its spans."""
    return any(span.first <= cited.start and cited.end <= span.last for span in entity.spans)


def length(entity: Entity) -> int:
    """Count the lines of a definition."""
    return sum(span.last - span.first + 1 for span in entity.spans)
