"""Python behind the port of a language."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.languages.language_port import (
    Clones,
    CodeLines,
    CodeNames,
    EntityKinds,
    LanguageWords,
    StrippedLines,
)
from goldwright.snapshot.languages.python import (
    bodies,
    clones,
    comments,
    modules,
    parsing,
    snippets,
)
from goldwright.snapshot.languages.python.code_differences import compare_code
from goldwright.snapshot.languages.python.decoding import decode_source
from goldwright.snapshot.languages.python.name_uses import names_of
from goldwright.snapshot.languages.python.resolution import PythonNameResolver
from goldwright.snapshot.languages.python.words import WORDS, is_dunder


class Python:
    """How Python files are read: by ``ast``, and by libcst where ``ast`` cannot."""

    name = "python"
    title = "Python"
    suffixes = modules.SUFFIXES
    extra = ""
    is_installed = True
    words: LanguageWords = WORDS

    def is_special_name(self, word: str) -> bool:
        """Return whether a word is a double-underscore name."""
        return is_dunder(word)

    def decode(self, data: bytes) -> str:
        """Decode a file by its byte order mark and its coding line (PEP 263), else as UTF-8."""
        return decode_source(data)

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions and references by ``ast``."""
        return parsing.read_facts(data)

    def may_fallback_read(self, data: bytes, reason: str) -> bool:
        """Return whether a file that does not parse looks newer than this interpreter."""
        return parsing.may_be_newer(data, reason)

    def read_facts_by_fallback(self, data: bytes) -> FileFacts:
        """Collect definitions by libcst."""
        return parsing.read_newer_facts(data)

    def module_name(self, path: str) -> str:
        """Write a path as a dotted name, without ``__init__``."""
        return modules.module_name(path)

    def import_roots(self, paths: Collection[str]) -> frozenset[str]:
        """Give the outermost packages and the directories below source roots."""
        return modules.import_roots(paths)

    def name_resolver(
        self, facts: Mapping[str, FileFacts], kinds: EntityKinds
    ) -> PythonNameResolver:
        """Resolve names through definitions, imports, re-exports and base classes."""
        return PythonNameResolver(facts, kinds)

    def names(self, path: str, text: str) -> CodeNames | None:
        """Read names, chains, calls, keywords, literals and imports with their lines."""
        return names_of(path, text)

    def blank_strings(self, snippet: str) -> str | None:
        """Blank out the strings and comments of an expression, statement or part of one."""
        return snippets.blank_strings(snippet)

    def code_lines(self, text: str) -> CodeLines:
        """Number the lines that hold more than comments, strings and punctuation."""
        return comments.code_lines(text)

    def strip_comments(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out comments, docstrings and bare strings."""
        return comments.strip_comments(lines)

    def strip_docstrings(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out docstrings and bare strings."""
        return comments.strip_docstrings(lines)

    def dedent(self, lines: Sequence[str]) -> str:
        """Take the indentation of the first line from all lines."""
        return bodies.dedent(lines)

    def same_code(self, codebase: SourceTree, entity_ids: Iterable[str]) -> Clones:
        """Find entities of the same normal form."""
        return clones.same_code(codebase, entity_ids)

    def code_change(
        self, old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]
    ) -> DefinitionChanges:
        """Compare the syntax trees of the definitions that changed lines touch."""
        return compare_code(old, new, hunks)


PYTHON: Final = Python()
