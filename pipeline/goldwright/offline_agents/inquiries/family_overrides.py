"""Which classes belong to a family, all of them, and what each of these overrides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.contracts import base_names
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.open_methods import (
    EMPTY_BASES,
    ORDINARY_METHODS,
)
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.statement import Finding

_FEWEST_SUBCLASSES: Final = 2
# One fact each, beside the one that lists them all.
_MOST_MEMBERS: Final = 7
# Further methods are details of single subclasses.
_MOST_METHODS: Final = 3


@dataclass(frozen=True, slots=True)
class Kinship:
    """The subclasses of a class, all of them, and the methods that several direct ones define.

    Attributes:
        subclasses: The ids of the direct ones.
        members: The ids of all, those that derive from others included.
        overrides: What each of the members overrides.
        methods: The simple names of methods, what most of them define first.
        definers: The qualified names of the direct subclasses that define a method.
    """

    subclasses: tuple[str, ...]
    members: tuple[str, ...]
    overrides: tuple[Finding, ...]
    methods: tuple[str, ...]
    definers: dict[str, tuple[str, ...]]

    @property
    def is_flat(self) -> bool:
        """Whether no subclass has subclasses of its own."""
        return len(self.members) == len(self.subclasses)

    @property
    def is_shared(self) -> bool:
        """Whether nobody overrides a method beside those that are told of, but ordinary ones."""
        return set(self.definers) == set(self.methods)

    @property
    def has_ordinary(self) -> bool:
        """Whether one of them overrides what every class may define, of which nothing is told."""
        return any(not ORDINARY_METHODS.isdisjoint(methods) for methods in self._overridden)

    @property
    def is_varied(self) -> bool:
        """Whether they do not all override the same: else there is no more to say than that."""
        return len(self._overridden) > 1

    @property
    def _overridden(self) -> set[tuple[str, ...]]:
        statements = [finding.statement for finding in self.overrides]
        return {statement.methods for statement in statements if isinstance(statement, Overrides)}


def kinship_of(code: CodeContext, class_id: str) -> Kinship | None:
    """Compare the subclasses of a class; None where not all are known, or they override nothing."""
    if len(code.snapshot.graph.subclasses(class_id)) < _FEWEST_SUBCLASSES:
        return None
    subclasses = code.closed_subclasses(class_id) or ()
    members = _descendants(code, class_id)
    module = code.module(path_of(class_id))
    if module is None or members is None or len(subclasses) < _FEWEST_SUBCLASSES:
        return None
    overrides = [_overrides(code, member, module, name_of(class_id)) for member in members]
    readable_overrides = tuple(override for override in overrides if override is not None)
    if len(readable_overrides) < len(members):
        return None
    definers = _definers(readable_overrides, set(map(name_of, subclasses)))
    if not definers:
        return None
    methods = _shared_methods(definers, len(subclasses))
    return Kinship(subclasses, members, readable_overrides, methods, definers)


def _shared_methods(definers: Mapping[str, Sequence[str]], subclasses: int) -> tuple[str, ...]:
    """Choose what to tell of the methods that several of so many direct subclasses override."""
    shared = [method for method in definers if len(definers[method]) > 1]

    def weight(method: str) -> tuple[int, bool, str]:
        # What the base class knows of is the contract; private details come last.
        return -len(definers[method]), method.startswith("_"), method

    # Who adds one has to know of everything that all define.
    by_all = [method for method in shared if len(definers[method]) == subclasses]
    return tuple(sorted(shared, key=weight)[: max(_MOST_METHODS, len(by_all))])


def _overrides(code: CodeContext, class_id: str, base_module: Module, base: str) -> Finding | None:
    """State what a class overrides; None where another base of it may override something too."""
    module = code.module(path_of(class_id))
    names = base_names(module, name_of(class_id)) if module is not None else []
    if module is None or len([name for name in names if name not in EMPTY_BASES]) > 1:
        return None
    return Overrides.find_in(module, name_of(class_id), base_module, base)


def _descendants(code: CodeContext, class_id: str) -> tuple[str, ...] | None:
    """Give all classes that derive from a class, generation by generation; None where unsure."""
    members: dict[str, None] = {}
    pending = [class_id]
    while pending:
        parent = pending.pop(0)
        is_parent = bool(code.snapshot.graph.subclasses(parent))
        subclasses = code.closed_subclasses(parent) if is_parent else ()
        if subclasses is None or len(members) + len(subclasses) > _MOST_MEMBERS:
            return None
        members.update(dict.fromkeys(subclasses))
        pending.extend(subclasses)
    names = {name_of(member) for member in members}
    # Two of one name cannot be told apart in a sentence.
    return tuple(members) if len(names) == len(members) else None


def _definers(overrides: Sequence[Finding], direct: set[str]) -> dict[str, tuple[str, ...]]:
    """Give the names of the direct subclasses that override a method, by method."""
    definers: dict[str, tuple[str, ...]] = {}
    for finding in overrides:
        statement = finding.statement
        if isinstance(statement, Overrides) and statement.name in direct:
            for method in set(statement.methods) - ORDINARY_METHODS:
                definers[method] = (*definers.get(method, ()), statement.name)
    return definers
