"""Where lines of one commit are at another."""

from collections.abc import Iterable, Iterator, Sequence

from goldwright.golden.rebase.anchor_targets import (
    AnchorTarget,
    LostAnchor,
    carry_with_smallest,
    encloses,
)
from goldwright.golden.rebase.entity_anchors import EntityAnchors
from goldwright.golden.rebase.entity_bodies import EntityBodies
from goldwright.golden.rebase.line_blocks import LineBlock, find_block
from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot, Span


class RangeAnchors:
    """The lines of an old commit, and their places at a new one."""

    def __init__(
        self, old: Snapshot, new: Snapshot, entities: EntityAnchors, bodies: EntityBodies
    ) -> None:
        self._old = old
        self._new = new
        self._entities = entities
        self._bodies = bodies

    def find(self, cited: FileRange, targets: Iterable[AnchorTarget]) -> FileRange | LostAnchor:
        """Find lines with the smallest entity around them that kept its body, else by their text.

        Args:
            cited: Lines of the old commit.
            targets: Entities whose place is known.
        """
        if not self._is_range_of_file(cited):
            commit = self._old.commit[:12]
            return LostAnchor(f"{cited} stands for no lines of {commit}")
        place = carry_with_smallest(targets, cited)
        if place is not None:
            return place
        new_path = self._entities.new_path(cited.file)
        if new_path is None:
            return LostAnchor(f"{cited}: the file is gone")
        enclosing = self._smallest_around(cited)
        if enclosing is None:
            return self._find_in_file(cited, new_path)
        # An entity further out may be unchanged where the smallest one cannot be found again.
        place = self._carry_with(enclosing, cited)
        if place is None:
            place = carry_with_smallest(self._unchanged_around(cited), cited)
        return place or self._find_in_entity(enclosing, cited, new_path)

    def _is_range_of_file(self, cited: FileRange) -> bool:
        if not self._old.has_text(cited.file):
            return False
        line_count = self._old.line_count(cited.file)
        return 1 <= cited.start <= cited.end <= line_count

    def _smallest_around(self, cited: FileRange) -> Entity | None:
        """Give the entity whose span around a range is smallest; of several, the first by name."""
        around: dict[tuple[int, str], Entity] = {}
        for entity in self._old.entities_in(cited.file):
            for span in entity.spans:
                if encloses(span, cited):
                    length = span.last - span.first
                    around[length, entity.name] = entity
        if not around:
            return None
        return around[min(around)]

    def _carry_with(self, enclosing: Entity, cited: FileRange) -> FileRange | None:
        anchor = self._entities.find(enclosing.entity_id)
        if isinstance(anchor, LostAnchor):
            return None
        return anchor.carry(cited)

    def _unchanged_around(self, cited: FileRange) -> Iterator[AnchorTarget]:
        """Yield the entities around a range that kept their name and body in their file."""
        for old in self._old.entities_in(cited.file):
            if not any(encloses(span, cited) for span in old.spans):
                continue
            new = self._entities.namesake(old)
            if new is not None and self._bodies.is_same(old, new):
                yield AnchorTarget(old, new)

    def _find_in_file(self, cited: FileRange, new_path: str) -> FileRange | LostAnchor:
        old_count = self._old.line_count(cited.file)
        new_count = self._new.line_count(new_path)
        return self._find_by_text(cited, new_path, [Span(1, old_count)], [Span(1, new_count)])

    def _find_in_entity(
        self, enclosing: Entity, cited: FileRange, new_path: str
    ) -> FileRange | LostAnchor:
        namesake = self._entities.namesake(enclosing)
        # Equal lines of another function would show something else.
        if namesake is None:
            return LostAnchor(f"{cited}: {enclosing.entity_id}, in which the lines stood, is gone")
        return self._find_by_text(cited, new_path, enclosing.spans, namesake.spans)

    def _find_by_text(
        self,
        cited: FileRange,
        new_path: str,
        old_spans: Sequence[Span],
        new_spans: Sequence[Span],
    ) -> FileRange | LostAnchor:
        old_lines = self._old.source(cited.file).lines
        new_lines = self._new.source(new_path).lines
        block = LineBlock(old_lines, cited.start - 1, cited.end)
        match = find_block(
            block,
            new_lines,
            old_spans=old_spans,
            new_spans=new_spans,
            is_same_file=new_path == cited.file,
        )
        if match.start is None:
            count = match.count or "no"
            return LostAnchor(f"the lines of {cited} stand {count} times in {new_path}")
        start = match.start + 1
        end = start + cited.end - cited.start
        return FileRange(file=new_path, start=start, end=end)
