"""The code of entities at two commits, and how much of it is the same."""

import re
from difflib import SequenceMatcher
from typing import Final

from goldwright.snapshot import Entity, Snapshot
from goldwright.snapshot.entity_bodies import body_text

# A hint at code that is less alike than this would send people to the wrong place.
LEAST_SIMILARITY: Final = 0.6


class EntityBodies:
    """The code of entities of an old and a new commit, each read once."""

    def __init__(self, old: Snapshot, new: Snapshot) -> None:
        self._old = _BodyTexts(old)
        self._new = _BodyTexts(new)

    def is_same(self, old: Entity, new: Entity) -> bool:
        """Return whether two entities have the same text in spans of the same lengths."""
        if line_counts(old) != line_counts(new):
            return False
        old_text = self._old.text_of(old)
        return self._new.text_of(new) == old_text

    def is_renamed(self, old: Entity, new: Entity) -> bool:
        """Return whether the code of an entity has been given another name and nothing else."""
        # The value of a variable says too little to know it by: many names hold 0 or None.
        if new.kind != old.kind or new.kind == "variable":
            return False
        if line_counts(old) != line_counts(new):
            return False
        old_text = _without_name(self._old.text_of(old), old)
        new_text = _without_name(self._new.text_of(new), new)
        return old_text == new_text

    def similarity(self, old: Entity, new: Entity) -> float:
        """Give the share of common lines, in 0..1; 0 where it is surely too small for a hint."""
        old_lines = self._old.text_of(old).split("\n")
        new_lines = self._new.text_of(new).split("\n")
        matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
        # An upper bound from the lengths alone, so that few pairs are really compared.
        if matcher.real_quick_ratio() < LEAST_SIMILARITY:
            return 0.0
        return matcher.ratio()


def line_counts(entity: Entity) -> list[int]:
    """Give the number of lines of each span of an entity."""
    return [span.last - span.first + 1 for span in entity.spans]


class _BodyTexts:
    """The code of the entities of one commit."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._texts: dict[str, str] = {}

    def text_of(self, entity: Entity) -> str:
        entity_id = entity.entity_id
        if entity_id not in self._texts:
            self._texts[entity_id] = body_text(self._snapshot, entity)
        return self._texts[entity_id]


def _without_name(text: str, entity: Entity) -> str:
    name = re.escape(entity.simple_name)
    return re.sub(rf"\b{name}\b", "@", text)
