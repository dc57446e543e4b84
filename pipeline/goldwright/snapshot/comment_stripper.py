"""Separating code from what is written about it: comments, docstrings, bare strings, documents.

What a program does shows in its code. A statement that rests on prose alone may repeat a wish, an
old truth or an order that somebody hid in a comment.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot.languages.language_catalog import language_of
from goldwright.snapshot.languages.language_port import BLANK

_DOCUMENT_SUFFIXES: Final = frozenset(
    {".adoc", ".htm", ".html", ".markdown", ".md", ".rst", ".txt"}
)
_DOCUMENT_NAMES: Final = """
    authors changelog changes contributing history license news readme
""".split()
# What begins a comment in files that no language here reads.
_COMMENT_MARKS: Final = ("#", "//", ";", "--", "/*", "*", "<!--")


def code_lines(path: str, text: str) -> frozenset[int]:
    """Number the lines of a file (from 1) that hold more than prose and punctuation."""
    if _is_document(path):
        return frozenset()
    language = language_of(path.lower())
    if language is None:
        return _unmarked_lines(text, after=0)
    code = language.code_lines(text)
    return code.numbers | _unmarked_lines(text, after=code.last_read)


def without_comments(path: str, text: str) -> tuple[str, ...]:
    """Give the lines of a file with everything blanked out that is no code; their numbers stay."""
    lines = text.split("\n")
    if _is_document(path):
        return tuple(map(_blank_out, lines))
    last_read = 0
    language = language_of(path.lower())
    if language is not None:
        stripped = language.strip_comments(lines)
        lines = list(stripped.lines)
        last_read = stripped.last_read
    for index in range(last_read, len(lines)):
        if lines[index].lstrip().startswith(_COMMENT_MARKS):
            lines[index] = BLANK
    return tuple(lines)


def without_docstrings(path: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Give the lines of a source file with its docstrings blanked out; their numbers stay.

    Comments stay too. Lines that the language cannot read are given as they are.
    """
    language = language_of(path.lower())
    if language is None:
        return tuple(lines)
    return language.strip_docstrings(lines).lines


def _is_document(path: str) -> bool:
    place = PurePosixPath(path.lower())
    if place.suffix in _DOCUMENT_SUFFIXES:
        return True
    is_source = language_of(path.lower()) is not None
    return place.stem in _DOCUMENT_NAMES and not is_source


def _blank_out(line: str) -> str:
    if not line.strip():
        return line
    return BLANK


def _unmarked_lines(text: str, *, after: int) -> frozenset[int]:
    """Number the lines behind a line that are neither blank nor begin like a comment."""
    numbers: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if number > after and stripped and not stripped.startswith(_COMMENT_MARKS):
            numbers.add(number)
    return frozenset(numbers)
