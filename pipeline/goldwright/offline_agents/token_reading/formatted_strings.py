"""The parts of a formatted string as tokens.

Before Python 3.12 a formatted string is one token, and a call inside of it would not be seen.
"""

import io
import re
import tokenize
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

_FORMATTED: Final = re.compile(
    r"(?P<head>(?:[fF][rR]?|[rR][fF])(?P<quote>\"\"\"|'''|\"|'))(?P<body>.*)(?P=quote)", re.DOTALL
)
# The types that Python 3.12 gave to these parts; an older one has no numbers for them.
STRING_START: Final[int] = getattr(tokenize, "FSTRING_START", tokenize.N_TOKENS + 1)
STRING_MIDDLE: Final[int] = getattr(tokenize, "FSTRING_MIDDLE", tokenize.N_TOKENS + 2)
STRING_END: Final[int] = getattr(tokenize, "FSTRING_END", tokenize.N_TOKENS + 3)
_LAYOUT: Final = frozenset({tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.COMMENT})
# What ends the code of a field: its bracket, a format, a conversion or the mark that repeats it.
_END_OF_CODE: Final = re.compile(r"[}:]|!(?!=)|(?<![=!<>])=(?=\s*[!:}])")
_STRING: Final = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"[^\"]*\"|'[^']*'", re.DOTALL)


def split_formatted(token: tokenize.TokenInfo) -> tuple[tokenize.TokenInfo, ...]:
    """Split a formatted string into its text and the tokens of the code inside.

    Returns:
        The parts as Python 3.12 and later give them, text with doubled brackets as written; any
        other token, and one whose code makes no tokens, as it is.
    """
    if token.type != tokenize.STRING:
        return (token,)
    match = _FORMATTED.fullmatch(token.string)
    if match is None:
        return (token,)
    literal = _Literal(token)
    start, end = match.span("body")
    try:
        inside = tuple(literal.parts(start, end))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return (token,)
    opening = literal.piece(STRING_START, 0, start)
    closing = literal.piece(STRING_END, end, len(token.string))
    return (opening, *inside, closing)


@dataclass(frozen=True, slots=True)
class _Literal:
    token: tokenize.TokenInfo

    def piece(self, kind: int, start: int, end: int) -> tokenize.TokenInfo:
        text = self.token.string[start:end]
        return tokenize.TokenInfo(kind, text, self.at(start), self.at(end), self.token.line)

    def at(self, place: int) -> tuple[int, int]:
        """Give the line and column of a place in the literal."""
        before = self.token.string[:place]
        row, column = self.token.start
        last_line = before.rpartition("\n")[2]
        below = before.count("\n")
        first_column = 0 if below else column
        return row + below, len(last_line) + first_column

    def parts(self, start: int, end: int) -> Iterator[tokenize.TokenInfo]:
        """Yield the text and the fields between two places."""
        text = self.token.string
        text_start = place = start
        while place < end:
            if text[place : place + 2] in {"{{", "}}"}:
                place += 2
            elif text[place] == "{":
                if text_start < place:
                    yield self.piece(STRING_MIDDLE, text_start, place)
                place = text_start = yield from self._field(place)
            else:
                place += 1
        if text_start < end:
            yield self.piece(STRING_MIDDLE, text_start, end)

    def _field(self, start: int) -> Generator[tokenize.TokenInfo, None, int]:
        """Yield the tokens of a field, brackets included, and return where it ends."""
        text = self.token.string
        yield self.piece(tokenize.OP, start, start + 1)
        place = self._end_of_code(start + 1)
        yield from self._code(start + 1, place)
        while not text.startswith("}", place):
            if place >= len(text):
                raise ValueError("a field without an end")
            yield self.piece(tokenize.OP, place, place + 1)
            mark, place = text[place], place + 1
            if mark == ":":
                end = self._end_of_format(place)
                yield from self.parts(place, end)
                place = end
            elif mark == "!":
                yield self.piece(tokenize.NAME, place, place + 1)
                place += 1
            if mark != ":":
                rest = text[place:]
                place += len(rest) - len(rest.lstrip())
        yield self.piece(tokenize.OP, place, place + 1)
        return place + 1

    def _end_of_code(self, start: int) -> int:
        text = self.token.string
        place, depth = start, 0
        while place < len(text):
            string = _STRING.match(text, place)
            if string is not None:
                place = string.end()
                continue
            if depth == 0 and _END_OF_CODE.match(text, place):
                return place
            character = text[place]
            depth += (character in "([{") - (character in ")]}")
            place += 1
        raise ValueError("a field without an end")

    def _end_of_format(self, start: int) -> int:
        """Find the bracket behind a format, which may hold fields of its own."""
        depth = 0
        for place in range(start, len(self.token.string)):
            character = self.token.string[place]
            if character == "}" and depth == 0:
                return place
            depth += (character == "{") - (character == "}")
        raise ValueError("a format without an end")

    def _code(self, start: int, end: int) -> Iterator[tokenize.TokenInfo]:
        # Brackets around it let the code go on below, as it may between brackets of a field.
        code = self.token.string[start:end]
        next_line = io.StringIO(f"({code})").readline
        tokens = list(tokenize.generate_tokens(next_line))
        row, column = self.at(start)
        for inner in [token for token in tokens if token.type not in _LAYOUT][1:-1]:
            moved_start = _moved(inner.start, row, column)
            moved_end = _moved(inner.end, row, column)
            moved = inner._replace(start=moved_start, end=moved_end)
            yield from split_formatted(moved)


def _moved(place: tuple[int, int], row: int, column: int) -> tuple[int, int]:
    """Give the place in the file of a place in code with a bracket put before it."""
    row_in_code, column_in_code = place
    shift = column - 1 if row_in_code == 1 else 0
    return row_in_code + row - 1, column_in_code + shift
