"""The code that facts are about, without what only its readers need."""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot

# Blanks that do not stand between two word characters.
_SUPERFLUOUS_BLANKS: Final = re.compile(r"\s+(?!\w)|(?<!\w)\s+")
_LAYOUT: Final = frozenset(
    {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT}
)


@dataclass(frozen=True, slots=True)
class CodeToken:
    """A token of a file and the line it starts on."""

    line: int
    text: str


@dataclass
class FactCode:
    """The source of definitions, as code alone or as it was written."""

    snapshot: Snapshot
    _tokens_by_path: dict[str, tuple[CodeToken, ...]] = field(default_factory=dict)

    def code_of(self, entities: Iterable[Entity]) -> str:
        """The code of definitions, without comments, docstrings and superfluous blanks.

        Definitions stand on lines of their own. What cannot be tokenized is left out.
        """
        parts = map(self._code_at, _extents(entities))
        return " \n ".join(parts)

    def text_of(self, entities: Iterable[Entity]) -> str:
        """All lines of definitions, with comments and docstrings."""
        parts = map(self.text_at, _extents(entities))
        return "\n".join(parts)

    def text_at(self, lines: FileRange) -> str:
        """Lines as they are written."""
        source = self.snapshot.source(lines.file)
        first_index = lines.start - 1
        return "\n".join(source.lines[first_index : lines.end])

    def lines_with(self, name: str, entities: Iterable[Entity]) -> Iterator[tuple[str, int]]:
        """Yield the lines of definitions on which a name stands as code, each with its file."""
        for extent in _extents(entities):
            for token in self._tokens(extent.file):
                if token.text == name and extent.start <= token.line <= extent.end:
                    yield extent.file, token.line

    def _code_at(self, lines: FileRange) -> str:
        tokens = self._tokens(lines.file)
        texts = [token.text for token in tokens if lines.start <= token.line <= lines.end]
        return squeeze_blanks(" ".join(texts))

    def _tokens(self, path: str) -> tuple[CodeToken, ...]:
        tokens = self._tokens_by_path.get(path)
        if tokens is None:
            source = self.snapshot.source(path)
            tokens = tuple(_code_tokens(source.text))
            self._tokens_by_path[path] = tokens
        return tokens


def squeeze_blanks(code: str) -> str:
    """Remove the blanks that do not separate two words."""
    return _SUPERFLUOUS_BLANKS.sub("", code.strip())


def count_occurrences(piece: str, code: str) -> int:
    """Count how often a piece of code stands in another; one that starts with a word, as words."""
    pattern = re.escape(squeeze_blanks(piece))
    if piece[:1].isidentifier():
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return len(re.findall(pattern, code))


def has_word(name: str, text: str) -> bool:
    """Whether a name stands in a text as a whole word."""
    pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
    return re.search(pattern, text) is not None


def _extents(entities: Iterable[Entity]) -> Iterator[FileRange]:
    """Yield the lines of definitions, one range for each of their spans."""
    for entity in entities:
        for span in entity.spans:
            yield FileRange(file=entity.path, start=span.first, end=span.last)


def _code_tokens(text: str) -> Iterator[CodeToken]:
    """Yield the tokens of a file, but for layout, comments and strings that are statements."""
    source = io.StringIO(text, newline=None)
    try:
        tokens = list(tokenize.generate_tokens(source.readline))
    except (tokenize.TokenError, SyntaxError):
        return
    previous_type = tokenize.NEWLINE
    next_tokens = [*tokens[1:], tokens[-1]]
    for token, next_token in zip(tokens, next_tokens, strict=True):
        # A string alone on its logical line does nothing: it is a docstring or a comment.
        ends_line = next_token.type == tokenize.NEWLINE
        is_alone = previous_type in _LAYOUT and ends_line
        is_docstring = token.type == tokenize.STRING and is_alone
        if token.type not in _LAYOUT and not is_docstring:
            yield CodeToken(token.start[0], token.string)
        previous_type = token.type
