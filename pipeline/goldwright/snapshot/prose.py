"""Telling code from what is written about it: comments, docstrings, bare strings and documents.

What a program does shows in its code. A statement that rests on prose alone may repeat a wish, an old truth
or an order that somebody hid in a comment.
"""

import io
import tokenize
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

_DOCUMENTS: Final = frozenset({".adoc", ".htm", ".html", ".markdown", ".md", ".rst", ".txt"})
_MARKS: Final = ("#", "//", ";", "--", "/*", "*", "<!--")
_STRINGS: Final = frozenset({"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END", "TSTRING_START"})
_PUNCTUATION: Final = frozenset(",()[]{}")


def code_lines(path: str, text: str) -> frozenset[int]:
    """Number the lines of a file (from 1) that hold more than prose and punctuation."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _DOCUMENTS or PurePosixPath(path).name.lower().startswith(("readme", "changelog", "license")):
        return frozenset()
    if suffix in {".py", ".pyi"}:
        return frozenset(_python_lines(text))
    return frozenset(_plain_lines(text, after=0))


def _python_lines(text: str) -> Iterator[int]:
    statement: list[tokenize.TokenInfo] = []
    row = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            row = token.end[0]
            if token.type == tokenize.NEWLINE:
                yield from _rows(statement)
                statement = []
            else:
                statement.append(token)
    except (tokenize.TokenError, SyntaxError):
        yield from _plain_lines(text, after=row)
    yield from _rows(statement)


def _rows(statement: list[tokenize.TokenInfo]) -> Iterator[int]:
    """Number the rows of one statement that show what it does; a statement of strings alone shows nothing."""
    for token in statement:
        kind = tokenize.tok_name[token.type]
        if kind in {"NAME", "NUMBER"} or (kind == "OP" and token.string not in _PUNCTUATION):
            yield token.start[0]


def _plain_lines(text: str, *, after: int) -> Iterator[int]:
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if number > after and stripped and not stripped.startswith(_MARKS):
            yield number
