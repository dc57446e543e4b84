"""A language of which little is known: what a new one begins as, and says more of step by step."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import ClassVar

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.languages.language_port import (
    BasesByClass,
    Clones,
    CodeLines,
    CodeNames,
    EntityKinds,
    LanguageWords,
    NameResolver,
    StrippedLines,
)
from goldwright.snapshot.source_text import decode


class PlainLanguage(ABC):
    """A language whose definitions, comments and lines of code are read, and nothing else.

    Where nothing certain is known (clones, the names that a line uses, whether a piece of text
    reads as code), it says so, and what asks goes by words instead.

    Attributes:
        name: What it is called in code.
        title: What it is called in messages.
        suffixes: The endings of its files, with their dots; the usual one first.
        extra: What has to be installed to read it, for pip; empty for one that needs no more.
        words: The words that belong to the language itself.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    extra: ClassVar[str] = ""
    words: ClassVar[LanguageWords] = LanguageWords()

    @property
    def is_installed(self) -> bool:
        """Nothing is missing."""
        return True

    @abstractmethod
    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions; the facts of an unreadable file hold the reason."""

    @abstractmethod
    def code_lines(self, text: str) -> CodeLines:
        """Number the lines that hold code."""

    @abstractmethod
    def strip_comments(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out comments; the number of lines stays."""

    def is_special_name(self, word: str) -> bool:
        """No form of a name has a meaning of its own."""
        del word
        return False

    def decode(self, data: bytes) -> str:
        """Decode a file as UTF-8."""
        return decode(data)

    def may_fallback_read(self, data: bytes, reason: str) -> bool:
        """There is no other reader."""
        del data, reason
        return False

    def read_facts_by_fallback(self, data: bytes) -> FileFacts:
        """Read as ever, for there is no other reader."""
        return self.read_facts(data)

    def module_name(self, path: str) -> str:
        """Write a path as a dotted name."""
        *directories, file_name = PurePosixPath(path).parts
        return ".".join((*directories, self.without_suffix(file_name)))

    def import_roots(self, paths: Collection[str]) -> frozenset[str]:
        """Give the outermost directories, and the files that stand beside them."""
        return frozenset(self.without_suffix(PurePosixPath(path).parts[0]) for path in paths)

    def without_suffix(self, file_name: str) -> str:
        """Take the ending off the name of a file; the name of anything else stays."""
        for suffix in self.suffixes:
            if file_name.endswith(suffix):
                return file_name.removesuffix(suffix)
        return file_name

    def name_resolver(self, facts: Mapping[str, FileFacts], kinds: EntityKinds) -> NameResolver:
        """Resolve what each file defines itself."""
        del facts
        return OwnNameResolver(kinds)

    def names(self, path: str, text: str) -> CodeNames | None:
        """Not read: whether a name stands on a line is found by words."""
        del path, text
        return None

    def blank_strings(self, snippet: str) -> str | None:
        """Not read: too much plain text might be code."""
        del snippet
        return None

    def strip_docstrings(self, lines: Sequence[str]) -> StrippedLines:
        """Leave all as it is: documentation stands in comments."""
        return StrippedLines(tuple(lines), len(lines))

    def dedent(self, lines: Sequence[str]) -> str:
        """Take the indentation of the first line from all lines."""
        if not lines:
            return ""
        margin = lines[0].removesuffix(lines[0].lstrip())
        dedented = [line.removeprefix(margin).rstrip() for line in lines]
        return "".join(f"{line}\n" for line in dedented)

    def same_code(self, codebase: SourceTree, entity_ids: Iterable[str]) -> Clones:
        """Find none, for what is the same code is not known."""
        del codebase, entity_ids
        return {}

    def code_change(
        self, old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]
    ) -> DefinitionChanges:
        """Not read: two contents of a file are not compared."""
        del old, new, hunks
        return DefinitionChanges(reason=f"changes of {self.title} code are not read")


class OwnNameResolver:
    """Resolves what a file defines itself; classes have no bases."""

    def __init__(self, kinds: EntityKinds) -> None:
        """Keep the entities of all files."""
        self._kinds = kinds

    @property
    def bases(self) -> BasesByClass:
        """None is known."""
        return {}

    def kind(self, entity_id: str) -> str | None:
        """Give the kind of an entity; None where there is no such entity."""
        return self._kinds.get(entity_id)

    def resolve_name(self, path: str, dotted: str) -> str | None:
        """Give the entity of a file that goes by a name."""
        entity_id = f"{path}::{dotted}"
        return entity_id if entity_id in self._kinds else None

    def resolve_call(self, path: str, owner: str, dotted: str) -> str | None:
        """Give the entity of the same file that a call names."""
        del owner
        return self.resolve_name(path, dotted)
