"""Where lines of one commit are at another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from goldwright.golden.rebase.anchor_targets import (
    AnchorTarget,
    LostAnchor,
    carry_with_smallest,
    encloses,
)
from goldwright.golden.rebase.entity_bodies import EntityBodies
from goldwright.golden.rebase.line_alignment import LineAlignment, Lines
from goldwright.golden.rebase.moved_entities import EntityAnchors
from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot, Span
from goldwright.stages.gate.cited_text import normalised_line


class RangeAnchors:
    """The lines of an old commit, and their places at a new one."""

    def __init__(
        self, old: Snapshot, new: Snapshot, entities: EntityAnchors, bodies: EntityBodies
    ) -> None:
        self._old = old
        self._new = new
        self._entities = entities
        self._bodies = bodies
        self._aligned: dict[tuple[_Part, _Part], _AlignedSpans] = {}

    def find(self, cited: FileRange, targets: Iterable[AnchorTarget]) -> FileRange | LostAnchor:
        """Find lines with the smallest entity around them that kept its body, else by a diff.

        Args:
            cited: Lines of the old commit.
            targets: Entities whose place is known.
        """
        if not self.is_range_of_file(cited):
            commit = self._old.commit[:12]
            return LostAnchor(f"{cited} stands for no lines of {commit}")
        place = carry_with_smallest(targets, cited)
        if place is not None:
            return place
        enclosing = self._smallest_around(cited)
        # An entity further out may be unchanged where the smallest one cannot be found again.
        if enclosing is not None:
            place = self._carry_with(enclosing, cited)
        if place is None:
            place = carry_with_smallest(self._unchanged_around(cited), cited)
        return place or self._find_by_diff(cited, enclosing)

    def nearest(self, cited: FileRange) -> FileRange | None:
        """Give the lines that stand where lines stood that changed; None where none do."""
        if not self.is_range_of_file(cited):
            return None
        for aligned in self._alignments(cited, self._smallest_around(cited)):
            place = aligned.nearest(cited)
            if place is not None:
                return place
        return None

    def is_range_of_file(self, cited: FileRange) -> bool:
        """Return whether a range stands for lines of the old commit."""
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

    def _find_by_diff(self, cited: FileRange, enclosing: Entity | None) -> FileRange | LostAnchor:
        if self._entities.new_path(cited.file) is None:
            return LostAnchor(f"{cited}: the file is gone")
        # Equal lines of another function would show something else.
        if enclosing is not None and self._entities.namesake(enclosing) is None:
            return LostAnchor(f"{cited}: {enclosing.entity_id}, in which the lines stood, is gone")
        places = []
        for aligned in self._alignments(cited, enclosing):
            place = aligned.place(cited)
            if place is not None:
                places.append(place)
        if len(places) != 1:
            return LostAnchor(f"the lines of {cited} do not say what they said")
        return places[0]

    def _alignments(self, cited: FileRange, enclosing: Entity | None) -> Iterator["_AlignedSpans"]:
        """Align what is around a range with each part that it may have become."""
        new_path = self._entities.new_path(cited.file)
        if new_path is None:
            return
        if enclosing is None:
            yield self._align_files(cited.file, new_path)
            return
        namesake = self._entities.namesake(enclosing)
        if namesake is None:
            return
        for old_span in enclosing.spans:
            if not encloses(old_span, cited):
                continue
            for new_span in namesake.spans:
                old_part = _Part(cited.file, old_span)
                yield self._align(old_part, _Part(new_path, new_span))

    def _align_files(self, old_path: str, new_path: str) -> "_AlignedSpans":
        old_span = Span(1, self._old.line_count(old_path))
        old_part = _Part(old_path, old_span)
        new_span = Span(1, self._new.line_count(new_path))
        new_part = _Part(new_path, new_span)
        return self._align(old_part, new_part)

    def _align(self, old: "_Part", new: "_Part") -> "_AlignedSpans":
        # The citations of a record stand in few parts of few files.
        if (old, new) not in self._aligned:
            old_lines = _lines_of(self._old, old)
            new_lines = _lines_of(self._new, new)
            alignment = LineAlignment(old_lines, new_lines)
            self._aligned[old, new] = _AlignedSpans(old, new, alignment)
        return self._aligned[old, new]


class _Part(NamedTuple):
    """Lines of a file."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class _AlignedSpans:
    """A part of a file, and the part of a newer version that it is compared with."""

    old: _Part
    new: _Part
    alignment: LineAlignment

    def place(self, cited: FileRange) -> FileRange | None:
        """Give the place of lines that did not change; None where they did."""
        place_in_part = self.alignment.place(self._in_part(cited))
        return self._in_file(place_in_part)

    def nearest(self, cited: FileRange) -> FileRange | None:
        """Give what stands in the place of lines that changed; None where nothing does."""
        nearest_in_part = self.alignment.nearest(self._in_part(cited))
        return self._in_file(nearest_in_part)

    def _in_part(self, cited: FileRange) -> Lines:
        first = self.old.span.first
        end = cited.end - first + 1
        return Lines(cited.start - first, end)

    def _in_file(self, lines: Lines | None) -> FileRange | None:
        if lines is None:
            return None
        first = self.new.span.first
        start = first + lines.first
        end = first + lines.end - 1
        return FileRange(file=self.new.path, start=start, end=end)


def _lines_of(snapshot: Snapshot, part: _Part) -> list[str]:
    """Give the lines of a part as digests of cited text read them."""
    lines = snapshot.source(part.path).lines_of(part.span)
    indentation = ""
    if lines:
        first = lines[0]
        indentation = first.removesuffix(first.lstrip())
    return [normalised_line(line, indentation) for line in lines]
