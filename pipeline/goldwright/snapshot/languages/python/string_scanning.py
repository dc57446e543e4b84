"""Finding the ends of strings and brackets in Python source, whatever the version it is written in.

Strings follow the newest grammar: a replacement field of an f-string or t-string may hold any
expression, other strings with the same quotation marks included (PEP 701, PEP 750).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# f-strings inside f-strings; no code that people write comes near it.
MOST_NESTED_STRINGS: Final = 20
# What CPython allows; far less than what would overflow a stack here.
MOST_NESTED_BRACKETS: Final = 200

_QUOTES: Final = ("'''", '"""', "'", '"')
_PREFIXES: Final = frozenset("b br f fr r rb rf rt t tr u".split())
_LONGEST_PREFIX: Final = 2
_FORMATTED: Final = frozenset("ft")
_MARK: Final = re.compile(r"[\n()\[\]{}'\"#,:!=]|(?<!\w)(?:as|for)(?!\w)")
_COMMENT: Final = re.compile(r"#[^\n]*+")
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_OPERATOR_CHARACTERS: Final = frozenset("=!<>:")
# The ``=`` and the conversion that may follow the expression of a replacement field.
_FIELD_TAIL: Final = re.compile(r"(?>(?:=\s*+)?)(?>(?:!\s*+\w++\s*+)?)")


class MalformedSourceError(ValueError):
    """Source that no version of Python would read, or that is nested too deeply."""


