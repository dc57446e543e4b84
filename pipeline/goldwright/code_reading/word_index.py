"""Where names occur in the code of a codebase, by a scan of its words: no parser, no resolution."""

import io
import re
import tokenize
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.snapshot.codebase import SourceTree

_WORD: Final = re.compile(r"[^\W\d]\w*")
_MEMORY_OF_FILES: Final = 512


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name in code, outside comments and strings.

    Attributes:
        path: The file.
        line: The line, from 1.
        before: The token before it on its line; empty at the start of a statement.
        after: The token behind it; empty at the end.
    """

    path: str
    line: int
    before: str
    after: str

    @property
    def is_definition(self) -> bool:
        """Tell whether the name is defined here by ``def`` or ``class``."""
        return self.before in {"def", "class"}


def files_with_words(
    codebase: SourceTree, paths: Collection[str], words: Collection[str]
) -> Mapping[str, tuple[str, ...]]:
    """Find the files that hold each of some words anywhere, in one pass over the files.

    Returns:
        The paths by word, in the order of ``paths``; words that stand nowhere are left out.
    """
    wanted = frozenset(words)
    places: dict[str, list[str]] = {}
    for path in paths:
        if not codebase.has_text(path):
            continue
        text = codebase.data(path).decode("utf-8", "replace")
        for word in wanted.intersection(_WORD.findall(text)):
            places.setdefault(word, []).append(path)
    return {word: tuple(found) for word, found in places.items()}


def occurrences(codebase: SourceTree, path: str, name: str) -> tuple[Occurrence, ...]:
    """List where a name stands in the code of a file; none where it cannot be cut into tokens."""
    tokens = _names_by_line(codebase, path)
    return tuple(occurrence for word, occurrence in tokens if word == name)


@lru_cache(maxsize=_MEMORY_OF_FILES)
def _names_by_line(codebase: SourceTree, path: str) -> tuple[tuple[str, Occurrence], ...]:
    return tuple(_names(path, codebase.source(path).text))


def _names(path: str, text: str) -> Iterator[tuple[str, Occurrence]]:
    held: tuple[str, int, str] | None = None
    before = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}:
                continue
            is_end = token.type in {tokenize.NEWLINE, tokenize.ENDMARKER}
            if held is not None:
                name, line, earlier = held
                after = "" if is_end else token.string
                yield name, Occurrence(path, line, earlier, after)
                held = None
            if token.type == tokenize.NAME:
                held = (token.string, token.start[0], before)
            before = "" if is_end else token.string
    except (tokenize.TokenError, SyntaxError):
        return
