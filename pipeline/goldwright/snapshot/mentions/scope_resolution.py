"""Which entities the names on cited lines mean: by the definitions, imports and classes around."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity, entity_id
from goldwright.snapshot.languages.language_catalog import WORDS
from goldwright.snapshot.languages.language_port import ImportedFrom
from goldwright.snapshot.mentions.cited_code import CitedCode, PlacedUse, names_in
from goldwright.snapshot.mentions.entity_lookup import entities_below, entities_named
from goldwright.snapshot.mentions.path_lookup import PathLookup

# Longer chains of base classes are hardly ever read by anybody.
_MOST_ANCESTORS: Final = 30


@dataclass(frozen=True, slots=True)
class ScopeResolver:
    """Decides what names on cited lines of one codebase mean."""

    codebase: Codebase
    lookup: PathLookup
    cited: CitedCode

    def means(self, entity: Entity) -> bool:
        """Return whether a name on the lines surely means an entity."""
        for place in self.cited.uses(entity.simple_name):
            if self._leads_to(place, entity):
                return True
        return any(self._is_imported(origin, entity) for origin in self.cited.imported_here())

    def is_open(self, place: PlacedUse) -> bool:
        """Return whether nothing on the lines shows what object a chain ends in an attribute of.

        A module shows it, and so does the own object whose class has such a member.
        """
        head, *members = place.use.chain
        if not members:
            return False
        if head not in WORDS.receivers:
            return self._module_of(place, head) is None
        if len(members) > 1:
            return True
        for owner in self._classes_around(place):
            member_name = f"{owner.name}.{members[0]}"
            member = entity_id(owner.path, member_name)
            if self.codebase.entity(member) is not None:
                return False
        return True

    def _leads_to(self, place: PlacedUse, entity: Entity) -> bool:
        chain = place.use.chain
        # Of ``Session.send.cache`` the first two names lead to a method.
        length = chain.index(entity.simple_name) + 1
        head, *members = chain[:length]
        if head in WORDS.receivers:
            return len(members) == 1 and self._is_inherited(place, entity)
        if place.use.kind != "use" or self._is_local(place, head):
            return False
        names = ".".join([head, *members])
        if entity.path == place.path and self._is_in_scope(place, names, entity):
            return True
        origin = self._import_of(place, head)
        if origin is None:
            return False
        return entity in self._meanings(origin, ".".join(members))

    def _is_local(self, place: PlacedUse, name: str) -> bool:
        """Return whether a function around binds a name for itself."""
        names = names_in(self.codebase, place.path)
        if names is None:
            return False
        first, last = place.use.lines.first, place.use.lines.last
        uses = names.uses.get(name, ())
        return any(use.kind == "local" and use.lines.touches(first, last) for use in uses)

    def _is_in_scope(self, place: PlacedUse, names: str, entity: Entity) -> bool:
        """Whether names mean an entity of their own file: global, or of a function around."""
        if entity.name == names:
            return True
        outer_name = entity.name.removesuffix(f".{names}")
        outer = self.codebase.entity(entity_id(entity.path, outer_name))
        if outer is None or outer.kind == "class" or outer_name == entity.name:
            return False
        lines = place.use.lines
        return outer.touches(lines.first, lines.last)

    def _is_inherited(self, place: PlacedUse, entity: Entity) -> bool:
        """Return whether an entity is the member of a class around, or of one it derives from."""
        for owner in self._classes_around(place):
            for ancestor in self._ancestors(owner):
                if (ancestor.path, ancestor.name) == (entity.path, entity.parent_name):
                    return True
        return False

    def _classes_around(self, place: PlacedUse) -> Iterator[Entity]:
        lines = place.use.lines
        for entity in self.codebase.entities_in(place.path):
            if entity.kind == "class" and entity.touches(lines.first, lines.last):
                yield entity

    def _ancestors(self, owner: Entity) -> Iterator[Entity]:
        """Yield a class and the classes of the codebase that it derives from."""
        waiting = [owner]
        visited: set[str] = set()
        while waiting and len(visited) < _MOST_ANCESTORS:
            current = waiting.pop()
            if current.entity_id not in visited:
                visited.add(current.entity_id)
                yield current
                waiting.extend(self._bases(current))

    def _bases(self, owner: Entity) -> Iterator[Entity]:
        names = names_in(self.codebase, owner.path)
        if names is None:
            return
        for base in names.bases.get(owner.name, ()):
            own_base = self.codebase.entity(entity_id(owner.path, base))
            if own_base is not None:
                yield own_base
                continue
            head, _, members = base.partition(".")
            if head in names.imports:
                yield from self._meanings(names.imports[head], members)

    def _import_of(self, place: PlacedUse, name: str) -> ImportedFrom | None:
        names = names_in(self.codebase, place.path)
        if names is None:
            return None
        return names.imports.get(name)

    def _module_of(self, place: PlacedUse, name: str) -> ImportedFrom | None:
        """Give the import of a name, unless it is a class or function that has attributes."""
        origin = self._import_of(place, name)
        if origin is None or any(self._meanings(origin)):
            return None
        return origin

    def _is_imported(self, origin: ImportedFrom, entity: Entity) -> bool:
        # The names are compared first, for that rules out nearly all.
        if not origin.dotted.endswith(entity.simple_name):
            return False
        return entity in self._meanings(origin)

    def _meanings(self, origin: ImportedFrom, members: str = "") -> tuple[Entity, ...]:
        """Give what an imported name, or a member of it, can mean in the codebase."""
        top_level = origin.dotted.partition(".")[0]
        if not origin.is_relative and not self.lookup.is_own_module(top_level):
            return ()
        dotted = f"{origin.dotted}.{members}".rstrip(".")
        entities = entities_named(self.codebase, dotted)
        module, _, name = dotted.rpartition(".")
        if entities or not module:
            return entities
        # A package hands on the names of its modules.
        return entities_below(self.codebase, self.lookup.modules(module), name)
