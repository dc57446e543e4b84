"""How entities hang together: calls, base classes, containment and references."""

from collections import defaultdict
from collections.abc import Mapping
from operator import attrgetter
from typing import Final, TypeAlias

from goldwright.snapshot.entities import CallSite
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.languages.language_catalog import LANGUAGES, paths_in
from goldwright.snapshot.languages.language_port import BasesByClass, EntityKinds, NameResolver

_CallSites: TypeAlias = dict[str, list[CallSite]]
_Links: TypeAlias = dict[str, set[str]]

_CALLEE_ORDER: Final = attrgetter("line", "entity_id")
_CALLER_ORDER: Final = attrgetter("path", "line", "entity_id")


class CallGraph:
    """The edges between the entities of a snapshot.

    An edge is kept only where the far end is certain: names through imports and re-exports,
    ``self``, ``super()``, attributes and locals made by a known class. A call of a class leads to
    the class. Calls inside a nested function belong to that function alone.
    """

    def __init__(self, facts: Mapping[str, FileFacts], kinds: EntityKinds) -> None:
        """Resolve the references of all files.

        Args:
            facts: The facts of every source file by its path.
            kinds: The kind of every entity by its id.
        """
        self._bases: BasesByClass = {}
        self._subclasses: dict[str, list[str]] = defaultdict(list)
        self._callees: _CallSites = defaultdict(list)
        self._callers: _CallSites = defaultdict(list)
        self._ids: dict[str, str] = {}
        links: _Links = defaultdict(set)
        for language in LANGUAGES:
            paths = frozenset(paths_in(language, facts))
            # Facts may be decoded at each look, so that not all of them are held at once.
            is_all = len(paths) == len(facts)
            language_facts = facts if is_all else {path: facts[path] for path in paths}
            resolver = language.name_resolver(language_facts, kinds)
            self._add_bases(resolver.bases, links)
            for path, file_facts in language_facts.items():
                self._add_calls(path, file_facts, resolver, links)
                self._add_uses(path, file_facts, resolver, links)
                self._add_members(path, file_facts, kinds, links)
        # Most entities have one to three neighbours: a tuple of them takes a quarter of a set.
        self._linked = {entity_id: tuple(linked_ids) for entity_id, linked_ids in links.items()}
        self._ids = {}

    def callees(self, entity_id: str) -> tuple[CallSite, ...]:
        """The calls an entity makes to entities of the snapshot, in line order."""
        sites = self._callees.get(entity_id, ())
        return tuple(sorted(sites, key=_CALLEE_ORDER))

    def callers(self, entity_id: str) -> tuple[CallSite, ...]:
        """The calls that reach an entity, by path and line."""
        sites = self._callers.get(entity_id, ())
        return tuple(sorted(sites, key=_CALLER_ORDER))

    def bases(self, class_id: str) -> tuple[str, ...]:
        """The direct base classes of a class inside the snapshot, in their written order."""
        return self._bases.get(class_id, ())

    def subclasses(self, class_id: str) -> tuple[str, ...]:
        """The direct subclasses of a class, sorted by id."""
        subclasses = self._subclasses.get(class_id, ())
        return tuple(sorted(subclasses))

    def linked(self, entity_id: str) -> frozenset[str]:
        """Everything one hop away in either direction.

        A hop is a call, a base class, containment or a reference by name.
        """
        return frozenset(self._linked.get(entity_id, ()))

    def _add_bases(self, bases_by_class: BasesByClass, links: _Links) -> None:
        self._bases.update(bases_by_class)
        for class_id, bases in bases_by_class.items():
            for base_id in bases:
                self._subclasses[base_id].append(class_id)
                self._link(class_id, base_id, links)

    def _add_calls(
        self, path: str, file_facts: FileFacts, resolver: NameResolver, links: _Links
    ) -> None:
        # Ids are joined in place, for every reference of the codebase passes through here.
        for call in file_facts.calls:
            owner_id = f"{path}::{call.owner}"
            # Calls at module level have no owner.
            if resolver.kind(owner_id) is None:
                continue
            callee_id = resolver.resolve_call(path, call.owner, call.dotted)
            if callee_id is not None and callee_id != owner_id:
                owner_id = self._known_id(owner_id)
                callee_id = self._known_id(callee_id)
                callee = CallSite(callee_id, path, call.line)
                caller = CallSite(owner_id, path, call.line)
                self._callees[owner_id].append(callee)
                self._callers[callee_id].append(caller)
                self._link(owner_id, callee_id, links)
                constructor = self._known_id(f"{callee_id}.__init__")
                if resolver.kind(constructor) is not None and constructor != owner_id:
                    # Who makes an object of a class reaches the code that sets it up.
                    self._callers[constructor].append(caller)
                    self._link(owner_id, constructor, links)

    def _add_uses(
        self, path: str, file_facts: FileFacts, resolver: NameResolver, links: _Links
    ) -> None:
        for use in file_facts.uses:
            owner_id = f"{path}::{use.owner}"
            if resolver.kind(owner_id) is None:
                continue
            used_id = resolver.resolve_name(path, use.dotted)
            if used_id is not None and used_id != owner_id:
                self._link(owner_id, used_id, links)

    def _add_members(
        self, path: str, file_facts: FileFacts, kinds: EntityKinds, links: _Links
    ) -> None:
        for definition in file_facts.definitions:
            holder, dot, _ = definition.name.rpartition(".")
            holder_id = f"{path}::{holder}"
            if dot and holder_id in kinds:
                member_id = f"{path}::{definition.name}"
                self._link(member_id, holder_id, links)

    def _link(self, entity_id: str, linked_id: str, links: _Links) -> None:
        entity_id = self._known_id(entity_id)
        linked_id = self._known_id(linked_id)
        links[entity_id].add(linked_id)
        links[linked_id].add(entity_id)

    def _known_id(self, entity_id: str) -> str:
        """Give the same object for equal ids: an entity stands in many edges."""
        return self._ids.setdefault(entity_id, entity_id)
