"""The code that facts speak of, without what only its readers need."""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot

_BLANKS: Final = re.compile(r"\s+(?!\w)|(?<!\w)\s+")
_LAYOUT: Final = frozenset(
    {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT}
)


@dataclass
class FactCode:
    """The source without its comments and docstrings, one blank at most between two tokens."""

    snapshot: Snapshot
    _known: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)

    def of(self, entities: Iterable[Entity]) -> str:
        """Give the code of definitions; empty where the tokens cannot be told."""
        spans = [(entity.path, span) for entity in entities for span in entity.spans]
        return " \n ".join(self._between(path, span.first, span.last) for path, span in spans)

    def _between(self, path: str, first: int, last: int) -> str:
        if path not in self._known:
            self._known[path] = tuple(_tokens(self.snapshot.source(path).text))
        return squashed(" ".join(text for line, text in self._known[path] if first <= line <= last))

    def raw(self, cited: FileRange) -> str:
        """Give lines as they stand."""
        return "\n".join(self.snapshot.source(cited.file).lines[cited.start - 1 : cited.end])

    def written(self, entities: Iterable[Entity]) -> str:
        """Give all lines of definitions, comments and docstrings too."""
        spans = [
            FileRange(file=e.path, start=span.first, end=span.last)
            for e in entities
            for span in e.spans
        ]
        return "\n".join(map(self.raw, spans))


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline=None).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    before = tokenize.NEWLINE
    for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        alone = before in _LAYOUT and following.type == tokenize.NEWLINE
        if token.type not in _LAYOUT and not (token.type == tokenize.STRING and alone):
            yield token.start[0], token.string
        before = token.type


def squashed(code: str) -> str:
    """Take out the blanks that part no words."""
    return _BLANKS.sub("", code.strip())


def count(piece: str, code: str) -> int:
    """Count how often a piece of code stands in another, as whole words."""
    wanted = re.escape(squashed(piece))
    return len(re.findall(rf"(?<!\w){wanted}(?!\w)" if piece[:1].isidentifier() else wanted, code))


def has_word(name: str, text: str) -> bool:
    """Tell whether a name stands in a text as a whole word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
