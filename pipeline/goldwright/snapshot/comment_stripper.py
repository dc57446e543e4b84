"""Telling code from what is written about it: comments, docstrings, bare strings and documents.

What a program does shows in its code. A statement that rests on prose alone may repeat a wish, an
old truth or an order that somebody hid in a comment.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot.languages import SOURCE_SUFFIXES, language_of

BLANK: Final = "…"
_DOCUMENTS: Final = frozenset({".adoc", ".htm", ".html", ".markdown", ".md", ".rst", ".txt"})
_DOCUMENT_NAMES: Final = """
    authors changelog changes contributing history license news readme
""".split()
# What begins a comment in the languages that no parser of ours reads.
_COMMENT_MARKS: Final = ("#", "//", ";", "--", "/*", "*", "<!--")


def code_lines(path: str, text: str) -> frozenset[int]:
    """Number the lines of a file (from 1) that hold more than prose and punctuation."""
    if _is_document(path):
        return frozenset()
    language = language_of(path.lower())
    numbers, last_read = language.code_lines(text) if language else (frozenset[int](), 0)
    return numbers.union(_unmarked_lines(text, after=last_read))


def without_comments(path: str, text: str) -> tuple[str, ...]:
    """Give the lines of a file with everything blanked out that is no code; their numbers stay."""
    lines = text.split("\n")
    if _is_document(path):
        return tuple(BLANK if line.strip() else line for line in lines)
    language = language_of(path.lower())
    last_read = language.without_comments(lines) if language else 0
    for place in range(last_read, len(lines)):
        if lines[place].lstrip().startswith(_COMMENT_MARKS):
            lines[place] = BLANK
    return tuple(lines)


def _is_document(path: str) -> bool:
    place = PurePosixPath(path)
    if place.suffix.lower() in _DOCUMENTS:
        return True
    is_source = path.lower().endswith(SOURCE_SUFFIXES)
    return place.stem.lower() in _DOCUMENT_NAMES and not is_source


def _unmarked_lines(text: str, *, after: int) -> Iterator[int]:
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if number > after and stripped and not stripped.startswith(_COMMENT_MARKS):
            yield number
