"""Where code of one commit is at another, found by its text and by nothing else."""

from collections.abc import Iterable

from goldwright.golden.rebase.anchor_targets import AnchorTarget, LostAnchor
from goldwright.golden.rebase.entity_bodies import EntityBodies
from goldwright.golden.rebase.moved_entities import EntityAnchors
from goldwright.golden.rebase.name_uses import NameUses
from goldwright.golden.rebase.range_anchors import RangeAnchors
from goldwright.golden.rebase.renamed_files import RenamedFiles
from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot


class Anchors:
    """Two commits of one codebase, and the way from the old one to the new one.

    Nothing is compared beforehand; each question reads what it needs.
    """

    def __init__(self, old: Snapshot, new: Snapshot) -> None:
        self.old = old
        self.new = new
        self.uses = NameUses(old, new)
        bodies = EntityBodies(old, new)
        self._files = RenamedFiles(old, new)
        self._entities = EntityAnchors(old, new, self._files, bodies)
        self._ranges = RangeAnchors(old, new, self._entities, bodies)

    def file(self, path: str) -> str | None:
        """Give the path that a file has at the new commit; None when it is gone."""
        return self._files.new_path(path)

    def is_same_file(self, path: str) -> bool:
        """Return whether a file has its name and its content at both commits."""
        return self._files.is_same_file(path)

    def entity(self, entity_id: str) -> AnchorTarget | LostAnchor:
        """Find an entity under its id, or in its renamed file, or else by its body."""
        return self._entities.find(entity_id)

    def range(self, cited: FileRange, targets: Iterable[AnchorTarget]) -> FileRange | LostAnchor:
        """Find lines with the smallest entity around them that kept its body, else by their text.

        Args:
            cited: Lines of the old commit.
            targets: Entities whose place is known.
        """
        return self._ranges.find(cited, targets)

    def nearest(self, cited: FileRange) -> FileRange | None:
        """Give the lines that stand where lines stood that changed; None where none do."""
        return self._ranges.nearest(cited)

    def namesake(self, entity_id: str) -> Entity | None:
        """Give what has the name of an entity in its file at the new commit, whatever its code."""
        old = self.old.entity(entity_id)
        if old is None:
            return None
        return self._entities.namesake(old)
