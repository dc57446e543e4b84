"""TypeScript behind the port of a language."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.file_guard import TOO_DEEP
from goldwright.snapshot.languages.language_port import (
    CodeLines,
    EntityKinds,
    StrippedLines,
)
from goldwright.snapshot.languages.plain_language import PlainLanguage
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


class TypeScript(PlainLanguage):
    """How TypeScript files are read: by tree-sitter."""

    name = "typescript"
    title = "TypeScript"
    suffixes = (".ts", ".tsx", ".mts", ".cts")
    extra = EXTRA
    words = WORDS

    @property
    def is_installed(self) -> bool:
        """Whether the parser is there."""
        return is_parser_installed()

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions, imports, calls and base classes."""
        try:
            root = parse_in_part(normalized(data))
            return facts_of(root, definitions(root))
        except UnreadableError as error:
            return FileFacts(reason=str(error))
        except RecursionError:
            return FileFacts(reason=TOO_DEEP)

    def module_name(self, path: str) -> str:
        """Write a path as a dotted name, without ``index``."""
        *directories, file_name = PurePosixPath(path).parts
        stem = self.without_suffix(file_name)
        names = directories if stem == "index" else [*directories, stem]
        return ".".join(names)

    def without_suffix(self, file_name: str) -> str:
        """Take the ending off, and the mark of a file of declarations."""
        stem = super().without_suffix(file_name)
        return stem if stem == file_name else stem.removesuffix(".d")

    def name_resolver(
        self, facts: Mapping[str, FileFacts], kinds: EntityKinds
    ) -> TypeScriptNameResolver:
        """Resolve names through definitions, relative imports, re-exports and base classes."""
        return TypeScriptNameResolver(facts, kinds)

    def code_lines(self, text: str) -> CodeLines:
        """Number the lines that hold more than comments and punctuation."""
        return comments.code_lines(text)

    def strip_comments(self, lines: Sequence[str]) -> StrippedLines:
        """Blank out comments."""
        return comments.strip_comments(lines)

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

    def code_change(
        self, old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]
    ) -> DefinitionChanges:
        """Compare the words and signs of the definitions that changed lines touch."""
        return compare_code(old, new, hunks)


TYPESCRIPT: Final = TypeScript()
