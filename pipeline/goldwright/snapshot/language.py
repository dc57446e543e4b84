"""What a programming language is to a snapshot: the port behind which its syntax stays.

Another language is a package beside ``python`` with one object of the shape of ``Language``, and
one line in ``languages``. A file belongs to a language by the suffix of its name alone.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import Span
from goldwright.snapshot.file_facts import FileFacts

BLANK: Final = "…"
"""What stands in place of a comment that was blanked out."""

EntityKinds: TypeAlias = Mapping[str, str]
"""The kind of every entity, by its id."""

BasesByClass: TypeAlias = dict[str, tuple[str, ...]]
"""The direct base classes of each class, as ids inside the codebase, in written order."""

Clones: TypeAlias = dict[str, tuple[str, ...]]
"""For each entity that has any, the ids of the others that are the same code, sorted."""

BindingKind = Literal["local", "attribute", "value"]
"""How code binds a word: as a parameter or local name, as an attribute that is read or set but not
called, or as a keyword that is passed or a literal string.
"""

BoundWord: TypeAlias = tuple[BindingKind, str]
"""A word with the kind of its binding."""


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Words that belong to a language itself, and so mean no entity of a codebase.

    Attributes:
        names: Keywords and built-in names.
        standard_modules: The modules that come with the language.
        type_names: The types of its type annotations.
        object_methods: Methods of its own objects, which text mentions of any object.
        receivers: Names by which a method calls the object it belongs to, as in ``self``.
        leading_keywords: Keywords that stand before a name in code, as in ``class Session``.
    """

    names: frozenset[str]
    standard_modules: frozenset[str]
    type_names: frozenset[str]
    object_methods: frozenset[str]
    receivers: frozenset[str]
    leading_keywords: frozenset[str]

    def union(self, words: "LanguageWords") -> "LanguageWords":
        """Give the words of two languages together."""
        return LanguageWords(
            names=self.names | words.names,
            standard_modules=self.standard_modules | words.standard_modules,
            type_names=self.type_names | words.type_names,
            object_methods=self.object_methods | words.object_methods,
            receivers=self.receivers | words.receivers,
            leading_keywords=self.leading_keywords | words.leading_keywords,
        )


@dataclass(frozen=True, slots=True)
class Bindings:
    """Which words of a file are data of a piece of its code.

    Attributes:
        spans: The lines on which each word is bound.
        imports: The module that each imported name comes from.
    """

    spans: Mapping[BoundWord, tuple[Span, ...]]
    imports: Mapping[str, str]

    def binds(self, kind: BindingKind, word: str, lines: Span) -> bool:
        """Tell whether a word is bound in this way on any of the lines."""
        spans = self.spans.get((kind, word), ())
        return any(span.touches(lines.first, lines.last) for span in spans)


@dataclass(frozen=True, slots=True)
class CodeLines:
    """The lines of a file that hold more than prose and punctuation.

    Attributes:
        numbers: Their numbers, from 1.
        last_read: The last line that the language could read; 0 when it could read none.
    """

    numbers: frozenset[int]
    last_read: int


@dataclass(frozen=True, slots=True)
class StrippedLines:
    """The lines of a file in which comments are blanked out.

    Attributes:
        lines: As many lines as before.
        last_read: The last line that the language could read; the lines behind it are unchanged.
    """

    lines: tuple[str, ...]
    last_read: int


class NameResolver(Protocol):
    """What names mean across the files of one language."""

    @property
    def bases(self) -> BasesByClass:
        """The base classes that could be resolved."""
        ...

    def kind(self, entity_id: str) -> str | None:
        """Give the kind of an entity; None where there is no such entity."""
        ...

    def resolve_name(self, path: str, dotted: str) -> str | None:
        """Give the entity that a dotted name means at the top of a file."""
        ...

    def resolve_call(self, path: str, owner: str, dotted: str) -> str | None:
        """Give the entity that a call of a dotted name inside an owner reaches."""
        ...


class Language(Protocol):
    """How the files of one programming language are read.

    No method fails on the content of a file, whatever it holds.
    """

    @property
    def name(self) -> str:
        """What the language is called in code, as in ``python``."""
        ...

    @property
    def title(self) -> str:
        """What the language is called in messages, as in ``Python``."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The endings of its files, with their dots; the usual one first."""
        ...

    @property
    def words(self) -> LanguageWords:
        """The words that belong to the language itself."""
        ...

    def is_special_name(self, word: str) -> bool:
        """Tell whether the language gives names of this form a meaning of its own."""
        ...

    def decode(self, data: bytes) -> str:
        """Decode a file; bytes that do not fit are replaced."""
        ...

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions and references; the facts of an unreadable file hold the reason."""
        ...

    def may_fallback_read(self, data: bytes, reason: str) -> bool:
        """Tell whether the slower fallback reader may read a file that ``read_facts`` could not."""
        ...

    def read_facts_by_fallback(self, data: bytes) -> FileFacts:
        """Collect definitions with the fallback reader.

        It is called in a worker process, for it may bring its process down.
        """
        ...

    def module_name(self, path: str) -> str:
        """Write the path of a file as the dotted name it is imported by, counted from the root."""
        ...

    def import_roots(self, paths: Collection[str]) -> frozenset[str]:
        """Give the names that an import of one of these files can start with."""
        ...

    def name_resolver(self, facts: Mapping[str, FileFacts], kinds: EntityKinds) -> NameResolver:
        """Resolve names across files, given by their paths."""
        ...

    def bindings(self, text: str) -> Bindings:
        """Read which words of a file are data; an unreadable file binds none."""
        ...

    def code_lines(self, text: str) -> CodeLines:
        """Number the lines that hold code."""
        ...

    def strip_comments(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out comments and whatever else is no code; the number of lines stays."""
        ...

    def strip_docstrings(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out the documentation that stands in strings, not in comments."""
        ...

    def dedent(self, lines: Sequence[str]) -> str:
        """Write a definition as it would stand at the margin; the text of strings stays."""
        ...

    def same_code(self, codebase: SourceTree, entity_ids: Iterable[str]) -> Clones:
        """Find the clones of entities."""
        ...
