"""The lines behind a text: which names, words and pieces of code stand on them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from goldwright.records import FileRange
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.comment_stripper import without_comments
from goldwright.snapshot.entities import Entity, Span
from goldwright.snapshot.file_guard import guarded
from goldwright.snapshot.languages.language_catalog import language_of
from goldwright.snapshot.languages.language_port import CodeNames, ImportedFrom, NameChain

# What a quotation puts in place of words that it leaves out.
_GAP: Final = "…"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_CODE_GAP: Final = re.compile(r"…|\.\.\.")
_CODE_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
# A single name or sign is too little to prove anything.
_FEWEST_TOKENS: Final = 2


@dataclass(frozen=True, slots=True)
class PlacedUse:
    """A use of a name in a file."""

    path: str
    use: NameChain


class CitedCode:
    """The lines of some ranges in one codebase; ranges without lines have none."""

    def __init__(self, ranges: Iterable[FileRange], codebase: Codebase) -> None:
        self._codebase = codebase
        self._spans: dict[str, list[Span]] = defaultdict(list)
        for cited in ranges:
            if cited.start <= cited.end and codebase.has_text(cited.file):
                span = Span(cited.start, cited.end)
                self._spans[cited.file].append(span)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the lines."""
        return tuple(self._spans)

    def uses(self, name: str) -> Iterator[PlacedUse]:
        """Yield the uses of a name on the lines."""
        for path, names in self._names.items():
            for use in names.uses.get(name, ()):
                if self._touches(path, use.lines):
                    yield PlacedUse(path, use)

    def has_data(self, word: str) -> bool:
        """Return whether a word is a keyword of a call or stands in a literal string."""
        for path, names in self._names.items():
            for span in names.keywords.get(word, ()):
                if self._touches(path, span):
                    return True
        return self.has_literal(word)

    def has_literal(self, text: str) -> bool:
        """Return whether a text stands in a literal string, alone or among other words."""
        return _any_has_word(self._literals, text)

    def has_word(self, word: str) -> bool:
        """Return whether a word stands on the lines, be it in a comment."""
        return _any_has_word(self._texts, word)

    def has_unread_word(self, word: str) -> bool:
        """Return whether a word stands on lines of files that cannot be read as code."""
        return _any_has_word(self._unread_texts, word)

    def has_quotation(self, quotation: str) -> bool:
        """Return whether several words stand there as they are quoted, but for marked gaps."""
        # A single word is too little to prove where it comes from.
        if " " not in quotation.strip():
            return False
        pieces = [piece for piece in quotation.split(_GAP) if piece.strip()]
        texts = (*self._texts, *self._literals)
        return any(_holds_all(text, pieces) for text in texts)

    def has_snippet(self, snippet: str) -> bool:
        """Return whether a piece of code stands there up to blanks, quotation marks and gaps."""
        pieces = [_tokens(piece) for piece in _CODE_GAP.split(snippet)]
        if sum(map(len, pieces)) < _FEWEST_TOKENS:
            return False
        joined = [_join(piece) for piece in pieces if piece]
        return any(_holds_in_order(code, joined) for code in self._code)

    def defines(self, entity: Entity) -> bool:
        """Return whether the lines belong to the definition of an entity, in part at least."""
        spans = self._spans.get(entity.path, ())
        return any(entity.touches(span.first, span.last) for span in spans)

    def imports_of(self, name: str) -> Iterator[ImportedFrom]:
        """Yield what the files of the lines import under a name, wherever they do."""
        for names in self._names.values():
            if name in names.imports:
                yield names.imports[name]

    def imported_here(self) -> Iterator[ImportedFrom]:
        """Yield the imports whose names are used on the lines."""
        for path, names in self._names.items():
            for alias, origin in names.imports.items():
                uses = names.uses.get(alias, ())
                if any(self._touches(path, use.lines) for use in uses):
                    yield origin

    def _touches(self, path: str, lines: Span) -> bool:
        return any(span.touches(lines.first, lines.last) for span in self._spans[path])

    @cached_property
    def _names(self) -> dict[str, CodeNames]:
        names_by_path: dict[str, CodeNames] = {}
        for path in self._spans:
            names = names_in(self._codebase, path)
            if names is not None:
                names_by_path[path] = names
        return names_by_path

    @cached_property
    def _literals(self) -> tuple[str, ...]:
        literals: list[str] = []
        for path, names in self._names.items():
            cited = [literal for literal in names.literals if self._touches(path, literal.lines)]
            literals.extend(literal.text for literal in cited)
        return tuple(literals)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        texts: list[str] = []
        for path in self._spans:
            texts.extend(self._texts_in(path))
        return tuple(texts)

    @cached_property
    def _unread_texts(self) -> tuple[str, ...]:
        texts: list[str] = []
        for path in self._spans:
            if path not in self._names:
                texts.extend(self._texts_in(path))
        return tuple(texts)

    @cached_property
    def _code(self) -> tuple[str, ...]:
        """The lines without comments and docstrings, as tokens with blanks between them."""
        pieces: list[str] = []
        for path, spans in self._spans.items():
            lines = _code_lines_of(path, self._codebase.source(path).text)
            for span in spans:
                tokens = _tokens(_text_of(lines, span))
                pieces.append(_join(tokens))
        return tuple(pieces)

    def _texts_in(self, path: str) -> Iterator[str]:
        lines = _lines_of(self._codebase.source(path).text)
        for span in self._spans[path]:
            yield _text_of(lines, span)


def names_in(codebase: Codebase, path: str) -> CodeNames | None:
    """Read the names that a file uses; None where it is no code or cannot be read."""
    language = language_of(path)
    if language is None:
        return None

    def read() -> CodeNames | None:
        return language.names(path, codebase.source(path).text)

    return guarded(codebase, path, "reading its names", read, None)


@lru_cache(maxsize=256)
def _lines_of(text: str) -> tuple[str, ...]:
    return tuple(_LINE_END.split(text))


# Comments are found by tokens, which takes longer than the parse.
@lru_cache(maxsize=256)
def _code_lines_of(path: str, text: str) -> tuple[str, ...]:
    return without_comments(path, "\n".join(_lines_of(text)))


def _text_of(lines: Sequence[str], span: Span) -> str:
    first_line = max(span.first, 1)
    return "\n".join(lines[first_line - 1 : span.last])


def _any_has_word(texts: Iterable[str], word: str) -> bool:
    escaped = re.escape(word)
    pattern = re.compile(rf"(?<!\w){escaped}(?!\w)")
    # The plain look-up spares most texts the search by pattern.
    return any(word in text and pattern.search(text) for text in texts)


def _holds_all(text: str, pieces: Sequence[str]) -> bool:
    return all(piece in text for piece in pieces)


def _tokens(code: str) -> list[str]:
    # Quotation marks are a matter of taste.
    return _CODE_TOKEN.findall(code.replace("'", '"'))


def _join(tokens: Sequence[str]) -> str:
    """Put blanks between and around tokens, so that a match begins and ends with whole ones."""
    return f" {' '.join(tokens)} "


def _holds_in_order(code: str, pieces: Sequence[str]) -> bool:
    position = 0
    for piece in pieces:
        start = code.find(piece, position)
        if start < 0:
            return False
        # The blank at the end of one piece may be the one before the next.
        position = start + len(piece) - 1
    return True
