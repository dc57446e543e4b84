"""How entities hang together: calls, base classes, containment and references."""

from collections import defaultdict
from collections.abc import Mapping

from goldwright.snapshot.entities import CallSite, split_entity_id
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.language import Kinds, NameResolver
from goldwright.snapshot.languages import LANGUAGES


class CallGraph:
    """The edges between the entities of a snapshot.

    An edge is kept only where the far end is certain: names through imports and re-exports,
    ``self``, ``super()``, attributes and locals made by a known class. A call of a class leads to
    the class. Calls inside a nested function belong to that function alone.
    """

    def __init__(self, facts: Mapping[str, FileFacts], kinds: Kinds) -> None:
        self._bases: dict[str, tuple[str, ...]] = {}
        self._subclasses: dict[str, list[str]] = defaultdict(list)
        self._callees: dict[str, list[CallSite]] = defaultdict(list)
        self._callers: dict[str, list[CallSite]] = defaultdict(list)
        self._linked: dict[str, set[str]] = defaultdict(set)
        for language in LANGUAGES:
            own_facts = {
                path: file_facts
                for path, file_facts in facts.items()
                if path.endswith(language.suffixes)
            }
            self._take(own_facts, kinds, language.resolver(own_facts, kinds))

    def callees(self, entity_id: str) -> tuple[CallSite, ...]:
        """The calls an entity makes to entities of the snapshot, in line order."""
        return tuple(
            sorted(self._callees.get(entity_id, ()), key=lambda site: (site.line, site.entity_id))
        )

    def callers(self, entity_id: str) -> tuple[CallSite, ...]:
        """The calls that reach an entity, by path and line."""
        sites = self._callers.get(entity_id, ())
        return tuple(sorted(sites, key=lambda site: (site.path, site.line, site.entity_id)))

    def bases(self, class_id: str) -> tuple[str, ...]:
        """The direct base classes of a class inside the snapshot, in their written order."""
        return self._bases.get(class_id, ())

    def subclasses(self, class_id: str) -> tuple[str, ...]:
        """The direct subclasses of a class, sorted by id."""
        return tuple(sorted(self._subclasses.get(class_id, ())))

    def linked(self, entity_id: str) -> frozenset[str]:
        """Everything one hop away, either way: by call, base class, containment or reference by
        name.
        """
        return frozenset(self._linked.get(entity_id, ()))

    def _take(self, facts: Mapping[str, FileFacts], kinds: Kinds, resolver: NameResolver) -> None:
        """Take the edges of the files of one language."""
        self._bases.update(resolver.bases)
        for class_id, bases in resolver.bases.items():
            for base in bases:
                self._subclasses[base].append(class_id)
                self._link(class_id, base)
        for path, file_facts in facts.items():
            self._take_calls(path, file_facts, resolver)
            self._take_uses(path, file_facts, resolver)
            self._take_members(path, file_facts, kinds)

    def _take_calls(self, path: str, file_facts: FileFacts, resolver: NameResolver) -> None:
        for call in file_facts.calls:
            owner = f"{path}::{call.owner}"
            if resolver.kind(owner) is None:
                continue
            far = resolver.called(path, call.owner, call.dotted)
            if far is not None and far != owner:
                self._callees[owner].append(CallSite(far, path, call.line))
                self._callers[far].append(CallSite(owner, path, call.line))
                self._link(owner, far)

    def _take_uses(self, path: str, file_facts: FileFacts, resolver: NameResolver) -> None:
        for use in file_facts.uses:
            owner = f"{path}::{use.owner}"
            if resolver.kind(owner) is None:
                continue
            far = resolver.name(path, use.dotted)
            if far is not None and far != owner:
                self._link(owner, far)

    def _take_members(self, path: str, file_facts: FileFacts, kinds: Kinds) -> None:
        for definition in file_facts.definitions:
            member = f"{path}::{definition.name}"
            holder, dot, _ = split_entity_id(member)[1].rpartition(".")
            if dot and f"{path}::{holder}" in kinds:
                self._link(member, f"{path}::{holder}")

    def _link(self, left: str, right: str) -> None:
        self._linked[left].add(right)
        self._linked[right].add(left)
