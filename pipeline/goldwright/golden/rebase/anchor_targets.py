"""What looking for a piece of code at another commit gives: its new place, or why it has none."""

from collections.abc import Iterable
from dataclasses import dataclass

from goldwright.records import FileRange
from goldwright.snapshot import Entity, Span


@dataclass(frozen=True, slots=True)
class LostAnchor:
    """Why a piece of code has no place at the new commit.

    Attributes:
        reason: The reason, in a sentence.
        hints: Where code like it can be found.
        is_gone: Whether neither its id nor its text is there.
    """

    reason: str
    hints: tuple[str, ...] = ()
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class AnchorTarget:
    """An entity of the old commit and the one at the new commit that has the same body.

    The same body means the same number of spans, and as many lines in each.
    """

    old: Entity
    new: Entity

    @property
    def is_in_place(self) -> bool:
        """Whether id and lines are what they were."""
        has_same_id = self.old.entity_id == self.new.entity_id
        return has_same_id and self.old.spans == self.new.spans

    @property
    def size(self) -> int:
        """How many lines the entity spans, less one for each span."""
        return sum(span.last - span.first for span in self.old.spans)

    def carry(self, cited: FileRange) -> FileRange | None:
        """Move a range along with the span that encloses it; None for a range outside."""
        if cited.file != self.old.path:
            return None
        for old_span, new_span in zip(self.old.spans, self.new.spans, strict=True):
            if encloses(old_span, cited):
                shift = new_span.first - old_span.first
                start = cited.start + shift
                end = cited.end + shift
                return FileRange(file=self.new.path, start=start, end=end)
        return None


def encloses(span: Span, cited: FileRange) -> bool:
    """Return whether all lines of a range of the same file lie in a span."""
    return span.first <= cited.start and cited.end <= span.last


def carry_with_smallest(targets: Iterable[AnchorTarget], cited: FileRange) -> FileRange | None:
    """Move a range along with the smallest entity that encloses it; None where none does."""
    # The smallest entity says most precisely where its lines went.
    for target in sorted(targets, key=_size):
        place = target.carry(cited)
        if place is not None:
            return place
    return None


def _size(target: AnchorTarget) -> int:
    return target.size
