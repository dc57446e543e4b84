"""What a programming language is to a snapshot: the port behind which its syntax stays.

Another language is a package beside ``python`` with one object of the shape of ``Language``, which
may begin as a ``PlainLanguage``, and one line in ``language_catalog``. A file belongs to a language
by the suffix of its name alone.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
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


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Words that belong to a language itself, and so mean no entity of a codebase.

    Attributes:
        keywords: Its keywords.
        names: Keywords and built-in names.
        standard_modules: The modules that come with the language.
        type_names: The types of its type annotations.
        object_methods: Methods of its own objects, which text mentions of any object.
        receivers: Names by which a method calls the object it belongs to, as in ``self``.
        leading_keywords: Keywords that stand before a name in code, as in ``class Session``.
    """

    keywords: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    standard_modules: frozenset[str] = frozenset()
    type_names: frozenset[str] = frozenset()
    object_methods: frozenset[str] = frozenset()
    receivers: frozenset[str] = frozenset()
    leading_keywords: frozenset[str] = frozenset()

    def union(self, words: "LanguageWords") -> "LanguageWords":
        """Give the words of two languages together."""
        return LanguageWords(
            keywords=self.keywords | words.keywords,
            names=self.names | words.names,
            standard_modules=self.standard_modules | words.standard_modules,
            type_names=self.type_names | words.type_names,
            object_methods=self.object_methods | words.object_methods,
            receivers=self.receivers | words.receivers,
            leading_keywords=self.leading_keywords | words.leading_keywords,
        )


UseKind = Literal["use", "local", "definition"]


@dataclass(frozen=True, slots=True)
class NameChain:
    """One use of a name, or of several that dots join.

    Attributes:
        chain: The names in their order. The first one is empty where they follow an expression, as
            in ``find().name``.
        lines: The lines on which they are used, or known.
        is_called: They are called.
        kind: Whether they are used on the lines, or one name is known there: a parameter or local
            name on all lines of its function, a definition on all of its own.
    """

    chain: tuple[str, ...]
    lines: Span
    is_called: bool = False
    kind: UseKind = "use"


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """The text of a literal string, and the lines on which it stands."""

    text: str
    lines: Span


@dataclass(frozen=True, slots=True)
class ImportedFrom:
    """Where an imported name comes from.

    Attributes:
        dotted: The module, and the name in it; counted from the root of the codebase where the
            import is relative.
        is_relative: The import counts from the file, so it cannot lead outside the codebase.
    """

    dotted: str
    is_relative: bool


@dataclass(frozen=True, slots=True)
class CodeNames:
    """The names that the code of a file uses; comments and docstrings use none.

    Attributes:
        uses: The uses of each name, chains of which it is a part included.
        keywords: The lines on which a call passes each keyword.
        literals: The literal strings.
        imports: Where each imported name comes from, by what the file calls it.
        bases: The base classes of each class, by its qualified name, as they are written.
    """

    uses: Mapping[str, tuple[NameChain, ...]]
    keywords: Mapping[str, tuple[Span, ...]]
    literals: tuple[StringLiteral, ...]
    imports: Mapping[str, ImportedFrom]
    bases: Mapping[str, tuple[str, ...]]


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
    def extra(self) -> str:
        """What has to be installed to read it, for pip; empty for one that needs no more."""
        ...

    @property
    def is_installed(self) -> bool:
        """Whether all is there that reads it; found out without loading it."""
        ...

    @property
    def words(self) -> LanguageWords:
        """The words that belong to the language itself."""
        ...

    def is_special_name(self, word: str) -> bool:
        """Return whether the language gives names of this form a meaning of its own."""
        ...

    def decode(self, data: bytes) -> str:
        """Decode a file; bytes that do not fit are replaced."""
        ...

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions and references; the facts of an unreadable file hold the reason."""
        ...

    def may_fallback_read(self, data: bytes, reason: str) -> bool:
        """Whether the slower fallback reader may read a file that ``read_facts`` could not."""
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

    def names(self, path: str, text: str) -> CodeNames | None:
        """Read the names that the code of a file uses; None where it cannot be read."""
        ...

    def blank_strings(self, snippet: str) -> str | None:
        """Blank out the strings and comments of a piece of code, offsets stay.

        Returns:
            The names and signs that remain, or None where the text does not read as code.
        """
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

    def code_change(
        self, old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]
    ) -> DefinitionChanges:
        """Find what a change of a file changes in its code; None stands for a file not there."""
        ...
