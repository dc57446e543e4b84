"""What a programming language is to a snapshot: the one port behind which its syntax stays.

A further language is a package beside ``python`` with one object of this shape, and one line in
``languages``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.file_facts import FileFacts

Kinds = Mapping[str, str]
"""The kind of every entity, by its id."""


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Words that belong to a language itself, and so mean no entity of a codebase.

    Attributes:
        names: Keywords and built-in names.
        standard_modules: The modules that come with it.
        type_names: The types of its type annotations.
        object_methods: Methods of its own objects, which text mentions of any object.
    """

    names: frozenset[str]
    standard_modules: frozenset[str]
    type_names: frozenset[str]
    object_methods: frozenset[str]


@dataclass(frozen=True, slots=True)
class Bindings:
    """Lines (first, last) by what they bind, and the module that each imported name came from.

    The keys of ``spreads`` are ``name`` for a parameter or local name, ``.name`` for an attribute
    that is read or set but not called, and ``=name`` for a keyword that is passed or a literal
    string.
    """

    spreads: Mapping[str, tuple[tuple[int, int], ...]]
    imports: Mapping[str, str]

    def binds(self, key: str, first: int, last: int) -> bool:
        """Tell whether a key has any of the lines."""
        return any(start <= last and first <= end for start, end in self.spreads.get(key, ()))


class NameResolver(Protocol):
    """What names mean across the files of one language."""

    @property
    def bases(self) -> Mapping[str, tuple[str, ...]]:
        """The direct base classes of each class, as ids inside the codebase, in written order."""
        ...

    def kind(self, entity_id: str) -> str | None:
        """The kind of an entity; None where there is no such entity."""
        ...

    def name(self, path: str, dotted: str) -> str | None:
        """The entity that a dotted name means at the top of a file."""
        ...

    def called(self, path: str, owner: str, dotted: str) -> str | None:
        """The entity that a call of a dotted name inside an owner reaches."""
        ...


class Language(Protocol):
    """How the files of one programming language are read."""

    @property
    def name(self) -> str:
        """What it is called in code, as in ``python``."""
        ...

    @property
    def title(self) -> str:
        """What it is called in messages, as in ``Python``."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The endings of its files, with their dots."""
        ...

    @property
    def words(self) -> LanguageWords:
        """The words that belong to the language itself."""
        ...

    def decode(self, data: bytes) -> str:
        """Decode a file; bytes that do not fit are replaced."""
        ...

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions and references; a file that cannot be read says why."""
        ...

    def may_be_newer(self, data: bytes, reason: str) -> bool:
        """Tell whether a file that could not be read is worth the slower, second reader."""
        ...

    def read_newer_facts(self, data: bytes) -> FileFacts:
        """Read a file by the second reader; it is called in a worker, which may die of it."""
        ...

    def resolver(self, facts: Mapping[str, FileFacts], kinds: Kinds) -> NameResolver:
        """Resolve names across files, given by their paths."""
        ...

    def bindings(self, text: str) -> Bindings:
        """Read which words of a file are data of a piece of its code, and no names of entities."""
        ...

    def code_lines(self, text: str) -> tuple[frozenset[int], int]:
        """Number the lines that hold code, and give the last line that could be read at all."""
        ...

    def without_comments(self, lines: list[str]) -> int:
        """Blank out, in place, what is no code; give the last line that could be read at all."""
        ...

    def dedented(self, lines: Sequence[str]) -> str:
        """Write a definition as it would stand at the margin; the text of strings stays."""
        ...

    def same_code(
        self, codebase: SourceTree, entity_ids: Iterable[str]
    ) -> dict[str, tuple[str, ...]]:
        """Find, for each entity that has any, the others that are the same code."""
        ...
