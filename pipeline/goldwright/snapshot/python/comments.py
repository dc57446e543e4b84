"""Telling Python code from what is written about it: comments, docstrings and bare strings."""

import io
import tokenize
from collections.abc import Iterator
from typing import Final

BLANK: Final = "…"
_STRINGS: Final = frozenset({"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"})
_LAYOUT: Final = frozenset({"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"})
_PUNCTUATION: Final = frozenset(",()[]{}")

Statement = list[tokenize.TokenInfo]


def code_lines(text: str) -> tuple[frozenset[int], int]:
    """Number the lines of a module (from 1) that show what it does.

    Returns:
        The numbers, and the last line that could be cut into tokens.
    """
    numbers: set[int] = set()
    last_read = 0
    for statement in _statements(text):
        numbers.update(_telling_lines(statement))
        last_read = statement[-1].end[0]
    return frozenset(numbers), last_read


def blank_out_comments(lines: list[str]) -> int:
    """Blank out comments and bare strings of a module, in place; the numbers of lines stay.

    Returns:
        The last line that could be cut into tokens.
    """
    last_read = 0
    for statement in _statements("\n".join(lines)):
        # From the end, so that what is blanked out does not move what is still to be.
        for token in reversed(tuple(_prose(statement))):
            _blank_out(lines, token)
        last_read = statement[-1].end[0]
    return last_read


def _statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a module as their tokens, up to where it cannot be read."""
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


def _telling_lines(statement: Statement) -> Iterator[int]:
    """Number the lines of a statement that show what it does; strings alone show nothing."""
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
