"""Cutting a text into the words that may be code: what they say, where they stand and how they are
marked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from goldwright.snapshot.identifiers import CODE_MARKS, is_code_shaped

_ADDRESS = re.compile(
    r"\b[a-z][a-z+]{0,19}://[^\s`<>\"')\]]+|\bwww\.[^\s`<>\"')\]]+|\b[\w.+-]{1,64}@\w[\w-]*\.\w+"
)
_LUMP = re.compile(r"[\w./~\\][\w./\\:@#+~-]*")
_PLAIN = r"[A-Za-z]?[a-z]*[.:]?(?:[\s,;)\]\"'’!?*]|$)"
_TELLING = re.compile(rf"(?<![A-Za-z])(?!{_PLAIN}){_LUMP.pattern}")
_ALONE = re.compile(
    r"\s*(?:(?:async def|def|class|await|raise|return|yield|new)\s+)?(?:[@~!&*]|\.(?!\.?/))*"
    r"(?P<name>[\w./\\:#+~-]*\w/?)"
    r"(?:\(.*\)|\[.*\])?[:.,;]?\s*",
    re.DOTALL,
)
_NEXT_WORD = re.compile(r"\s+([A-Za-z]+)")
_PLURAL_MARK = re.compile(r"\((?:e?s|ies)\)")
_LONGEST_NAME = 1000
_TEMPLATE_MARKS = frozenset("<%$")


@dataclass(frozen=True, slots=True)
class CodeWord:
    """A run of path and name characters at ``start``..``end`` (offsets in the text, end exclusive).

    ``quoted`` tells that it stands between code marks, ``marked`` that it stands there alone,
    ``called`` that a parenthesis follows it, ``attribute`` that a dot precedes it and ``template``
    that it is a piece of a pattern such as ``*.py``. ``following`` is the next word of the text, in
    lower case.
    """

    text: str
    start: int
    end: int
    quoted: bool
    marked: bool
    called: bool
    attribute: bool
    template: bool
    following: str


def code_words(text: str) -> Iterator[CodeWord]:
    """Yield the words of a text that may be code, in their order; plain words without marks are
    left out.
    """
    if "//" in text or "@" in text or "www." in text:
        text = _ADDRESS.sub(lambda match: " " * len(match[0]), text)
    position = 0
    for match in CODE_MARKS.finditer(text):
        group = 2 if match[2] else 4
        yield from _prose(text, position, match.start())
        yield from _code(text, *match.span(group), after=match.end())
        position = match.end()
    yield from _prose(text, position, len(text))


def _prose(text: str, start: int, end: int) -> Iterator[CodeWord]:
    for match in _TELLING.finditer(text, start, end):
        lump = match[0]
        if not lump.isalpha() or is_code_shaped(lump) or text.startswith("(", match.end()):
            yield from _word(text, match.start(), match.end())


def _code(text: str, start: int, end: int, *, after: int) -> Iterator[CodeWord]:
    alone = _ALONE.fullmatch(text, start, end)
    if alone is None:
        for match in _LUMP.finditer(text, start, end):
            yield from _word(text, match.start(), match.end(), quoted=True)
        return
    first, last = alone.span("name")
    yield from _word(text, first, last, quoted=True, marked=True, after=after)
    for match in _LUMP.finditer(text, last, end):
        yield from _word(text, match.start(), match.end(), quoted=True)


def _word(
    text: str,
    start: int,
    end: int,
    *,
    quoted: bool = False,
    marked: bool = False,
    after: int | None = None,
) -> Iterator[CodeWord]:
    lump = text[start:end]
    written = lump.rstrip(".:#+@~\\-")
    last = start + len(written)
    before = text[start - 1 : start]
    if not 0 < len(written) <= _LONGEST_NAME or text[max(0, start - 2) : start] == "--":
        return
    if quoted and _is_literal(before, text[last : last + 1]):
        return
    attribute = (
        written.startswith(".") and not written.startswith(("./", "..")) and "/" not in written
    )
    yield CodeWord(
        text=written.replace("\\_", "_"),
        start=start,
        end=last,
        quoted=quoted,
        marked=marked,
        called=text.startswith("(", last) and not _PLURAL_MARK.match(text, last),
        attribute=attribute or before == ".",
        template=before in _TEMPLATE_MARKS or (before == "*" and text[last : last + 1] != "*"),
        following=_following(text, after or last),
    )


def _is_literal(before: str, after: str) -> bool:
    """Tell whether quotation marks inside a piece of code make a string of a word."""
    return before == after != "" and before in "'\""


def _following(text: str, position: int) -> str:
    match = _NEXT_WORD.match(text, position)
    return match[1].lower() if match else ""