@dataclass(frozen=True, slots=True)
class StringToken:
    """A string in source.

    Attributes:
        start: Where its prefix begins, or its quotation mark where there is none.
        end: The offset behind its last quotation mark.
        prefix: The letters before the quotation mark, in lower case.
        expressions: The offsets of the expressions in its replacement fields, in their order.
        is_newer: Python 3.11 cannot read its replacement fields.
    """

    start: int
    end: int
    prefix: str
    expressions: tuple[tuple[int, int], ...] = ()
    is_newer: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A character or word of code that a reader may look for.

    Attributes:
        text: The character or word; the first character of a string or comment.
        start: Where it stands.
        depth: How many brackets are open around it, counted from where the reading began.
        string: The string that begins here.
    """

    text: str
    start: int
    depth: int
    string: StringToken | None = None


def _string_body(quote: str) -> re.Pattern[str]:
    """Match a plain string from its first quotation mark to its last."""
    if len(quote) == 1:
        return re.compile(rf"{quote}[^{quote}\\\n]*+(?>(?:\\.[^{quote}\\\n]*+)*){quote}", re.DOTALL)
    mark = quote[0]
    inner = rf"(?:\\.|{mark}(?!{mark}{mark}))[^{mark}\\]*+"
    return re.compile(rf"{quote}[^{mark}\\]*+(?>(?:{inner})*){quote}", re.DOTALL)


def _plain_fields(quote: str) -> re.Pattern[str]:
    """Match a formatted string without quotation marks, backslashes or braces in its fields.

    Most are like this, and one match is far cheaper than reading every field.
    """
    mark = quote[0]
    text = rf"[^{mark}\\{{}}\n]++"
    if len(quote) > 1:
        text = rf"[^{mark}\\{{}}]++|{mark}(?!{mark}{mark})"
    field = r"\{[^\"'#\\{}\n]*+\}"
    inner = rf"{text}|\{{\{{|\}}\}}|{field}|\\[^{{}}N]"
    return re.compile(rf"{quote}(?>(?:{inner})*){quote}", re.DOTALL)


def _literal_text(quote: str, *, is_raw: bool) -> re.Pattern[str]:
    """Match what stands between the replacement fields of a formatted string."""
    mark = quote[0]
    text = rf"[^{mark}\\{{}}\n]++"
    if len(quote) > 1:
        text = rf"[^{mark}\\{{}}]++|{mark}(?!{mark}{mark})"
    # A backslash does not escape a brace, and ``\N{DASH}`` is no replacement field.
    escape = r"\\(?:(?=[{}])|N\{[^{}\n]*+\}|.)"
    if is_raw:
        escape = r"\\(?:(?=[{}])|.)"
    return re.compile(rf"(?>(?:{text}|\{{\{{|\}}\}}|{escape})*)", re.DOTALL)


_STRING_BODIES: Final = {quote: _string_body(quote) for quote in _QUOTES}
_PLAIN_FIELDS: Final = {quote: _plain_fields(quote) for quote in _QUOTES}
_LITERAL_TEXTS: Final = {quote: _literal_text(quote, is_raw=False) for quote in _QUOTES}
_RAW_TEXTS: Final = {quote: _literal_text(quote, is_raw=True) for quote in _QUOTES}
_FORMAT_TEXT: Final = re.compile(r"[^{}'\"\n\\]*+")


def read_string(text: str, quote_start: int, *, level: int = 0) -> StringToken:
    """Read the string whose first quotation mark stands at an offset.

    Args:
        text: The source.
        quote_start: Where the quotation mark stands.
        level: How many formatted strings are around it.

    Raises:
        MalformedSourceError: It has no end.
    """
    quote = _quote_at(text, quote_start)
    prefix = _prefix_before(text, quote_start)
    start = quote_start - len(prefix)
    if _FORMATTED.isdisjoint(prefix):
        end = _end_of_match(_STRING_BODIES[quote], text, quote_start)
        return StringToken(start, end, prefix)
    simple = _PLAIN_FIELDS[quote].match(text, quote_start)
    if simple is not None:
        return StringToken(start, simple.end(), prefix)
    reader = _FormattedStringReader(text, quote, is_raw="r" in prefix, level=level)
    return reader.read(start, quote_start, prefix)


def code_marks(text: str, start: int, *, level: int = 0) -> Iterator[Mark]:
    """Yield the marks of code from an offset on, strings and comments as one mark each.

    A bracket has the depth of what is around it; one that closes what was open at the beginning
    has the depth -1, and is the last mark.

    Raises:
        MalformedSourceError: A string has no end, or brackets are nested too deeply.
    """
    position, depth = start, 0
    while match := _MARK.search(text, position):
        character = match[0]
        position = match.end()
        if character in _CLOSING:
            depth -= 1
        string = None
        if character in "'\"":
            string = read_string(text, match.start(), level=level)
            position = string.end
        elif character == "#":
            position = _end_of_match(_COMMENT, text, match.start())
        yield Mark(character, match.start(), depth, string)
        if depth < 0:
            return
        if character in _OPENING:
            depth += 1
        if depth > MOST_NESTED_BRACKETS:
            raise MalformedSourceError("too many nested brackets")


def closing_bracket(text: str, opening: int) -> int:
    """Find the bracket that closes the one at an offset.

    Raises:
        MalformedSourceError: There is none.
    """
    for mark in code_marks(text, opening + 1):
        if mark.depth < 0:
            return mark.start
    raise MalformedSourceError("a bracket is never closed")


class _FormattedStringReader:
    """Reads one formatted string: its end, its expressions, and whether they are newer."""

    def __init__(self, text: str, quote: str, *, is_raw: bool, level: int) -> None:
        if level > MOST_NESTED_STRINGS:
            raise MalformedSourceError("too many nested strings")
        self._text = text
        self._quote = quote
        self._level = level
        literal_texts = _RAW_TEXTS if is_raw else _LITERAL_TEXTS
        self._literal_text = literal_texts[quote]
        self._expressions: list[tuple[int, int]] = []
        self._is_newer = False

    def read(self, start: int, quote_start: int, prefix: str) -> StringToken:
        """Read the string to its end."""
        position = quote_start + len(self._quote)
        while True:
            position = _end_of_match(self._literal_text, self._text, position)
            if self._text.startswith(self._quote, position):
                break
            if not self._text.startswith("{", position):
                raise MalformedSourceError("a formatted string has no end")
            position = self._read_field(position + 1, nesting=0)
        end = position + len(self._quote)
        return StringToken(start, end, prefix, tuple(self._expressions), self._is_newer)

    def _read_field(self, start: int, *, nesting: int) -> int:
        """Read a replacement field from behind its brace, and give the offset behind its end."""
        # Before Python 3.12 a format may hold fields, and these no formats with fields.
        if nesting > 1:
            self._is_newer = True
        if nesting > MOST_NESTED_STRINGS:
            raise MalformedSourceError("too many nested fields")
        expression_end = self._end_of_expression(start)
        if not self._text[start:expression_end].strip():
            raise MalformedSourceError("a replacement field is empty")
        self._expressions.append((start, expression_end))
        position = _end_of_match(_FIELD_TAIL, self._text, expression_end)
        match self._text[position : position + 1]:
            case "}":
                return position + 1
            case ":":
                return self._read_format(position + 1, nesting=nesting)
            case _:
                raise MalformedSourceError("a replacement field has no end")

    def _end_of_expression(self, start: int) -> int:
        for mark in code_marks(self._text, start, level=self._level + 1):
            string = mark.string
            if mark.text == "#" or (string is not None and string.is_newer):
                self._is_newer = True
            is_end_sign = mark.depth == 0 and self._ends_expression(mark)
            is_end = mark.depth < 0 or is_end_sign
            if is_end:
                self._note_newer_text(start, mark.start)
                return mark.start
        raise MalformedSourceError("a replacement field has no end")

    def _ends_expression(self, mark: Mark) -> bool:
        """Return whether a mark outside all brackets ends the expression of a field."""
        before = self._text[mark.start - 1]
        next_place = mark.start + 1
        after = self._text[next_place : next_place + 1]
        match mark.text:
            case ":":
                return True
            case "!":
                return after != "="
            case "=":
                # A single one asks for the text of the expression, as in ``f"{width=}"``.
                return before not in _OPERATOR_CHARACTERS and after != "="
            case _:
                return False

    def _note_newer_text(self, start: int, end: int) -> None:
        expression = self._text[start:end]
        has_line_end = "\n" in expression and len(self._quote) == 1
        if "\\" in expression or self._quote in expression or has_line_end:
            self._is_newer = True

    def _read_format(self, start: int, *, nesting: int) -> int:
        """Read the format of a field, which may hold fields, and give the offset behind its end."""
        position = start
        while True:
            position = _end_of_match(_FORMAT_TEXT, self._text, position)
            match self._text[position : position + 1]:
                case "}":
                    return position + 1
                case "{":
                    position = self._read_field(position + 1, nesting=nesting + 1)
                case "'" | '"' if not self._text.startswith(self._quote, position):
                    position += 1
                case "\n" if len(self._quote) > 1:
                    position += 1
                case _:
                    raise MalformedSourceError("a format has no end")


def _quote_at(text: str, position: int) -> str:
    quote = text[position]
    long_quote = quote * 3
    if text.startswith(long_quote, position):
        return long_quote
    return quote


def _prefix_before(text: str, quote_start: int) -> str:
    start = quote_start
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
        if quote_start - start > _LONGEST_PREFIX:
            return ""
    # Of ``x if"a"else"b"`` the keywords are no prefixes.
    prefix = text[start:quote_start].lower()
    if prefix in _PREFIXES:
        return prefix
    return ""


def _end_of_match(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    if match is None:
        raise MalformedSourceError("a string has no end")
    return match.end()
