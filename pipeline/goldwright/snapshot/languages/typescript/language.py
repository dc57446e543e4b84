"""TypeScript behind the port of a language."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.file_guard import TOO_DEEP
from goldwright.snapshot.languages.language_port import (
    Clones,
    CodeLines,
    CodeNames,
    EntityKinds,
    LanguageWords,
    StrippedLines,
)
from goldwright.snapshot.languages.typescript import comments
from goldwright.snapshot.languages.typescript.code_differences import compare_code
from goldwright.snapshot.languages.typescript.definitions import definitions
from goldwright.snapshot.languages.typescript.parsing import (
    EXTRA,
    UnreadableError,
    is_parser_installed,
    normalized,
    parse_in_part,
)
from goldwright.snapshot.languages.typescript.references import facts_of
from goldwright.snapshot.languages.typescript.resolution import TypeScriptNameResolver
from goldwright.snapshot.languages.typescript.words import WORDS
from goldwright.snapshot.source_text import decode


class TypeScript:
    """How TypeScript files are read: by tree-sitter.

    Where nothing certain is known (clones, the names that a line uses, whether a piece of text
    reads as code), it says so, and what asks goes by words instead.
    """

    name = "typescript"
    title = "TypeScript"
    suffixes = (".ts", ".tsx", ".mts", ".cts")
    extra = EXTRA
    words: LanguageWords = WORDS

    @property
    def is_installed(self) -> bool:
        """Whether the parser is there."""
        return is_parser_installed()

    def is_special_name(self, word: str) -> bool:
        """No form of a name has a meaning of its own."""
        del word
        return False

    def decode(self, data: bytes) -> str:
        """Decode a file as UTF-8."""
        return decode(data)

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions, imports, calls and base classes."""
        try:
            root = parse_in_part(normalized(data))
            return facts_of(root, definitions(root))
        except UnreadableError as error:
            return FileFacts(reason=str(error))
        except RecursionError:
            return FileFacts(reason=TOO_DEEP)

    def may_fallback_read(self, data: bytes, reason: str) -> bool:
        """There is no other reader."""
        del data, reason
        return False

    def read_facts_by_fallback(self, data: bytes) -> FileFacts:
        """Read as ever, for there is no other reader."""
        return self.read_facts(data)

    def module_name(self, path: str) -> str:
        """Write a path as a dotted name, without ``index``."""
        parts = PurePosixPath(path).parts
        stem = _without_suffix(parts[-1])
        directories = list(parts[:-1])
        names = directories if stem == "index" else [*directories, stem]
        return ".".join(names)

    def import_roots(self, paths: Collection[str]) -> frozenset[str]:
        """Give the outermost directories, and the files that stand beside them."""
        return frozenset(_without_suffix(PurePosixPath(path).parts[0]) for path in paths)

    def name_resolver(
        self, facts: Mapping[str, FileFacts], kinds: EntityKinds
    ) -> TypeScriptNameResolver:
        """Resolve names through definitions, relative imports, re-exports and base classes."""
        return TypeScriptNameResolver(facts, kinds)

    def names(self, path: str, text: str) -> CodeNames | None:
        """Not read: whether a name stands on a line is found by words."""
        del path, text
        return None

    def blank_strings(self, snippet: str) -> str | None:
        """Not read: too much plain text is TypeScript by its grammar."""
        del snippet
        return None

    def code_lines(self, text: str) -> CodeLines:
        """Number the lines that hold more than comments and punctuation."""
        return comments.code_lines(text)

    def strip_comments(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out comments."""
        return comments.strip_comments(lines)

    def strip_docstrings(self, lines: Sequence[str]) -> StrippedLines:
        """Leave all as it is: documentation stands in comments."""
        return StrippedLines(tuple(lines), len(lines))

    def dedent(self, lines: Sequence[str]) -> str:
        """Take the indentation of the first line from all lines that no template string holds."""
        if not lines:
            return ""
        margin = lines[0].removesuffix(lines[0].lstrip())
        continued = comments.lines_inside_templates(lines)
        dedented: list[str] = []
        for index, line in enumerate(lines):
            text = line if index in continued else line.removeprefix(margin)
            # Blanks at the end of a line belong to a template that goes on behind it.
            dedented.append(text if index + 1 in continued else text.rstrip())
        return "".join(f"{text}\n" for text in dedented)

    def same_code(self, codebase: SourceTree, entity_ids: Iterable[str]) -> Clones:
        """Find none: clones are known in Python alone."""
        del codebase, entity_ids
        return {}

    def code_change(
        self, old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]
    ) -> DefinitionChanges:
        """Compare the words and signs of the definitions that changed lines touch."""
        return compare_code(old, new, hunks)


def _without_suffix(name: str) -> str:
    stem, _, suffix = name.rpartition(".")
    if f".{suffix}" not in TypeScript.suffixes:
        return name
    return stem.removesuffix(".d")


TYPESCRIPT: Final = TypeScript()
