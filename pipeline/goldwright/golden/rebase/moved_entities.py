"""Where the entities of one commit are at another."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from goldwright.golden.rebase.anchor_targets import AnchorTarget, LostAnchor
from goldwright.golden.rebase.entity_bodies import LEAST_SIMILARITY, EntityBodies, line_counts
from goldwright.golden.rebase.renamed_files import RenamedFiles
from goldwright.snapshot import Entity, Snapshot
from goldwright.snapshot.entities import entity_id as join_entity_id

# Code this short is written again and again, so that finding it in another class says nothing.
FEWEST_TELLING_LINES: Final = 4


class EntityAnchors:
    """The entities of an old commit, and their places at a new one."""

    def __init__(
        self, old: Snapshot, new: Snapshot, files: RenamedFiles, bodies: EntityBodies
    ) -> None:
        self._old = old
        self._new = new
        self._files = files
        self._bodies = bodies

    def find(self, entity_id: str) -> AnchorTarget | LostAnchor:
        """Find an entity under its id, or in its renamed file, or else by its body."""
        old = self._old.entity(entity_id)
        if old is None:
            commit = self._old.commit[:12]
            return LostAnchor(f"{entity_id} is no entity of {commit}")
        namesake = self.namesake(old)
        if namesake is None:
            return self._find_moved(old)
        if self._bodies.is_same(old, namesake):
            return AnchorTarget(old, namesake)
        # The body may be elsewhere now, but what has the old id is what readers of the record would
        # look at: so it is a change, and where the body went is a hint.
        hints = self._hints(old, namesake)
        return LostAnchor(f"the code of {entity_id} has changed", hints)

    def namesake(self, old: Entity) -> Entity | None:
        """Give what has the name of an entity in its file at the new commit, whatever its code."""
        path = self._files.new_path(old.path)
        if path is None:
            return None
        return self._new.entity(join_entity_id(path, old.name))

    def new_path(self, path: str) -> str | None:
        """Give the path that a file has at the new commit; None when it is gone."""
        return self._files.new_path(path)

    def _find_moved(self, old: Entity) -> AnchorTarget | LostAnchor:
        """Find the body of an entity whose id is not there any more."""
        copies: list[Entity] = []
        arrivals: list[Entity] = []
        for candidate in self._new.named(old.simple_name):
            if self._bodies.is_same(old, candidate):
                copies.append(candidate)
                if not self._was_there(candidate):
                    arrivals.append(candidate)
        if not copies:
            return self._vanished(old)
        # Of several arrivals nobody can say which one the entity became.
        if len(arrivals) > 1:
            places = f"{len(arrivals)} places hold the same code"
            hints = _ids_of_same_code(arrivals)
            return LostAnchor(f"{old.entity_id}: {places}", hints)
        if arrivals and _is_recognisable(old, arrivals[0]):
            return AnchorTarget(old, arrivals[0])
        hints = _ids_of_same_code(copies)
        if len(arrivals) < len(copies):
            why = "other code like it stood there already"
        else:
            why = "so short a body may be another's"
        return LostAnchor(f"{old.entity_id} is gone; {why}", hints)

    def _was_there(self, new: Entity) -> bool:
        """Return whether an entity was at the old commit already, if under its file's old path."""
        for candidate in self._old.named(new.simple_name):
            path = self._files.new_path(candidate.path)
            if (path, candidate.name) != (new.path, new.name):
                continue
            if self._bodies.is_same(candidate, new):
                return True
        return False

    def _vanished(self, old: Entity) -> LostAnchor:
        # A new name is a change of the text: its record goes back to people.
        hints = tuple(self._renamed_hints(old))
        if hints:
            return LostAnchor(f"{old.entity_id} has another name", hints)
        hints = self._hints(old, None)
        return LostAnchor(f"{old.entity_id} is gone", hints, is_gone=True)

    def _hints(self, old: Entity, namesake: Entity | None) -> tuple[str, ...]:
        """Say where the body of an entity is now, or else what is most like it."""
        same_code_hints = tuple(self._same_code_hints(old))
        if same_code_hints:
            return same_code_hints
        candidates = self._candidates(old, namesake)
        similarities: list[tuple[float, str]] = []
        for entity_id, candidate in candidates.items():
            similarity = self._bodies.similarity(old, candidate)
            similarities.append((similarity, entity_id))
        if not similarities:
            return ()
        # Of several that are equally similar the last id, so that every run gives the same hint.
        similarity, entity_id = max(similarities)
        if similarity < LEAST_SIMILARITY:
            return ()
        percent = int(100 * similarity)
        place = _place_of(candidates[entity_id])
        return (f"{percent} % alike: {place}",)

    def _renamed_hints(self, old: Entity) -> Iterator[str]:
        for candidate in self._added_entities:
            if self._bodies.is_renamed(old, candidate):
                yield f"the same code under another name: {candidate.entity_id}"

    def _same_code_hints(self, old: Entity) -> Iterator[str]:
        for candidate in self._new.named(old.simple_name):
            if self._bodies.is_same(old, candidate) and not self._was_there(candidate):
                yield f"the same code: {_place_of(candidate)}"

    def _candidates(self, old: Entity, namesake: Entity | None) -> dict[str, Entity]:
        """Give what an entity may have become: what has its name, or is new in its file, by id."""
        candidates: dict[str, Entity] = {}
        if namesake is not None:
            candidates[namesake.entity_id] = namesake
        for entity in self._new.named(old.simple_name):
            candidates[entity.entity_id] = entity
        path = self._files.new_path(old.path) or old.path
        for entity in self._added_entities:
            if entity.path == path and entity.kind == old.kind:
                candidates[entity.entity_id] = entity
        return candidates

    @cached_property
    def _added_entities(self) -> tuple[Entity, ...]:
        old = self._old
        new_entities = self._new.entities()
        return tuple(new for new in new_entities if old.entity(new.entity_id) is None)


def _is_recognisable(old: Entity, new: Entity) -> bool:
    """Return whether the same body under the same simple name must be the same entity."""
    if new.name == old.name:
        return True
    return sum(line_counts(old)) >= FEWEST_TELLING_LINES


def _ids_of_same_code(entities: Iterable[Entity]) -> tuple[str, ...]:
    return tuple(f"the same code: {entity.entity_id}" for entity in entities)


def _place_of(entity: Entity) -> str:
    spans = [f"{span.first}-{span.last}" for span in entity.spans]
    lines = " and ".join(spans)
    return f"{entity.entity_id} (lines {lines})"
