"""What a text may speak of, and what the files that it may speak of say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from goldwright.records import FileRange
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Span
from goldwright.snapshot.language import BindingKind, Bindings
from goldwright.snapshot.languages import language_of

_DOTTED: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# What a quotation puts in place of words that it leaves out.
_GAP: Final = "…"


@dataclass(frozen=True, slots=True)
class MentionScope:
    """What a text may speak of.

    Attributes:
        entity_ids: The entities it may name.
        files: The files it may name.
        ranges: Cited lines; the text may call their data by name, as that of the entities.
    """

    entity_ids: frozenset[str]
    files: frozenset[str]
    ranges: tuple[FileRange, ...] = ()


class ScopeSources:
    """The files of a scope in one codebase."""

    def __init__(self, scope: MentionScope, codebase: Codebase) -> None:
        self._scope = scope
        self._codebase = codebase

    @cached_property
    def names_in_scope(self) -> frozenset[str]:
        """The names on the lines that the scope covers, plain and dotted, as they are written.

        Of ``self.store.load(key)`` these are ``self``, ``self.store``, ``self.store.load``,
        ``load`` and so on: every part that a text can name.
        """
        names: set[str] = set()
        for path in self._scope.files:
            if not self._codebase.has_text(path):
                continue
            lines = _LINE_END.split(self._codebase.source(path).text)
            for span in self._lines_in_scope(path):
                for line in lines[span.first - 1 : span.last]:
                    for dotted in _DOTTED.findall(line):
                        names.update(_parts(dotted))
        return frozenset(names)

    def holds_entity(self, entity_id: str) -> bool:
        """Find out whether a definition stands in the cited lines from its first to its last."""
        entity = self._codebase.entity(entity_id)
        if entity is None:
            return False
        cited = [lines for lines in self._scope.ranges if lines.file == entity.path]
        return any(
            lines.start <= span.first and span.last <= lines.end
            for span in entity.spans
            for lines in cited
        )

    def binds(self, kind: BindingKind, word: str) -> bool:
        """Tell whether the code of the scope binds a word in this way."""
        for path, bindings in self._bindings():
            for lines in self._lines_in_scope(path):
                if bindings.binds(kind, word, lines):
                    return True
        return False

    def origins(self, name: str) -> list[str]:
        """List the modules that files of the scope import a name from."""
        origins: list[str] = []
        for _, bindings in self._bindings():
            if name in bindings.imports:
                origins.append(bindings.imports[name])
        return origins

    def has_word(self, word: str) -> bool:
        """Tell whether a word stands in any of the files."""
        escaped = re.escape(word)
        pattern = re.compile(rf"(?<!\w){escaped}(?!\w)")
        # The plain look-up spares most texts the search by pattern.
        texts = (text for text in self._texts() if word in text)
        return any(map(pattern.search, texts))

    def has_quotation(self, quotation: str) -> bool:
        """Tell whether several words stand in a file as they are quoted, but for marked gaps."""
        # A single word is too little to prove where it comes from.
        if " " not in quotation.strip():
            return False
        pieces = [piece for piece in quotation.split(_GAP) if piece.strip()]
        return any(_holds_all(text, pieces) for text in self._texts())

    def _bindings(self) -> Iterator[tuple[str, Bindings]]:
        for path in sorted(self._scope.files):
            language = language_of(path)
            if language is not None and self._codebase.has_text(path):
                source = self._codebase.source(path)
                yield path, language.bindings(source.text)

    def _lines_in_scope(self, path: str) -> Iterator[Span]:
        """Yield the lines of a file that the scope covers; of a class only those that are cited."""
        for identifier in self._scope.entity_ids:
            entity = self._codebase.entity(identifier)
            if entity is not None and entity.path == path and entity.kind != "class":
                yield from entity.spans
        for cited in self._scope.ranges:
            if cited.file == path:
                yield Span(cited.start, cited.end)

    def _texts(self) -> Iterator[str]:
        for path in self._scope.files:
            if self._codebase.has_text(path):
                yield self._codebase.source(path).text


def _parts(dotted: str) -> Iterator[str]:
    """Yield every run of neighbouring parts of a dotted name."""
    parts = dotted.split(".")
    for first in range(len(parts)):
        for last in range(first + 1, len(parts) + 1):
            yield ".".join(parts[first:last])


def _holds_all(text: str, pieces: list[str]) -> bool:
    return all(piece in text for piece in pieces)
