"""Telling code from what is written about it: comments, docstrings, bare strings and documents.

What a program does shows in its code. A statement that rests on prose alone may repeat a wish, an
old truth or an order that somebody hid in a comment.
"""

import io
import tokenize
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

BLANK: Final = "…"
_DOCUMENTS: Final = frozenset({".adoc", ".htm", ".html", ".markdown", ".md", ".rst", ".txt"})
_DOCUMENT_NAMES: Final = (
    "authors",
    "changelog",
    "changes",
    "contributing",
    "history",
    "license",
    "news",
    "readme",
)
_MARKS: Final = ("#", "//", ";", "--", "/*", "*", "<!--")
_STRINGS: Final = frozenset({"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"})
_LAYOUT: Final = frozenset({"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"})
_PUNCTUATION: Final = frozenset(",()[]{}")

Statement = list[tokenize.TokenInfo]


def code_lines(path: str, text: str) -> frozenset[int]:
    """Number the lines of a file (from 1) that hold more than prose and punctuation."""
    if _is_document(path):
        return frozenset()
    if not _is_python(path):
        return frozenset(_unmarked_lines(text, after=0))
    found: set[int] = set()
    end = 0
    for statement in _statements(text):
        found.update(_rows(statement))
        end = statement[-1].end[0]
    return frozenset(found | set(_unmarked_lines(text, after=end)))


def without_comments(path: str, text: str) -> tuple[str, ...]:
    """Give the lines of a file with everything blanked out that is no code; their numbers stay."""
    lines = text.split("\n")
    if _is_document(path):
        return tuple(BLANK if line.strip() else line for line in lines)
    end = 0
    if _is_python(path):
        for statement in _statements(text):
            # From the end, so that what is blanked out does not move what is still to be.
            for token in reversed(tuple(_prose(statement))):
                _blank_out(lines, token)
            end = statement[-1].end[0]
    marked = (
        n for n, line in enumerate(lines[end:], start=end) if line.lstrip().startswith(_MARKS)
    )
    for number in marked:
        lines[number] = BLANK
    return tuple(lines)


def _is_document(path: str) -> bool:
    place = PurePosixPath(path)
    return place.suffix.lower() in _DOCUMENTS or (
        place.stem.lower() in _DOCUMENT_NAMES and not _is_python(path)
    )


def _is_python(path: str) -> bool:
    return path.lower().endswith((".py", ".pyi"))


def _statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a module as their tokens, up to where it can not be read."""
    statement: Statement = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            statement.append(token)
            if token.type == tokenize.NEWLINE:
                yield statement
                statement = []
    except (tokenize.TokenError, SyntaxError):
        return
    if statement:
        yield statement


def _rows(statement: Statement) -> Iterator[int]:
    """Number the rows of one statement that show what it does; a statement of strings alone shows
    nothing.
    """
    for token in statement:
        kind = tokenize.tok_name[token.type]
        if kind in {"NAME", "NUMBER"} or (kind == "OP" and token.string not in _PUNCTUATION):
            yield token.start[0]


def _prose(statement: Statement) -> Iterator[tokenize.TokenInfo]:
    """Yield the comments of a statement, and all of its strings where it holds nothing else."""
    kinds = {tokenize.tok_name[token.type] for token in statement}
    is_bare = kinds - _LAYOUT <= _STRINGS
    for token in statement:
        kind = tokenize.tok_name[token.type]
        if kind == "COMMENT" or (is_bare and kind in _STRINGS):
            yield token


def _blank_out(lines: list[str], token: tokenize.TokenInfo) -> None:
    (first, start), (last, end) = token.start, token.end
    head, tail = lines[first - 1][:start], lines[last - 1][end:]
    mark = f"# {BLANK}" if token.type == tokenize.COMMENT else f'"{BLANK}"'
    if first == last:
        lines[first - 1] = f"{head}{mark}{tail}"
        return
    for number in range(first, last - 1):
        lines[number] = BLANK
    lines[first - 1], lines[last - 1] = f"{head}{mark}", f"{BLANK}{tail}"


def _unmarked_lines(text: str, *, after: int) -> Iterator[int]:
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if number > after and stripped and not stripped.startswith(_MARKS):
            yield number
