"""Separating Python code from comments, docstrings and bare strings."""

import io
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from goldwright.snapshot.languages.language_port import BLANK, CodeLines, StrippedLines

# The names of tokens, for f-strings have tokens of their own only since Python 3.12.
_STRINGS: Final = frozenset({"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"})
# The start and the end of an f-string are its quotes.
_TEXTS: Final = frozenset({"STRING", "FSTRING_MIDDLE"})
_LAYOUT: Final = frozenset({"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"})
# Behind the header of these, a docstring may stand on the same line.
_DEFINITIONS: Final = frozenset({"async", "class", "def"})
# A line of these alone shows nothing of what a program does.
_PUNCTUATION: Final = frozenset(",()[]{}")

_QUOTES_AND_PUNCTUATION: Final = "'\",()[]{} \t"

_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")

Statement = list[tokenize.TokenInfo]
ChooseTokens = Callable[[Statement], Iterable[tokenize.TokenInfo]]


def code_lines(text: str) -> CodeLines:
    """Number the lines of a module that show what it does."""
    lines = text.split("\n")
    numbers: set[int] = set()
    last_read = 0
    for statement in _statements(text):
        bare_strings = set(_bare_strings(statement))
        for token in statement:
            if _is_code(token):
                numbers.add(token.start[0])
            elif _is_text(token) and token not in bare_strings:
                numbers.update(_text_lines(token, lines))
        last_read = statement[-1].end[0]
    return CodeLines(frozenset(numbers), last_read)


def strip_comments(lines: Sequence[str]) -> StrippedLines:
    """Blank out the comments and bare strings of a module; the number of lines stays."""
    return _strip(lines, _prose)


def strip_docstrings(lines: Sequence[str]) -> StrippedLines:
    """Blank out the bare strings of a module, which document it; its comments stay."""
    return _strip(lines, _bare_strings)


def _strip(lines: Sequence[str], choose: ChooseTokens) -> StrippedLines:
    stripped = list(lines)
    last_read = 0
    for statement in _statements("\n".join(lines)):
        chosen = sorted(choose(statement), key=_start, reverse=True)
        # From the end, so that the columns of what is still to be blanked out stay right.
        for token in chosen:
            _blank_out(stripped, token)
        last_read = statement[-1].end[0]
    return StrippedLines(tuple(stripped), last_read)


def _start(token: tokenize.TokenInfo) -> tuple[int, int]:
    return token.start


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
    """Return whether a token shows by itself what its line does."""
    kind = tokenize.tok_name[token.type]
    if kind == "OP":
        return token.string not in _PUNCTUATION
    return kind in {"NAME", "NUMBER"}


def _is_text(token: tokenize.TokenInfo) -> bool:
    return tokenize.tok_name[token.type] in _TEXTS


def _text_lines(token: tokenize.TokenInfo, lines: Sequence[str]) -> Iterator[int]:
    """Number the lines of a string that hold some of it; quotes on their own are punctuation."""
    first = token.start[0]
    last = token.end[0]
    if first == last:
        yield first
        return
    for number in range(first, last + 1):
        if lines[number - 1].strip(_QUOTES_AND_PUNCTUATION):
            yield number


def _prose(statement: Statement) -> Iterator[tokenize.TokenInfo]:
    """Yield the comments and the bare strings of a statement."""
    for token in statement:
        if token.type == tokenize.COMMENT:
            yield token
    yield from _bare_strings(statement)


def _bare_strings(statement: Statement) -> Iterator[tokenize.TokenInfo]:
    """Yield the strings of each part of a statement that holds nothing else but parentheses."""
    for part in _parts(statement):
        words = [token for token in part if token.string not in {"(", ")"}]
        kinds = {tokenize.tok_name[token.type] for token in words}
        if kinds - _LAYOUT <= _STRINGS:
            yield from (token for token in part if tokenize.tok_name[token.type] in _STRINGS)


def _parts(statement: Statement) -> Iterator[Statement]:
    """Split what stands on one line: at semicolons, and behind the header of a definition."""
    words = [token.string for token in statement if token.type == tokenize.NAME]
    is_definition = bool(words) and words[0] in _DEFINITIONS
    part: Statement = []
    depth = 0
    for token in statement:
        if token.type == tokenize.OP:
            depth += token.string in _OPENING
            depth -= token.string in _CLOSING
            is_head_end = token.string == ":" and is_definition
            is_end = token.string == ";" or is_head_end
            if is_end and not depth:
                yield part
                part = []
                continue
        part.append(token)
    yield part


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
