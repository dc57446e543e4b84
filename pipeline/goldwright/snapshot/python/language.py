"""Python behind the port of a language."""

import io
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.language import Bindings, Kinds, LanguageWords
from goldwright.snapshot.python import comments
from goldwright.snapshot.python.bindings import bindings_of
from goldwright.snapshot.python.bodies import dedented
from goldwright.snapshot.python.clones import same_code
from goldwright.snapshot.python.parsing import may_be_newer, read_facts, read_newer_facts
from goldwright.snapshot.python.resolution import Resolver
from goldwright.snapshot.python.words import WORDS


class Python:
    """How Python files are read: by ``ast``, and by libcst where their syntax is newer."""

    name = "python"
    title = "Python"
    suffixes = (".py", ".pyi")
    words: LanguageWords = WORDS

    def decode(self, data: bytes) -> str:
        """Decode a file by its byte order mark and its coding line (PEP 263), else as UTF-8."""
        try:
            return data.decode(_encoding(data), "replace")
        except LookupError:
            return data.decode("utf-8-sig", "replace")

    def read_facts(self, data: bytes) -> FileFacts:
        """Collect definitions and references; a file that does not parse says why."""
        return read_facts(data)

    def may_be_newer(self, data: bytes, reason: str) -> bool:
        """Tell whether a file that does not parse looks newer than this interpreter."""
        return may_be_newer(data, reason)

    def read_newer_facts(self, data: bytes) -> FileFacts:
        """Read a file by libcst."""
        return read_newer_facts(data)

    def resolver(self, facts: Mapping[str, FileFacts], kinds: Kinds) -> Resolver:
        """Resolve names through definitions, imports, re-exports and base classes."""
        return Resolver(facts, kinds)

    def bindings(self, text: str) -> Bindings:
        """Read parameters, local names, attributes, keywords and literals with their lines."""
        return bindings_of(text)

    def code_lines(self, text: str) -> tuple[frozenset[int], int]:
        """Number the lines that hold more than prose and punctuation."""
        return comments.code_lines(text)

    def without_comments(self, lines: list[str]) -> int:
        """Blank out comments, docstrings and bare strings."""
        return comments.blank_out_comments(lines)

    def dedented(self, lines: Sequence[str]) -> str:
        """Take the indentation of the first line from all lines that have it."""
        return dedented(lines)

    def same_code(
        self, codebase: SourceTree, entity_ids: Iterable[str]
    ) -> dict[str, tuple[str, ...]]:
        """Find entities of the same normal form."""
        return same_code(codebase, entity_ids)


PYTHON: Final = Python()


def _encoding(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except (SyntaxError, UnicodeDecodeError):
        return "utf-8-sig"
