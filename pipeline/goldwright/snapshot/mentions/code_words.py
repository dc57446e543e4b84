"""Cutting a text into the words that may be code, with where they stand and how they are marked."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.snapshot.identifiers import BACKTICKS, CODE_MARKS, CODE_TAGS, is_code_shaped
from goldwright.snapshot.languages.language_catalog import SOURCE_SUFFIXES, WORDS, blank_strings

# Web and mail addresses, whose parts look like paths and names.
_ADDRESS: Final = re.compile(
    r"\b[a-z][a-z+]{0,19}://[^\s`<>\"')\]]+|\bwww\.[^\s`<>\"')\]]+|\b[\w.+-]{1,64}@\w[\w-]*\.\w+"
)
# A run of the characters of paths and names.
_RUN: Final = re.compile(r"[\w./~\\][\w./\\:@#+~-]*")
# What plain words of prose look like; the pattern skips them, so that no code looks at each.
_PLAIN_WORD: Final = r"[A-Za-z]?[a-z]*[.:]?(?:[\s,;)\]\"'’!?*]|$)"
# In code, signs between names are operators.
_CODE_RUN: Final = re.compile(r"(?<!\w)\.?[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_PROSE_RUN: Final = re.compile(rf"(?<![A-Za-z])(?!{_PLAIN_WORD}){_RUN.pattern}")
# ``new`` leads names in other languages, and in what people write of any.
_LEADING_KEYWORDS: Final = sorted(WORDS.leading_keywords | {"new"})
_KEYWORD: Final = "|".join(_LEADING_KEYWORDS)
# One name with what may stand around it in code: a keyword, a decorator's mark, arguments.
_LONE_NAME: Final = re.compile(
    rf"\s*(?:(?:{_KEYWORD})\s+)?(?:[@~!&*]|\.(?!\.?/))*"
    r"(?P<name>[\w./\\:#+~-]*\w/?)"
    r"(?:\(.*\)|\[.*\])?[:.,;]?\s*",
    re.DOTALL,
)
_IDENTIFIER: Final = re.compile(r"(?<!\w)[^\W\d]\w*")
# ``e.g.`` and the like are too short to be names.
_DOTTED: Final = re.compile(r"\w{3,}\.\w")
_SUFFIXES: Final = frozenset(suffix.removeprefix(".") for suffix in SOURCE_SUFFIXES)
_NEXT_WORD: Final = re.compile(r"\s+([A-Za-z]+)")
# ``entity(s)`` is a plural, and no call.
_PLURAL_MARK: Final = re.compile(r"\((?:e?s|ies)\)")
_TRAILING_MARKS: Final = ".:#+@~\\-"
_LONGEST_NAME: Final = 1000
# ``<name``, ``%name`` and ``$name`` are places to fill in.
_TEMPLATE_MARKS: Final = frozenset("<%$")


@dataclass(frozen=True, slots=True)
class CodeWord:
    """A run of path and name characters.

    Attributes:
        text: The run, without the marks that end it.
        start: Its offset in the text.
        end: The offset behind it.
        is_in_code: It stands between code marks.
        is_lone: It stands there alone, but for keywords, arguments and punctuation.
        is_in_expression: It stands there in what reads as code of a language.
        is_called: A parenthesis follows it.
        is_attribute: A dot leads it.
        is_template: It is a piece of a pattern such as ``*.py``.
        next_word: The next word of the text in lower case; empty where none follows.
    """

    text: str
    start: int
    end: int
    is_in_code: bool
    is_lone: bool
    is_in_expression: bool
    is_called: bool
    is_attribute: bool
    is_template: bool
    next_word: str


# Several checks read the same texts one after another.
@lru_cache(maxsize=256)
def code_words(text: str) -> tuple[CodeWord, ...]:
    """Find the words of a text that may be code, in their order.

    Plain words without marks are left out.
    """
    return tuple(_code_words(text))


def named_words(text: str) -> frozenset[str]:
    """Collect the names that a text writes as code, one by one; of a path, its parts.

    In prose, only what is shaped like code, called or dotted counts.
    """
    names: set[str] = set()
    for word in code_words(text):
        identifiers = _IDENTIFIER.findall(word.text)
        is_code = word.is_in_code or word.is_called or any(map(is_code_shaped, identifiers))
        if is_code or _DOTTED.search(word.text):
            names.update(identifiers)
    return frozenset(names - WORDS.keywords - WORDS.receivers - _SUFFIXES)


def _code_words(text: str) -> Iterator[CodeWord]:
    # The pattern is tried at every place of a text; most texts hold no address.
    if "//" in text or "@" in text or "www." in text:
        text = _ADDRESS.sub(_blanks, text)
    position = 0
    for match in CODE_MARKS.finditer(text):
        start, end = match.span(BACKTICKS)
        if start == end:
            start, end = match.span(CODE_TAGS)
        yield from _words_of_prose(text, position, match.start())
        yield from _words_of_code(text, start, end, code_end=match.end())
        position = match.end()
    yield from _words_of_prose(text, position, len(text))


def _blanks(match: re.Match[str]) -> str:
    """Give as many blanks as were matched, so that offsets stay."""
    return " " * len(match[0])


def _words_of_prose(text: str, start: int, end: int) -> Iterator[CodeWord]:
    for match in _PROSE_RUN.finditer(text, start, end):
        run = match[0]
        if not run.isalpha() or is_code_shaped(run) or text.startswith("(", match.end()):
            yield from _word(text, *match.span())


def _words_of_code(text: str, start: int, end: int, *, code_end: int) -> Iterator[CodeWord]:
    """Yield the words between code marks; the closing mark ends at ``code_end``."""
    lone_name = _LONE_NAME.fullmatch(text, start, end)
    position = start
    if lone_name is not None:
        first, position = lone_name.span("name")
        yield from _word(text, first, position, is_in_code=True, lone_until=code_end)
    # Behind a lone name only its arguments are left to look at.
    if position == end:
        return
    code = blank_strings(text[start:end])
    if code is None:
        for match in _RUN.finditer(text, position, end):
            yield from _word(text, *match.span(), is_in_code=True)
        return
    for match in _CODE_RUN.finditer(code, position - start):
        first = start + match.start()
        behind = start + match.end()
        yield from _word(text, first, behind, is_in_code=True, is_in_expression=True)


def _word(
    text: str,
    start: int,
    end: int,
    *,
    is_in_code: bool = False,
    is_in_expression: bool = False,
    lone_until: int | None = None,
) -> Iterator[CodeWord]:
    """Yield the word that a run holds, if any.

    ``lone_until`` is where the code ends in which the run stands alone.
    """
    name = text[start:end].rstrip(_TRAILING_MARKS)
    end = start + len(name)
    before = text[start - 1 : start]
    after = text[end : end + 1]
    # ``--name`` is an option of a command line.
    if not 0 < len(name) <= _LONGEST_NAME or text.endswith("--", 0, start):
        return
    if is_in_code and not is_in_expression and _is_quoted(before, after):
        return
    is_plural = _PLURAL_MARK.match(text, end) is not None
    yield CodeWord(
        text=_as_identifier(name.replace("\\_", "_")),
        start=start,
        end=end,
        is_in_code=is_in_code,
        is_lone=lone_until is not None,
        is_in_expression=is_in_expression,
        is_called=after == "(" and not is_plural,
        is_attribute=before == "." or _is_led_by_dot(name),
        is_template=not is_in_expression and _is_template(text, start, after),
        next_word=_next_word(text, lone_until or end),
    )


def _as_identifier(name: str) -> str:
    """Write a name as Python compares it (PEP 3131)."""
    if name.isascii():
        return name
    return unicodedata.normalize("NFKC", name)


def _is_template(text: str, start: int, after: str) -> bool:
    before = text[start - 1 : start]
    if before == "*":
        return after != "*"
    return before in _TEMPLATE_MARKS or text.endswith("*.", 0, start)


def _is_quoted(before: str, after: str) -> bool:
    """Return whether quotation marks inside a piece of code make a string of a word."""
    return before == after != "" and before in "'\""


def _is_led_by_dot(name: str) -> bool:
    """Return whether a name is an attribute such as ``.size``, and no relative path."""
    is_path = "/" in name or name.startswith("..")
    return name.startswith(".") and not is_path


def _next_word(text: str, position: int) -> str:
    match = _NEXT_WORD.match(text, position)
    if match is None:
        return ""
    return match[1].lower()
