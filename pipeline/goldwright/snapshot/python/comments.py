"""Separating Python code from comments, docstrings and bare strings."""

import io
import tokenize
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.snapshot.language import BLANK, CodeLines, StrippedLines

# The names of tokens, for f-strings have tokens of their own only since Python 3.12.
_STRINGS: Final = frozenset({"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"})
_LAYOUT: Final = frozenset({"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"})
# A line of these alone shows nothing of what a program does.
_PUNCTUATION: Final = frozenset(",()[]{}")

Statement = list[tokenize.TokenInfo]


def code_lines(text: str) -> CodeLines:
    """Number the lines of a module that show what it does."""
    numbers: set[int] = set()
    last_read = 0
    for statement in _statements(text):
        for token in statement:
            if _is_code(token):
                numbers.add(token.start[0])
        last_read = statement[-1].end[0]
    return CodeLines(frozenset(numbers), last_read)


def strip_comments(lines: Sequence[str]) -> StrippedLines:
    """Blank out the comments and bare strings of a module; the number of lines stays."""
    stripped = list(lines)
    last_read = 0
    for statement in _statements("\n".join(lines)):
        prose = tuple(_prose(statement))
        # From the end, so that the columns of what is still to be blanked out stay right.
        for token in reversed(prose):
            _blank_out(stripped, token)
        last_read = statement[-1].end[0]
    return StrippedLines(tuple(stripped), last_read)


def _statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a module as their tokens, up to where it cannot be read."""
    statement: Statement = []
    readline = io.StringIO(text).readline
    try:
        for token in tokenize.generate_tokens(readline):
            statement.append(token)
            # Line ends inside brackets and behind comments are tokens of another type.
            if token.type == tokenize.NEWLINE:
                yield statement
                statement = []
    except (tokenize.TokenError, SyntaxError):
        return
    if statement:
        yield statement


def _is_code(token: tokenize.TokenInfo) -> bool:
    """Tell whether a token shows what its line does; strings alone show nothing."""
    kind = tokenize.tok_name[token.type]
    if kind == "OP":
        return token.string not in _PUNCTUATION
    return kind in {"NAME", "NUMBER"}


def _prose(statement: Statement) -> Iterator[tokenize.TokenInfo]:
    """Yield the comments of a statement, and all of its strings where it holds nothing else."""
    kinds = {tokenize.tok_name[token.type] for token in statement}
    is_bare_string = kinds - _LAYOUT <= _STRINGS
    for token in statement:
        kind = tokenize.tok_name[token.type]
        if kind == "COMMENT" or (is_bare_string and kind in _STRINGS):
            yield token


def _blank_out(lines: list[str], token: tokenize.TokenInfo) -> None:
    first, start_column = token.start
    last, end_column = token.end
    head = lines[first - 1][:start_column]
    tail = lines[last - 1][end_column:]
    mark = f'"{BLANK}"'
    if token.type == tokenize.COMMENT:
        mark = f"# {BLANK}"
    if first == last:
        lines[first - 1] = head + mark + tail
        return
    lines[first - 1] = head + mark
    for number in range(first + 1, last):
        lines[number - 1] = BLANK
    lines[last - 1] = BLANK + tail
